//! The undirected graph as the paper's adjacency list has it: every edge twice, from either end.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread};

use crate::orient::self_loop_key;
use crate::primitives::{block_add_to, block_clear_counts, block_flush_counts};
use warpwise_primitives::radix_sort::{DIGIT_BITS, DIGITS, histogram_add};

/// Threads in a block.
pub const BLOCK: u32 = 512;

/// Bytes of shared memory for sorts of `passes` passes.
pub const fn shared_bytes(passes: u32) -> u32 {
    passes * DIGITS * 4
}

kernel!(
    /// `keys[2i]` and `keys[2i + 1]` = the two directions of edge `i`, the tail above the head, each
    /// `vertex_bits` wide. A self-loop becomes two keys with all bits set, which no edge has, and
    /// `loops[0]` counts it.
    ///
    /// Counts the digits of all passes of the sort on the way: `histograms[pass * 256 + digit]`.
    #[requires(
        |shape| edges.len() >= m, m < 1 << 31, keys.len() >= 2 * m, vertex_bits <= 32, !loops.is_empty(),
        histograms.len() >= u64::from(passes * DIGITS), passes * 8 >= vertex_bits * 2,
        shape.shared_bytes >= shared_bytes(passes),
    )]
    pub unsafe fn both_directions(
        edges: In<u64>,
        keys: InOut<u64>,
        histograms: InOut<u32>,
        loops: InOut<u64>,
        m: u64,
        vertex_bits: u32,
        passes: u32,
    ) {
        let counts = shared::array::<u32>(0, passes * DIGITS);
        block_clear_counts(counts, passes * DIGITS);

        let mut own_loops = 0;
        // A thread a key: neighbouring lanes write neighbouring words.
        for i in thread::of_grid(2 * m) {
            let edge = edges.get(i / 2);
            let (u, v) = (edge as u32, (edge >> 32) as u32);
            let (tail, head) = if i.is_multiple_of(2) { (u, v) } else { (v, u) };
            let key = if u == v {
                own_loops += i % 2;
                self_loop_key(vertex_bits)
            } else {
                u64::from(tail) << vertex_bits | u64::from(head)
            };
            keys.set(i, key);
            histogram_add(counts, key, passes, DIGIT_BITS);
        }
        thread::sync_threads();
        block_flush_counts(counts, histograms, passes * DIGITS);
        block_add_to(loops, 0, own_loops);
    }
);
