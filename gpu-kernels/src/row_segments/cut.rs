use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::shared::{self, Shared};
use warpwise_device::{kernel, thread, warp};

use super::WIDTH;
use crate::primitives::{
    Oriented, Scanned, block_scan_exclusive, block_scan_max_exclusive, row_of,
};

/// Threads in a block of [`row_segments`].
pub const BLOCK: u32 = 128;

/// Entries of a thread, which stand side by side.
const ITEMS: u32 = 8;

/// Entries of a block.
pub const TILE: u32 = BLOCK * ITEMS;

const SEGMENTS_AT: u32 = 0;
const PLACES_AT: u32 = SEGMENTS_AT + TILE * 8;
const SUMS_AT: u32 = PLACES_AT + TILE * 4;

/// Bytes of shared memory of a block of [`row_segments`].
pub const CUT_SHARED_BYTES: u32 = SUMS_AT + BLOCK / warp::SIZE * 4;

kernel!(
    /// Writes the segments of all rows to `segments`, each row's from its first entry's place on. `segment_rows` gets the first
    /// place of a row in the low half and one past the last in the high half. Nothing is written there for an empty row.
    /// Behind a row's segments stands another word, of any content. `tail_quads` and
    /// `head_quads` are the ends, four to an element. A block for each [`TILE`] of the `m` edges.
    ///
    /// An entry that is in a segment with the one before it is joined to it. So a segment stands as many places before its first
    /// entry as there are joined entries before that in the row. A block counts its own, and those that its first row has before
    /// them: for a row of L entries, L² / 2 [`TILE`] reads. A segment belongs to the block of its first entry. It is made in shared
    /// memory, so that threads side by side write words that stand side by side.
    #[requires(
        |shape| m > 0, m < 1 << 32, graph.tails.len() >= m, graph.heads.len() >= m, tail_quads.len() >= m / 4,
        head_quads.len() >= m / 4, segment_rows.len() >= graph.rows.len(), segments.len() > m, shape.block.x == BLOCK,
        shape.shared_bytes >= CUT_SHARED_BYTES,
    )]
    pub unsafe fn row_segments(
        graph: Oriented,
        tail_quads: In<U64x2>,
        head_quads: In<U64x2>,
        segments: InOut<u64>,
        segment_rows: InOut<u64>,
        m: u64,
    ) {
        let Oriented { tails, heads, rows } = graph;
        let thread = thread::thread_idx_x();
        let words = shared::array::<u32>(SEGMENTS_AT, 2 * TILE);
        let places = shared::array::<u32>(PLACES_AT, TILE);
        let sums = shared::array::<u32>(SUMS_AT, BLOCK / warp::SIZE);
        let m = m as u32;
        let tile = thread::block_idx_x() * TILE;
        let tile_len = (m - tile).min(TILE);
        let own = tile_len.saturating_sub(thread * ITEMS).min(ITEMS);
        let first = tile.wrapping_add(thread * ITEMS);
        let tail = ends_of(tails, tail_quads, first, own);
        let head = ends_of(heads, head_quads, first, own);
        for at in thread::strided(thread..TILE, BLOCK) {
            words.set(2 * at + 1, 0);
        }

        // A bit for each entry: whether its row begins with it, and whether its segment does.
        let (mut begins_row, mut begins_segment) = (0u32, 0u32);
        let mut before = [tail[7], head[7]].map(|end| warp::warp_shuffle_up(warp::ALL, end, 1));
        if warp::lane_id() == 0 && own > 0 && first > 0 {
            before = [tails, heads].map(|ends| ends.get(u64::from(first - 1)));
        }
        for k in 0..ITEMS as usize {
            let row = tail[k] != before[0] || first + k as u32 == 0;
            let segment = row || head[k] / WIDTH != before[1] / WIDTH;
            begins_row |= u32::from(row) << k;
            begins_segment |= u32::from(segment) << k;
            before = [tail[k], head[k]];
        }
        let all = (1 << own) - 1;
        begins_row &= all;
        let joins = all & !begins_segment;

        // Joined entries before this thread's: of the block's first row from its start on, of others in the block.
        let before_tile = joined_before(graph, sums, tile);
        let Scanned { before: joined_in_tile, all: all_joined } =
            block_scan_exclusive(sums, joins.count_ones());
        let mut joined = before_tile + joined_in_tile;
        let last_row = u32::BITS - 1 - (begins_row | 1).leading_zeros();
        let at_last_row = joined + (joins & ((1 << last_row) - 1)).count_ones();
        let own_row = if begins_row != 0 { at_last_row } else { 0 };
        // The same before the row that this thread's first entry is in: 0 where that is the block's first.
        let mut at_row = block_scan_max_exclusive(sums, own_row);

        let mut behind = warp::warp_shuffle_down(warp::ALL, tail[0], 1);
        if warp::lane_id() == warp::SIZE - 1 && own == ITEMS && m - first > ITEMS {
            behind = tails.get(u64::from(first + ITEMS));
        }
        // Segments of the block up to the one at hand: with none, it belongs to the block before.
        let mut number = thread * ITEMS - joined_in_tile;
        let mut bits = 0u32;
        for k in 0..ITEMS as usize {
            if k < own as usize {
                let place = first + k as u32;
                if begins_row >> k & 1 != 0 {
                    at_row = joined;
                }
                if joins >> k & 1 != 0 {
                    joined += 1;
                } else {
                    add_bits(words, number, bits);
                    bits = 0;
                    words.set(2 * number, head[k] / WIDTH);
                    places.set(number, place - (joined - at_row));
                    number += 1;
                }
                bits |= 1 << (head[k] % WIDTH);
                let next = if k + 1 < ITEMS as usize { tail[k + 1] } else { behind };
                if next != tail[k] || place + 1 == m {
                    let start = row_of(rows, tail[k]).start;
                    let end = place + 1 - (joined - at_row);
                    segment_rows.set(u64::from(tail[k]), u64::from(end) << 32 | u64::from(start));
                    // The next row's begins there otherwise.
                    if end <= place || end == m {
                        segments.set(u64::from(end), 0);
                    }
                }
            }
        }
        add_bits(words, number, bits);
        // The last segment may have entries behind the block's.
        let in_tile = tile_len - all_joined;
        let last = tile + (tile_len - 1);
        if thread < WIDTH && m - last > thread + 1 {
            let [of_last, here] = [last, last + 1 + thread].map(|place| {
                let place = u64::from(place);
                [tails.get(place), heads.get(place)]
            });
            if here[0] == of_last[0] && here[1] / WIDTH == of_last[1] / WIDTH {
                add_bits(words, in_tile, 1 << (here[1] % WIDTH));
            }
        }
        thread::sync_threads();
        for at in thread::strided(thread..in_tile, BLOCK) {
            let [number, bits] = [2 * at, 2 * at + 1].map(|word| u64::from(words.get(word)));
            segments.set(u64::from(places.get(at)), bits << 32 | number);
        }
    }
);

/// Ends of the edges at `own` places from `first` on, which eight ends begin at.
#[inline(always)]
fn ends_of(ends: In<u32>, quads: In<U64x2>, first: u32, own: u32) -> [u32; ITEMS as usize] {
    let mut eight = [0; ITEMS as usize];
    if own == ITEMS {
        for k in 0..ITEMS as usize / 4 {
            let [low, high] = quads.get(u64::from(first) / 4 + k as u64).0;
            eight[4 * k] = low as u32;
            eight[4 * k + 1] = (low >> 32) as u32;
            eight[4 * k + 2] = high as u32;
            eight[4 * k + 3] = (high >> 32) as u32;
        }
    } else {
        for k in 0..ITEMS as usize {
            if k < own as usize {
                eight[k] = ends.get(u64::from(first) + k as u64);
            }
        }
    }
    eight
}

/// Adds bits to the segment that is the `number`-th of the block, where it is one of its.
#[inline(always)]
fn add_bits(words: Shared<u32>, number: u32, bits: u32) {
    if number > 0 && bits != 0 {
        words.atomic_or(2 * number - 1, bits);
    }
}

/// How many entries before place `tile` are joined to the one before, in the row that goes on there. All threads of the block call
/// it. `sums` has an element a warp.
#[inline(always)]
fn joined_before(graph: Oriented, sums: Shared<u32>, tile: u32) -> u32 {
    let Oriented { tails, heads, rows } = graph;
    let start = row_of(rows, tails.get(u64::from(tile))).start;
    if start == tile {
        return 0;
    }
    let mut joined = 0;
    for place in thread::strided(start + 1 + thread::thread_idx_x()..tile, BLOCK) {
        let [before, here] = [place - 1, place].map(|place| heads.get(u64::from(place)) / WIDTH);
        joined += u32::from(before == here);
    }
    block_scan_exclusive(sums, joined).all
}
