use warpwise_device::memory::{In, InOut};
use warpwise_device::shared::{self, Shared};
use warpwise_device::{kernel, thread};

use super::{COLUMNS, TABLE_SLOTS, common};
use crate::forward::TOTALS;
use crate::primitives::{block_add_to, block_fill, block_ticket, lower_bound};

const ROW_SLOT_AT: u32 = 0;
const TABLE_AT: u32 = 16;

/// Bytes of shared memory of a block.
pub const WIDE_SHARED_BYTES: u32 = TABLE_AT + TABLE_SLOTS * 8;

kernel!(
    /// Adds the triangles of the edges of the rows in `wide` to `totals`.
    ///
    /// `rows` are the rows of `heads`; `ids`, `words` and `segment_rows` are of
    /// `bit_segments`, `wide` and `count` of `list_wide_rows`. `ticket` is one word, zero
    /// before. An edge gets 2^`lanes_log2` lanes.
    ///
    /// Launch with whole warps and `WIDE_SHARED_BYTES`. The sum of all is the number of
    /// triangles, below 2⁴⁷ (`forward_merge` says why).
    #[requires(lanes_log2 <= 5, segment_rows.len() >= rows.len(), !count.is_empty(), !ticket.is_empty(), totals.len() >= TOTALS, words.len() >= ids.len())]
    pub unsafe fn count_wide_rows(
        heads: In<u32>,
        rows: In<u64>,
        ids: In<u32>,
        words: In<u64>,
        segment_rows: In<u64>,
        wide: In<u32>,
        count: In<u32>,
        ticket: InOut<u32>,
        totals: InOut<u64>,
        lanes_log2: u32,
    ) {
        let matrix = Matrix { heads, rows, ids, words, segment_rows };
        count_rows(matrix, wide, count.get(0), ticket, totals, lanes_log2);
    }
);

/// The edges, and the same as bits.
#[derive(Clone, Copy)]
struct Matrix {
    heads: In<u32>,
    rows: In<u64>,
    ids: In<u32>,
    words: In<u64>,
    segment_rows: In<u64>,
}

/// A tile spans as many segments as the table has slots, from the row's first that is in no tile
/// before: where a row has no entry there is no tile. Tiles of low columns start at column 0, so that
/// the rows that are streamed past them need no search for their start.
#[inline(always)]
fn count_rows(
    matrix: Matrix,
    wide: In<u32>,
    wide_rows: u32,
    ticket: InOut<u32>,
    totals: InOut<u64>,
    lanes_log2: u32,
) {
    let Matrix { ids, words, .. } = matrix;
    let thread = thread::thread_idx_x();
    let threads = thread::block_dim_x();
    let slots = TABLE_SLOTS;
    let row_slot = shared::array::<u32>(ROW_SLOT_AT, 1);
    let table = shared::array::<u64>(TABLE_AT, slots);
    block_fill(table, slots, 0);
    let mut count = 0;
    loop {
        let index = block_ticket(ticket, row_slot);
        if index >= wide_rows {
            break;
        }
        let row = u64::from(wide.get(u64::from(index)));
        let (edges, segments) = (matrix.rows.get(row), matrix.segment_rows.get(row));
        let segments_end = (segments >> 32) as u32;
        let mut from = segments as u32;
        while from < segments_end {
            let first = ids.get(u64::from(from));
            let first = if first < slots { 0 } else { first };
            let to = lower_bound(ids, from, segments_end, first + slots);
            for at in thread::strided(from + thread..to, threads) {
                table.set(ids.get(u64::from(at)) - first, words.get(u64::from(at)));
            }
            thread::sync_threads();
            count += stream(matrix, table, edges, first, lanes_log2);
            thread::sync_threads();
            for at in thread::strided(from + thread..to, threads) {
                table.set(ids.get(u64::from(at)) - first, 0);
            }
            thread::sync_threads();
            from = to;
        }
    }
    block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
}

/// This lane's share of the tile's common bits with the rows of its row's heads.
#[inline(always)]
fn stream(matrix: Matrix, table: Shared<u64>, edges: u64, first: u32, lanes_log2: u32) -> u64 {
    let Matrix { heads, segment_rows, .. } = matrix;
    let thread = thread::thread_idx_x();
    let lane = thread & ((1 << lanes_log2) - 1);
    let lane_groups = thread::block_dim_x() >> lanes_log2;
    let end = (edges >> 32) as u32;
    let mut edge = edges as u32;
    if first > 0 {
        // A head's columns are below it.
        edge = lower_bound(heads, edge, end, first * COLUMNS + 1);
    }
    edge = edge.saturating_add(thread >> lanes_log2);
    let mut count = 0;
    // The next edge's row is looked up, and the head after it, before this edge's row is streamed.
    let head_at = |edge: u32| if edge < end { heads.get(u64::from(edge)) } else { 0 };
    let mut head = head_at(edge);
    let mut next_head = head_at(edge.saturating_add(lane_groups));
    let mut segments = segment_rows.get(u64::from(head));
    while edge < end {
        let next_segments = segment_rows.get(u64::from(next_head));
        let head_after = head_at(edge.saturating_add(2 * lane_groups));
        let in_first_tile = first == 0 && head <= TABLE_SLOTS * COLUMNS;
        count += u64::from(if in_first_tile {
            stream_row(matrix, table, segments, lane, lanes_log2)
        } else {
            stream_part(matrix, table, segments, first, lane, lanes_log2)
        });
        (head, next_head, segments) = (next_head, head_after, next_segments);
        edge = edge.saturating_add(lane_groups);
    }
    count
}

/// The common bits of the table, which starts at column 0, and this lane's share of a row that does not
/// go beyond it.
#[inline(always)]
fn stream_row(
    matrix: Matrix,
    table: Shared<u64>,
    segments: u64,
    lane: u32,
    lanes_log2: u32,
) -> u32 {
    let Matrix { ids, words, .. } = matrix;
    let lanes = 1 << lanes_log2;
    let (start, end) = (segments as u32, (segments >> 32) as u32);
    // A row has fewer than 2³¹ segments.
    let mut left = (end - start) as i32 - lane as i32;
    let mut at = start.wrapping_add(lane);
    let mut count = 0;
    // Two segments at a time: four reads are on their way before the first is waited for.
    while left > lanes {
        let (this, other) = (u64::from(at), u64::from(at) + lanes as u64);
        let (id, other_id) = (ids.get(this), ids.get(other));
        let (word, other_word) = (words.get(this), words.get(other));
        count += common(word, table.get(id)) + common(other_word, table.get(other_id));
        at = at.wrapping_add(2 * lanes as u32);
        left -= 2 * lanes;
    }
    if left > 0 {
        let (id, word) = (ids.get(u64::from(at)), words.get(u64::from(at)));
        count += common(word, table.get(id));
    }
    count
}

/// The common bits of the table, which starts at segment `first`, and this lane's share of a row that
/// may begin before it and go beyond it.
#[inline(always)]
fn stream_part(
    matrix: Matrix,
    table: Shared<u64>,
    segments: u64,
    first: u32,
    lane: u32,
    lanes_log2: u32,
) -> u32 {
    let Matrix { ids, words, .. } = matrix;
    let end = (segments >> 32) as u32;
    let mut at = lower_bound(ids, segments as u32, end, first).saturating_add(lane);
    let mut count = 0;
    while at < end {
        let (id, word) = (ids.get(u64::from(at)), words.get(u64::from(at)));
        if id - first >= TABLE_SLOTS {
            break;
        }
        count += common(word, table.get(id - first));
        at = at.saturating_add(1 << lanes_log2);
    }
    count
}
