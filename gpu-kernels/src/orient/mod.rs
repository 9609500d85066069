//! Every edge as a sort key, pointing from the higher rank to the lower.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread};

use crate::primitives::{block_clear_counts, block_flush_counts};
use warpwise_primitives::radix_sort::{WIDE_DIGIT_BITS, histogram_add};

/// Threads in a block.
pub const BLOCK: u32 = 512;

/// Bytes of shared memory for sorts of `passes` passes by digits of this many bits.
pub const fn shared_bytes(passes: u32, digit_bits: u32) -> u32 {
    (passes << digit_bits) * 4
}

/// The key of a self-loop: all bits set. No edge has it, since its ranks differ, and it sorts last.
#[inline(always)]
pub fn self_loop_key(rank_bits: u32) -> u64 {
    u64::MAX >> (64 - rank_bits * 2)
}

/// The key of an edge: the larger rank above the smaller, each `rank_bits` wide. If `by_id`, a vertex is its rank, and
/// `rank` is not read.
#[inline(always)]
pub fn key_of_edge(edge: u64, rank: In<u32>, rank_bits: u32, by_id: bool) -> u64 {
    let (u, v) = (edge as u32, (edge >> 32) as u32);
    if u == v {
        return self_loop_key(rank_bits);
    }
    let (mut a, mut b) = (u, v);
    if !by_id {
        a = rank.get(u64::from(u));
        b = rank.get(u64::from(v));
    }
    u64::from(a.max(b)) << rank_bits | u64::from(a.min(b))
}

kernel!(
    /// `keys[i]` = the key of edge `i` ([`key_of_edge`]; `by_id` is not 0 for true).
    ///
    /// Counts the digits of all passes of the sort, the first at bit `shift`, on the way, so that the sort
    /// need not read the keys for it: `histograms[(pass << digit_bits) + digit]`.
    #[requires(
        |shape| edges.len() >= m, keys.len() >= m, (1..=32).contains(&rank_bits), digit_bits <= WIDE_DIGIT_BITS,
        passes <= u64::BITS, histograms.len() >= u64::from(passes << digit_bits), shift < 64,
        shift + passes * digit_bits >= rank_bits * 2, shape.shared_bytes >= shared_bytes(passes, digit_bits),
    )]
    pub unsafe fn orient_edges(
        edges: In<u64>,
        rank: In<u32>,
        keys: InOut<u64>,
        histograms: InOut<u32>,
        m: u64,
        rank_bits: u32,
        shift: u32,
        passes: u32,
        digit_bits: u32,
        by_id: u32,
    ) {
        let all = passes << digit_bits;
        let counts = shared::array::<u32>(0, all);
        block_clear_counts(counts, all);

        for i in thread::of_grid(m) {
            let key = key_of_edge(edges.get(i), rank, rank_bits, by_id != 0);
            keys.set(i, key);
            histogram_add(counts, key >> shift, passes, digit_bits);
        }
        thread::sync_threads();
        block_flush_counts(counts, histograms, all);
    }
);
