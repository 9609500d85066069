use tribin_device::memory::{In, InOut};
use tribin_device::shared::{Layout, Place, Shared};
use tribin_device::{kernel, thread};

use super::{CELLS, MOST_RANK_BITS, QUANTILE_BITS, QUANTILES, cell_of, quantile_of};
use crate::orient::{key_of_edge, self_loop_key};
use crate::primitives::{block_clear_counts, block_flush_counts};
use crate::radix_sort::{DIGIT_BITS, DIGITS, histogram_add, passes};

/// Threads in a block of the kernels that count digits.
pub const KEYS_BLOCK: u32 = 512;

/// Passes of a sort by the quantile.
const PASSES: u32 = passes(QUANTILE_BITS);

struct Block {
    cells: Place<u64>,
    counts: Place<u32>,
    bytes: u32,
}

const BLOCK: Block = {
    let (layout, cells) = Layout::new().array(CELLS);
    let (layout, counts) = layout.array(PASSES * DIGITS);
    Block { cells, counts, bytes: layout.bytes() }
};

/// Bytes of shared memory of a block of the kernels that count digits.
pub const KEYS_SHARED_BYTES: u32 = BLOCK.bytes;

kernel!(
    /// `keys[i]` = the key of edge `i` ([`key_of_edge`]; `by_id` is not 0 for true) with the quantile of its larger rank above it, and for
    /// self-loops all bits of both. Counts the digits of a sort by the quantile: `histograms[pass * 256 + digit]`.
    #[requires(
        |shape| edges.len() >= m, keys.len() >= m, (1..=MOST_RANK_BITS).contains(&rank_bits),
        cells.len() >= u64::from(CELLS), histograms.len() >= u64::from(PASSES * DIGITS),
        shape.shared_bytes >= KEYS_SHARED_BYTES,
    )]
    pub unsafe fn orient_to_quantiles(
        edges: In<u64>,
        rank: In<u32>,
        cells: In<u64>,
        keys: InOut<u64>,
        histograms: InOut<u32>,
        m: u64,
        rank_bits: u32,
        by_id: u32,
    ) {
        let key_of = |i| key_of_edge(edges.get(i), rank, rank_bits, by_id != 0);
        put_above(key_of, cells, keys, histograms, m, rank_bits);
    }
);

kernel!(
    /// Puts the quantile of its larger rank above each of `n` keys, and counts the digits of a sort by it
    /// ([`orient_to_quantiles`]).
    #[requires(
        |shape| keys.len() >= n, (1..=MOST_RANK_BITS).contains(&rank_bits), cells.len() >= u64::from(CELLS),
        histograms.len() >= u64::from(PASSES * DIGITS), shape.shared_bytes >= KEYS_SHARED_BYTES,
    )]
    pub unsafe fn keys_to_quantiles(
        keys: InOut<u64>,
        cells: In<u64>,
        histograms: InOut<u32>,
        n: u64,
        rank_bits: u32,
    ) {
        put_above(|i| keys.get(i), cells, keys, histograms, n, rank_bits);
    }
);

kernel!(
    /// Takes the quantile off each of `n` keys.
    #[requires(keys.len() >= n, (1..=MOST_RANK_BITS).contains(&rank_bits))]
    pub unsafe fn without_quantiles(keys: InOut<u64>, n: u64, rank_bits: u32) {
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        while i < n {
            keys.set(i, keys.get(i) & self_loop_key(rank_bits));
            i += stride;
        }
    }
);

/// Writes each of `n` keys with its quantile above it, and counts the digits of the quantiles.
#[inline(always)]
fn put_above(
    key_of: impl Fn(u64) -> u64,
    cells: In<u64>,
    keys: InOut<u64>,
    histograms: InOut<u32>,
    n: u64,
    rank_bits: u32,
) {
    let (of_cells, counts) = (BLOCK.cells.here(), BLOCK.counts.here());
    let mut cell = thread::thread_idx_x();
    while cell < CELLS {
        of_cells.set(cell, cells.get(u64::from(cell)));
        cell += thread::block_dim_x();
    }
    // Its barrier is that of the cells, too.
    block_clear_counts(counts, PASSES * DIGITS);
    let stride = thread::grid_size();
    let mut i = thread::index_1d();
    while i < n {
        let key = key_of(i);
        let quantile = quantile_of_key(key, of_cells, rank_bits);
        keys.set(i, u64::from(quantile) << (2 * rank_bits) | key);
        histogram_add(counts, quantile.into(), PASSES, DIGIT_BITS);
        i += stride;
    }
    thread::sync_threads();
    block_flush_counts(counts, histograms, PASSES * DIGITS);
}

/// The quantile of the larger rank of a key; that of self-loops is behind the last.
#[inline(always)]
fn quantile_of_key(key: u64, cells: Shared<u64>, rank_bits: u32) -> u32 {
    if key == self_loop_key(rank_bits) {
        return QUANTILES;
    }
    let tail = (key >> rank_bits) as u32;
    let cell = cell_of(tail);
    quantile_of(tail, cell, cells.get(cell))
}
