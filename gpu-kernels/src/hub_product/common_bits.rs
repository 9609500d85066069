use core::ops::Range;

use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::{kernel, shared, thread};

use super::{READ, bit_words, is_matrix};
use crate::forward::TOTALS;
use crate::primitives::{block_add_to, row_of};

/// Bytes of shared memory of a block: a row.
pub const fn common_bits_shared_bytes(hubs: u32) -> u32 {
    hubs / 8
}

kernel!(
    /// Adds the triangles among the hubs whose largest rank is `first`, `first + step`, … to `totals`: a block
    /// takes a row u of `bits`, and 2^`lanes_log2` lanes read the row of each of its heads a, up to bit a.
    ///
    /// `rows` are the rows of `heads`. Launch with a block for each of these hubs, whole warps, and
    /// [`common_bits_shared_bytes`].
    #[requires(
        |shape| is_matrix(hubs), bits.len() * 4 >= bit_words(hubs), lanes_log2 <= 5, totals.len() >= TOTALS,
        rows.len() >= u64::from(ranks), u64::from(first) + u64::from(hubs) * u64::from(step) < 1 << 32,
        shape.shared_bytes >= common_bits_shared_bytes(hubs),
    )]
    pub unsafe fn hub_common_bits(
        bits: In<U64x2>,
        heads: In<u32>,
        rows: In<u64>,
        totals: InOut<u64>,
        ranks: u32,
        hubs: u32,
        first: u32,
        step: u32,
        lanes_log2: u32,
    ) {
        let thread = thread::thread_idx_x();
        let threads = thread::block_dim_x();
        let row_reads = hubs / READ;
        let own = shared::array::<u64>(0, row_reads * 2);
        let lane = thread & ((1 << lanes_log2) - 1);
        let mut count = 0;
        let hub = first + thread::block_idx_x() * step;
        if hub < hubs.min(ranks) {
            let Range { start, end } = row_of(rows, hub);
            for read in thread::strided(thread..row_reads, threads) {
                let words = bits.get(u64::from(hub) * u64::from(row_reads) + u64::from(read)).0;
                own.set(2 * read, words[0]);
                own.set(2 * read + 1, words[1]);
            }
            thread::sync_threads();
            let mut edge = start + (thread >> lanes_log2);
            // The next edge's head is read before this one's row.
            let head_at = |edge: u32| if edge < end { heads.get(u64::from(edge)) } else { 0 };
            let mut next_head = head_at(edge);
            while edge < end {
                let head = next_head;
                next_head = head_at(edge + (threads >> lanes_log2));
                let reads = head.div_ceil(READ);
                let first = u64::from(head) * u64::from(row_reads);
                let mut of_edge = 0;
                for read in thread::strided(lane..reads, 1 << lanes_log2) {
                    let words = bits.get(first + u64::from(read)).0;
                    of_edge += (words[0] & own.get(2 * read)).count_ones()
                        + (words[1] & own.get(2 * read + 1)).count_ones();
                }
                count += u64::from(of_edge);
                edge += threads >> lanes_log2;
            }
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);
