//! Row bits: all edges with one head against the bits of that head's row in shared memory.
//!
//! A block takes an item, up to a chunk of edges with the same head a, and sets the bits of a's row,
//! a bits long. Groups of lanes then stream one prefix after another past the bits, eight 16-bit
//! ranks a lane and read. Every wedge is tested once, at one read of shared memory; nothing is
//! searched and no two threads wait for one another within an item.

use tribin_device::memory::{In, InOut, U64x2};
use tribin_device::shared::Shared;
use tribin_device::{kernel, shared, thread};

use crate::edge_groups::{ITEMS, MOST_RANKS, NARROW_ALIGNMENT, SIZES};
use crate::forward::TOTALS;
use crate::primitives::block_add_to;

const ITEM_AT: u32 = 0;
const BITS_AT: u32 = 16;

/// Bytes of shared memory of a block, for heads below `ranks`.
pub const fn shared_bytes(ranks: u32) -> u32 {
    BITS_AT + words(ranks) * 4
}

/// 32-bit words of the bits of `ranks` ranks.
const fn words(ranks: u32) -> u32 {
    ranks.div_ceil(32)
}

kernel! {
    /// Adds the triangles of the grouped edges to `totals`.
    ///
    /// `narrow` are the 16-bit heads of `head_edges`, eight to an element; `groups`, `items` and
    /// `sizes` are from `head_groups` for the same `ranks` and `chunk`, `grouped` from `group_edges`.
    /// `ticket` is one word, zero before. A prefix gets 2^`lanes_log2` lanes.
    ///
    /// Launch with whole warps.
    ///
    /// A thread tests fewer than 2³² ranks of an item: 2¹⁶ of each of at most `chunk` edges, and
    /// `chunk` is at most 2¹⁵. The sum of all is the number of triangles, below 2⁴⁷
    /// (`forward_merge` says why).
    pub fn row_bits(
        narrow: In<U64x2>, narrow_heads: In<u16>, rows: In<u64>, groups: In<u64>, items: In<u64>,
        grouped: In<u64>, sizes: In<u32>, ticket: InOut<u32>, totals: InOut<u64>,
        ranks: u32, chunk: u32, lanes_log2: u32
    )
    requires {
        ranks > 0, ranks <= MOST_RANKS, chunk > 0, chunk <= 1 << 15, lanes_log2 <= 5,
        sizes.len() >= SIZES, rows.len() >= groups.len(), groups.len() <= u64::from(ranks),
        narrow.len() * NARROW_ALIGNMENT == narrow_heads.len(), !ticket.is_empty(),
        totals.len() >= TOTALS,
    }
    {
        let thread = thread::thread_idx_x();
        let threads = thread::block_dim_x();
        let item_slot = shared::array::<u32>(ITEM_AT, 1);
        let bits = shared::array::<u32>(BITS_AT, words(ranks));
        let lane = thread & ((1 << lanes_log2) - 1);
        let group = thread >> lanes_log2;
        let lane_groups = threads >> lanes_log2;
        let count_of_items = sizes.get(ITEMS);

        // Whole once: tests of what stands beside a prefix read any word, and are not counted.
        let mut word = thread;
        while word < words(ranks) {
            bits.set(word, 0);
            word += threads;
        }
        let mut count = 0;
        loop {
            if thread == 0 {
                item_slot.set(0, ticket.atomic_add(0, 1));
            }
            thread::sync_threads();
            let index = item_slot.get(0);
            if index >= count_of_items {
                break;
            }
            let item = items.get(u64::from(index));
            let head = item >> 32;
            let group_range = groups.get(head);
            let first = group_range as u32 + item as u32 * chunk;
            let end = ((group_range >> 32) as u32).min(first.saturating_add(chunk));
            let row = rows.get(head);
            let (row_start, row_end) = (row as u32, (row >> 32) as u32);
            let mut at = row_start + thread;
            while at < row_end {
                let rank = u32::from(narrow_heads.get(u64::from(at)));
                bits.atomic_or(rank / 32, 1 << (rank % 32));
                at += threads;
            }
            thread::sync_threads();

            let mut edge = first + group;
            let mut shared_in_item = 0;
            while edge < end {
                let word = grouped.get(u64::from(edge));
                shared_in_item += stream(narrow, bits, word, lane, lanes_log2);
                edge += lane_groups;
            }
            count += u64::from(shared_in_item);
            thread::sync_threads();
            // Only what this head could set.
            let mut word = thread;
            while word < words(head as u32) {
                bits.set(word, 0);
                word += threads;
            }
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
}

/// How many of this lane's share of a prefix are set in `bits`.
#[inline(always)]
unsafe fn stream(
    narrow: In<U64x2>,
    bits: Shared<u32>,
    edge: u64,
    lane: u32,
    lanes_log2: u32,
) -> u32 {
    let end = edge as u32;
    let start = end - (edge >> 32) as u32;
    // In reads of eight: the first of the prefix's that this lane makes, and one past its last.
    let mut read = start / 8 + lane;
    let reads_end = end.div_ceil(8);
    let mut shared = 0;
    while read < reads_end {
        let ranks = narrow.get(u64::from(read)).0;
        let hits = test_four(bits, ranks[0]) | test_four(bits, ranks[1]) << 4;
        let base = read * 8;
        // What stands before the prefix in the first read, and past it in the last.
        let before = start.saturating_sub(base);
        let past = 8 - (end - base).min(8);
        let inside = 0xff << before & 0xff >> past;
        shared += (hits & inside).count_ones();
        read += 1 << lanes_log2;
    }
    shared
}

/// Bit k: whether the k-th of four 16-bit ranks is set.
#[inline(always)]
unsafe fn test_four(bits: Shared<u32>, ranks: u64) -> u32 {
    let (low, high) = (ranks as u32, (ranks >> 32) as u32);
    test(bits, low & 0xffff)
        | test(bits, low >> 16) << 1
        | test(bits, high & 0xffff) << 2
        | test(bits, high >> 16) << 3
}

#[inline(always)]
unsafe fn test(bits: Shared<u32>, rank: u32) -> u32 {
    bits.get(rank / 32) >> (rank % 32) & 1
}
