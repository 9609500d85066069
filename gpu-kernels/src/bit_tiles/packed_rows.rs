use core::ops::Range;
use warpwise_device::memory::{In, InOut};

use warpwise_device::shared::{self, Shared};
use warpwise_device::{kernel, thread};

use super::{MOST_PACKED, TABLE_SLOTS, TILE_EDGES, common, is_wide};
use crate::forward::TOTALS;
use crate::primitives::{block_add_to, lower_bound, partition_point};

/// Segments of a tile at most: its edges', and those of the two rows that it has a part of.
const MOST_SEGMENTS: u32 = TILE_EDGES + 2 * MOST_PACKED;

/// Bytes of shared memory of a block.
pub const PACKED_SHARED_BYTES: u32 = IDS_AT + MOST_SEGMENTS * 4;

/// Where the numbers of segments stand, behind the words.
const IDS_AT: u32 = MOST_SEGMENTS * 8;

/// How many segments of a tail's row are looked up in a head's row, one by one in device memory, for
/// the price of one of the head's looked up in the tile.
const LOOKUP_COST: u32 = 8;

kernel!(
    /// Adds the triangles of the edges of all rows without tiles of their own to `totals`.
    ///
    /// The parameters are those of [`count_wide_rows`](super::count_wide_rows).
    ///
    /// Launch with whole warps and [`PACKED_SHARED_BYTES`].
    #[requires(m < 1 << 32, tails.len() >= m, heads.len() >= m, lanes_log2 <= 5, totals.len() >= TOTALS, wide_from > 0, words.len() >= ids.len())]
    pub unsafe fn count_packed_rows(
        tails: In<u32>,
        heads: In<u32>,
        ids: In<u32>,
        words: In<u64>,
        segment_rows: In<u64>,
        totals: InOut<u64>,
        m: u64,
        wide_from: u32,
        lanes_log2: u32,
    ) {
        let matrix = Matrix { tails, heads, ids, words, segment_rows };
        let tile = Tile {
            words: shared::array::<u64>(0, MOST_SEGMENTS),
            ids: shared::array::<u32>(IDS_AT, MOST_SEGMENTS),
        };
        let mut count = 0;
        let begin = u64::from(thread::block_idx_x()) * u64::from(TILE_EDGES);
        let step = u64::from(thread::grid_dim_x()) * u64::from(TILE_EDGES);
        for first in thread::strided(begin..m, step) {
            let end = (first + u64::from(TILE_EDGES)).min(m) as u32;
            count += count_tile(matrix, tile, first as u32, end, wide_from, lanes_log2);
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

/// The edges, and the same as bits.
#[derive(Clone, Copy)]
struct Matrix {
    tails: In<u32>,
    heads: In<u32>,
    ids: In<u32>,
    words: In<u64>,
    segment_rows: In<u64>,
}

/// Segments in shared memory.
#[derive(Clone, Copy)]
struct Tile {
    words: Shared<u64>,
    ids: Shared<u32>,
}

/// This lane's share of the triangles of the edges at `first` up to `end`; the whole block calls it.
#[inline(always)]
fn count_tile(
    matrix: Matrix,
    tile: Tile,
    first: u32,
    end: u32,
    wide_from: u32,
    lanes_log2: u32,
) -> u64 {
    let Matrix { tails, heads, ids, words, segment_rows, .. } = matrix;
    let thread = thread::thread_idx_x();
    let threads = thread::block_dim_x();
    // From the first segment of the first narrow row to the last of the last: a wide row is not wanted
    // at the ends, and between them it has no more segments than the tile has edges.
    let first_tail = tails.get(u64::from(first));
    let last_tail = tails.get(u64::from(end - 1));
    let Range { start: mut base, end: after_first } =
        segments_of(segment_rows.get(u64::from(first_tail)));
    let Range { start: before_last, end: mut stage_end } =
        segments_of(segment_rows.get(u64::from(last_tail)));
    let is_wide = |start, end| is_wide(ids, start, end, wide_from, TABLE_SLOTS);
    if is_wide(base, after_first) {
        base = after_first;
    }
    if is_wide(before_last, stage_end) {
        stage_end = before_last;
    }
    for at in thread::strided(base + thread..stage_end, threads) {
        tile.ids.set(at - base, ids.get(u64::from(at)));
        tile.words.set(at - base, words.get(u64::from(at)));
    }
    thread::sync_threads();
    let lane = thread & ((1 << lanes_log2) - 1);
    let mut count = 0;
    for edge in thread::strided(first + (thread >> lanes_log2)..end, threads >> lanes_log2) {
        let tail = tails.get(u64::from(edge));
        let own = segments_of(segment_rows.get(u64::from(tail)));
        if !is_wide(own.start, own.end) {
            let head = heads.get(u64::from(edge));
            let other = segments_of(segment_rows.get(u64::from(head)));
            let own_segments = own.end - own.start;
            let of_edge = if own_segments.saturating_mul(LOOKUP_COST) < other.end - other.start {
                let own = own.start - base..own.end - base;
                look_up_own(matrix, tile, own, other, lane, lanes_log2)
            } else {
                let own = own.start - base..own.end - base;
                look_up_other(matrix, tile, own, other, lane, lanes_log2)
            };
            count += u64::from(of_edge);
        }
    }
    // Before the next tile stands where this one does.
    thread::sync_threads();
    count
}

/// The places of a row's segments, from their word.
#[inline(always)]
fn segments_of(word: u64) -> Range<u32> {
    word as u32..(word >> 32) as u32
}

/// The common bits that this lane finds as it looks the tile's segments `own` up in the row `other`.
#[inline(always)]
fn look_up_own(
    matrix: Matrix,
    tile: Tile,
    own: Range<u32>,
    other: Range<u32>,
    lane: u32,
    lanes_log2: u32,
) -> u32 {
    let mut from = other.start;
    let mut count = 0;
    for slot in thread::strided(own.start + lane..own.end, 1 << lanes_log2) {
        let id = tile.ids.get(slot);
        from = lower_bound(matrix.ids, from, other.end, id);
        // What is past the end of the row is nothing for later segments either.
        if from == other.end {
            break;
        }
        if matrix.ids.get(u64::from(from)) == id {
            count += common(matrix.words.get(u64::from(from)), tile.words.get(slot));
        }
    }
    count
}

/// The common bits that this lane finds as it looks the segments of the row `other` up in the tile's
/// segments `own`.
#[inline(always)]
fn look_up_other(
    matrix: Matrix,
    tile: Tile,
    own: Range<u32>,
    other: Range<u32>,
    lane: u32,
    lanes_log2: u32,
) -> u32 {
    let mut from = own.start;
    let mut count = 0;
    for at in thread::strided(other.start + lane..other.end, 1 << lanes_log2) {
        let id = matrix.ids.get(u64::from(at));
        from = partition_point(from, own.end, |slot| tile.ids.get(slot) < id);
        if from == own.end {
            break;
        }
        if tile.ids.get(from) == id {
            count += common(matrix.words.get(u64::from(at)), tile.words.get(from));
        }
    }
    count
}
