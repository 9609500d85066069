//! [`row_bits`](crate::row_bits) with the places of what it finds.
//!
//! Of a triangle w < a < u, where a is the head of the block's item:
//!
//! | edge | its place | counted in |
//! | --- | --- | --- |
//! | u → a | the item's slot says | a register, summed over the lanes of the prefix |
//! | u → w | where the prefix is read | global memory at once, in 16 bits, four edges an addition |
//! | a → w | in a's row: the set bits before w's | a counter in shared memory, added when the item ends |

use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::shared::Shared;
use warpwise_device::{kernel, shared, thread, warp};

use crate::edge_groups::{ITEMS, NARROW_ALIGNMENT, SIZES, cursor_at, cursors_len};
use crate::primitives::{block_fill, block_ticket, position};

const ITEM_AT: u32 = 0;
const BITS_AT: u32 = 16;

/// Bytes of shared memory of a block.
pub const fn shared_bytes(exact: u32, filter_log2: u32, counters: u32) -> u32 {
    let words = words(exact + (1 << filter_log2));
    BITS_AT + (words + words + counters) * 4
}

/// 32-bit words of so many bits.
const fn words(bits: u32) -> u32 {
    bits.div_ceil(32)
}

kernel!(
    /// Adds to `support` and `thirds` the triangles that the grouped edges close. The arguments up to
    /// `ticket` and those after `thirds` are `row_bits`'s.
    ///
    /// `support` holds two edges a word, the earlier in the low half: both halves can be added to at
    /// once, since neither passes 2³². Entries of a row past its first `counters` are added to in
    /// global memory.
    ///
    /// `thirds` holds four edges a word, for u → w: as many triangles as there are vertices a between,
    /// which is less than u's row is long. Where a row is longer than 2¹⁶, `thirds` is empty and
    /// `support` takes these triangles too, two edges an addition.
    ///
    /// Launch with whole warps. A counter of an item is at most `chunk`.
    #[requires(
        |shape| filter_log2 <= 16, exact <= (1 << 16) - (1 << filter_log2), chunk > 0, chunk <= 1 << 15,
        lanes_log2 <= 5, sizes.len() >= SIZES, cursors.len() <= cursors_len(rows.len()),
        narrow.len() * NARROW_ALIGNMENT == narrow_heads.len(), !ticket.is_empty(),
        support.len() * 2 >= narrow_heads.len(), with_thirds == 0 || thirds.len() * 4 >= narrow_heads.len(),
        shape.shared_bytes >= shared_bytes(exact, filter_log2, counters),
    )]
    pub unsafe fn support_bits(
        narrow: In<U64x2>,
        narrow_heads: In<u16>,
        heads: In<u32>,
        rows: In<u64>,
        items: In<u64>,
        grouped: In<u64>,
        cursors: In<u32>,
        sizes: In<u32>,
        ticket: InOut<u32>,
        support: InOut<u64>,
        thirds: InOut<u64>,
        with_thirds: u32,
        exact: u32,
        filter_log2: u32,
        counters: u32,
        chunk: u32,
        lanes_log2: u32,
    ) {
        let thread = thread::thread_idx_x();
        let threads = thread::block_dim_x();
        let all_words = words(exact + (1 << filter_log2));
        let item_slot = shared::array::<u32>(ITEM_AT, 1);
        let table = Table {
            bits: shared::array::<u32>(BITS_AT, all_words),
            before: shared::array::<u32>(BITS_AT + all_words * 4, all_words),
            counts: shared::array::<u32>(BITS_AT + all_words * 8, counters),
            counters,
            exact,
        };
        let sums = Sums { support, thirds, with_thirds: with_thirds != 0 };
        let lane = thread & ((1 << lanes_log2) - 1);
        let group = (thread % warp::SIZE) >> lanes_log2;
        let groups_of_warp = warp::SIZE >> lanes_log2;
        let groups_of_block = threads >> lanes_log2;
        let count_of_items = sizes.get(ITEMS);

        block_fill(table.bits, all_words, 0);
        block_fill(table.counts, counters, 0);
        loop {
            let index = block_ticket(ticket, item_slot);
            if index >= count_of_items {
                break;
            }
            let item = items.get(u64::from(index));
            let head = (item >> 32) as u32;
            let first = item as u32;
            let end = cursors.get(cursor_at(head)).min(first.saturating_add(chunk));
            let row = rows.get(u64::from(head));
            let row = Row { heads, start: row as u32, end: (row >> 32) as u32 };
            for at in thread::strided(row.start + thread..row.end, threads) {
                let code = u32::from(narrow_heads.get(u64::from(at)));
                table.bits.atomic_or(code / 32, 1 << (code % 32));
                // The first of a word's entries writes how many entries stand before the word.
                let first_of_word = at == row.start
                    || u32::from(narrow_heads.get(u64::from(at - 1))) / 32 != code / 32;
                if code < exact && first_of_word {
                    table.before.set(code / 32, at - row.start);
                }
            }
            thread::sync_threads();

            // The warp goes round together: its lanes add up what they found.
            let begin = first + thread / warp::SIZE * groups_of_warp;
            for edge in thread::strided(begin..end, groups_of_block) {
                let mine = edge + group;
                let word = if mine < end { grouped.get(u64::from(mine)) } else { 0 };
                let mut count = if head <= exact {
                    stream::<true>(narrow, sums, table, row, word, lane, lanes_log2)
                } else {
                    stream::<false>(narrow, sums, table, row, word, lane, lanes_log2)
                };
                let mut distance = (1 << lanes_log2) / 2;
                while distance > 0 {
                    count += warp::warp_shuffle_xor(warp::ALL, count, distance);
                    distance /= 2;
                }
                if lane == 0 && count > 0 {
                    add(support, word as u32, count);
                }
            }
            thread::sync_threads();

            let row_len = row.end - row.start;
            for place in thread::strided(thread..row_len.min(counters), threads) {
                let count = table.counts.get(place);
                if count > 0 {
                    add(support, row.start + place, count);
                    table.counts.set(place, 0);
                }
            }
            // Word by word what could be set, or entry by entry what was: whichever is less.
            let used = if head < exact { words(head) } else { all_words };
            if row_len < used {
                for at in thread::strided(row.start + thread..row.end, threads) {
                    let code = u32::from(narrow_heads.get(u64::from(at)));
                    table.bits.atomic_and(code / 32, 0);
                }
            } else {
                block_fill(table.bits, used, 0);
            }
        }
    }
);

/// What a block keeps of its item's row.
#[derive(Clone, Copy)]
struct Table {
    bits: Shared<u32>,
    /// Entries of the row before the first of each word of `bits`, where that is below `exact`.
    before: Shared<u32>,
    /// Triangles on the row's first entries.
    counts: Shared<u32>,
    counters: u32,
    /// Ranks below have a bit of their own.
    exact: u32,
}

/// What triangles are added to.
#[derive(Clone, Copy)]
struct Sums {
    support: InOut<u64>,
    thirds: InOut<u64>,
    with_thirds: bool,
}

impl Sums {
    /// Adds a triangle to the edges of `hits` among the eight from `base` on.
    #[inline(always)]
    fn add_hits(self, base: u32, hits: u32) {
        if self.with_thirds {
            let low = spread_four(hits);
            if low != 0 {
                self.thirds.atomic_add(u64::from(base / 4), low);
            }
            let high = spread_four(hits >> 4);
            if high != 0 {
                self.thirds.atomic_add(u64::from(base / 4 + 1), high);
            }
        } else {
            for pair in 0..4 {
                let two = u64::from(hits >> (pair * 2) & 3);
                if two != 0 {
                    self.support.atomic_add(u64::from(base / 2 + pair), two & 1 | two >> 1 << 32);
                }
            }
        }
    }
}

/// The lowest four bits, each at the foot of 16.
#[inline(always)]
fn spread_four(bits: u32) -> u64 {
    let low = bits & 1 | (bits & 2) << 15;
    let high = bits >> 2 & 1 | (bits & 8) << 13;
    u64::from(high) << 32 | u64::from(low)
}

/// The row whose bits are set.
#[derive(Clone, Copy)]
struct Row {
    heads: In<u32>,
    start: u32,
    end: u32,
}

/// Adds to the support of the edge at `place`.
#[inline(always)]
fn add(support: InOut<u64>, place: u32, count: u32) {
    support.atomic_add(u64::from(place / 2), u64::from(count) << (place % 2 * 32));
}

/// Adds a triangle to the entry at `place` of the row.
#[inline(always)]
fn add_to_row(support: InOut<u64>, table: Table, row: Row, place: u32) {
    if place < table.counters {
        table.counts.atomic_add(place, 1);
    } else {
        add(support, row.start + place, 1);
    }
}

/// How many of this lane's share of a prefix are in `row`; their edges have been counted. `EXACT`:
/// every rank of the row has a bit of its own.
#[inline(always)]
fn stream<const EXACT: bool>(
    narrow: In<U64x2>,
    sums: Sums,
    table: Table,
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
    for read in thread::strided(start / 8 + lane..reads_end, 1 << lanes_log2) {
        let codes = narrow.get(u64::from(read)).0;
        let base = read * 8;
        // What stands before the prefix in the first read, and past it in the last.
        let before = start.saturating_sub(base);
        let past = 8 - (end - base).min(8);
        let inside: u32 = 0xff << before & 0xff >> past;
        let mut hits = 0u32;
        let mut filtered = 0u32;
        for k in 0..8 {
            let code = (codes[k / 4] >> (k % 4 * 16)) as u32 & 0xffff;
            let word = table.bits.get(code / 32);
            let bit = 1u32 << (code % 32);
            if word & bit != 0 && inside >> k & 1 == 1 {
                if EXACT || code < table.exact {
                    let place = table.before.get(code / 32) + (word & (bit - 1)).count_ones();
                    add_to_row(sums.support, table, row, place);
                    hits |= 1 << k;
                } else {
                    filtered |= 1 << k;
                }
            }
        }
        while !EXACT && filtered != 0 {
            let k = filtered.trailing_zeros();
            let vertex = row.heads.get(u64::from(base + k));
            if let Some(at) = position(row.heads, row.start, row.end, vertex) {
                add_to_row(sums.support, table, row, at - row.start);
                hits |= 1 << k;
            }
            filtered &= filtered - 1;
        }
        sums.add_hits(base, hits);
        count += hits.count_ones();
    }
    count
}

kernel!(
    /// Adds `thirds` to `support`, edge by edge.
    #[requires(thirds.len() >= m, support.len() >= m)]
    pub unsafe fn add_thirds(thirds: In<u16>, support: InOut<u32>, m: u64) {
        for i in thread::of_grid(m) {
            let count = u32::from(thirds.get(i));
            if count > 0 {
                support.set(i, support.get(i) + count);
            }
        }
    }
);
