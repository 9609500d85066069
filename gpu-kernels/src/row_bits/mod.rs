//! Row bits: all edges with one head against the bits of that head's row in shared memory.
//!
//! A block takes an item, up to a chunk of edges with the same head a, and sets the bits of a's row.
//! Groups of lanes then stream one prefix after another past the bits, eight 16-bit ranks a lane and
//! read. Every wedge is tested once, at one read of shared memory, and no two threads wait for one
//! another within an item.
//!
//! The lowest ranks, `exact` of them, have a bit each: for heads among them a set bit is a triangle.
//! The ranks above share what is left of 2¹⁶ bits, as a filter: a rank whose bit is set is looked up
//! in the row. Nearly all triangles of a skewed graph close at a low rank, and few look-ups are made.

use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::shared::Shared;
use warpwise_device::{kernel, shared, thread};

use crate::edge_groups::{ITEMS, NARROW_ALIGNMENT, SIZES, cursor_at, cursors_len, narrow_len};
use crate::forward::TOTALS;
use crate::primitives::{block_add_to, block_fill, block_ticket, position};

/// The bit of a word's first code: the others follow downwards.
const FIRST_BIT: u32 = 1 << 31;

const ITEM_AT: u32 = 0;
const BITS_AT: u32 = 16;

/// Bytes of shared memory of a block.
pub const fn shared_bytes(exact: u32, filter_log2: u32) -> u32 {
    BITS_AT + words(exact + (1 << filter_log2)) * 4
}

/// 32-bit words of so many bits.
const fn words(bits: u32) -> u32 {
    bits.div_ceil(32)
}

kernel!(
    /// Adds the triangles of the grouped edges to `totals`.
    ///
    /// `narrow` are the `prefixes` as `narrow_heads` has them for the same `exact` and `filter_log2`, eight to an
    /// element, and `narrow_heads` the `heads`. Prefixes are entries of the first array, and the rows of heads are
    /// entries of the second: of a whole graph both are the same. `items` and `sizes` are from `head_groups` for the same `chunk`, `grouped` and
    /// `cursors` from `place_edges`. `ticket` is one word, zero before. A prefix gets 2^`lanes_log2`
    /// lanes.
    ///
    /// Launch with whole warps.
    ///
    /// A thread counts fewer than 2³² triangles of an item. `chunk` is at most 2¹⁵. A prefix is shorter than 2²¹ for m < 2⁴⁰ edges,
    /// since in the order of degrees no row is longer than √(2m) or an eighth more. And 32 threads or more share both. The sum of all is the number of triangles, below 2⁶² (`merge_wide` says why).
    #[requires(
        |shape| filter_log2 <= 16, exact <= (1 << 16) - (1 << filter_log2), chunk > 0, chunk <= 1 << 15,
        lanes_log2 <= 5, sizes.len() >= SIZES, cursors.len() <= cursors_len(rows.len()),
        narrow.len() * NARROW_ALIGNMENT <= narrow_len(prefixes.len()), narrow_heads.len() <= narrow_len(heads.len()),
        !ticket.is_empty(), totals.len() >= TOTALS, shape.shared_bytes >= shared_bytes(exact, filter_log2),
    )]
    pub unsafe fn row_bits(
        narrow: In<U64x2>,
        prefixes: In<u32>,
        narrow_heads: In<u16>,
        heads: In<u32>,
        rows: In<u64>,
        items: In<u64>,
        grouped: In<u64>,
        cursors: In<u32>,
        sizes: In<u32>,
        ticket: InOut<u32>,
        totals: InOut<u64>,
        exact: u32,
        filter_log2: u32,
        chunk: u32,
        lanes_log2: u32,
    ) {
        let thread = thread::thread_idx_x();
        let threads = thread::block_dim_x();
        let all_words = words(exact + (1 << filter_log2));
        let item_slot = shared::array::<u32>(ITEM_AT, 1);
        let bits = shared::array::<u32>(BITS_AT, all_words);
        let lane = thread & ((1 << lanes_log2) - 1);
        let group = thread >> lanes_log2;
        let lane_groups = threads >> lanes_log2;
        let count_of_items = sizes.get(ITEMS);

        // Whole once: tests of what stands beside a prefix read any word, and are not counted.
        block_fill(bits, all_words, 0);
        let mut count = 0;
        loop {
            let index = block_ticket(ticket, item_slot);
            if index >= count_of_items {
                break;
            }
            let item = items.get(u64::from(index));
            let head = (item >> 32) as u32;
            let first = item as u32;
            let end = cursors.get(cursor_at(head)).min(first.saturating_add(chunk));
            if first >= end {
                // No edge took a slot of this item. Nobody writes the next item before all have read this.
                thread::sync_threads();
                continue;
            }
            let row = rows.get(u64::from(head));
            let row = Row { prefixes, heads, start: row as u32, end: (row >> 32) as u32, exact };
            for at in thread::strided(row.start + thread..row.end, threads) {
                let code = u32::from(narrow_heads.get(u64::from(at)));
                bits.atomic_or(code / 32, FIRST_BIT >> (code % 32));
            }
            thread::sync_threads();

            let mut edge = first + group;
            let mut in_item = 0;
            if head <= exact {
                while edge < end {
                    let word = grouped.get(u64::from(edge));
                    in_item += stream::<true>(narrow, bits, row, word, lane, lanes_log2);
                    edge += lane_groups;
                }
            } else {
                while edge < end {
                    let word = grouped.get(u64::from(edge));
                    in_item += stream::<false>(narrow, bits, row, word, lane, lanes_log2);
                    edge += lane_groups;
                }
            }
            count += u64::from(in_item);
            thread::sync_threads();

            // Word by word what could be set, or entry by entry what was: whichever is less.
            let used = if head < exact { words(head) } else { all_words };
            if row.end - row.start < used {
                for at in thread::strided(row.start + thread..row.end, threads) {
                    bits.atomic_and(u32::from(narrow_heads.get(u64::from(at))) / 32, 0);
                }
            } else {
                block_fill(bits, used, 0);
            }
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

/// The row whose bits are set.
#[derive(Clone, Copy)]
struct Row {
    /// What is looked up in it.
    prefixes: In<u32>,
    heads: In<u32>,
    start: u32,
    end: u32,
    /// Ranks below have a bit of their own.
    exact: u32,
}

/// How many of this lane's share of a prefix are in `row`. `EXACT`: every rank of the row has a bit of
/// its own.
#[inline(always)]
fn stream<const EXACT: bool>(
    narrow: In<U64x2>,
    bits: Shared<u32>,
    row: Row,
    edge: u64,
    lane: u32,
    lanes_log2: u32,
) -> u32 {
    let end = edge as u32;
    let start = end - (edge >> 32) as u32;
    // In reads of eight: the first of the prefix's that this lane makes, and one past its last.
    let reads_end = end.div_ceil(8);
    let mut count = 0;
    let mut read = start / 8 + lane;
    while read < reads_end {
        let codes = narrow.get(u64::from(read)).0;
        let base = read * 8;
        // What stands before the prefix in the first read, and past it in the last.
        let before = start.saturating_sub(base);
        let past = 8 - (end - base).min(8);
        let inside = 0xff << before & 0xff >> past;
        let hits = test_eight(bits, codes) & inside;
        count += hits.count_ones();
        if !EXACT && hits != 0 {
            let mut filtered =
                hits & (above_four(codes[0], row.exact) | above_four(codes[1], row.exact) << 4);
            while filtered != 0 {
                let vertex = row.prefixes.get(u64::from(base + filtered.trailing_zeros()));
                if position(row.heads, row.start, row.end, vertex).is_none() {
                    count -= 1;
                }
                filtered &= filtered - 1;
            }
        }
        read += 1 << lanes_log2;
    }
    count
}

/// Bit k: whether the k-th of eight codes is set.
#[inline(always)]
fn test_eight(bits: Shared<u32>, codes: [u64; 2]) -> u32 {
    let (first, second) = (codes[0] as u32, (codes[0] >> 32) as u32);
    let (third, fourth) = (codes[1] as u32, (codes[1] >> 32) as u32);
    // The last first: every test shifts those before it up.
    let hits = test_two(bits, fourth, 0);
    let hits = test_two(bits, third, hits);
    let hits = test_two(bits, second, hits);
    test_two(bits, first, hits)
}

/// Shifts `hits` up by two, and in whether the high and the low of two codes are set.
#[inline(always)]
fn test_two(bits: Shared<u32>, codes: u32, hits: u32) -> u32 {
    test(bits, codes, test(bits, codes >> 16, hits))
}

/// Shifts `hits` up, and in whether the code in the low half of `codes` is set: the rotation brings its
/// bit to the top, and both shifts over 64 bits are one instruction each.
#[inline(always)]
fn test(bits: Shared<u32>, codes: u32, hits: u32) -> u32 {
    let word = bits.get(codes / 32 % (1 << 11)).rotate_left(codes % 32);
    hits << 1 | word >> 31
}

/// Bit k: whether the k-th of four codes is `exact` or above, a filter's.
#[inline(always)]
fn above_four(codes: u64, exact: u32) -> u32 {
    let (low, high) = (codes as u32, (codes >> 32) as u32);
    u32::from((low & 0xffff) >= exact)
        | u32::from((low >> 16) >= exact) << 1
        | u32::from((high & 0xffff) >= exact) << 2
        | u32::from((high >> 16) >= exact) << 3
}
