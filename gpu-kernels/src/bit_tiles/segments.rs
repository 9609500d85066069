use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread, warp};

use super::{BLOCK, COLUMNS, is_wide};
use crate::primitives::{
    COMPACT_BLOCK, COMPACT_ITEMS as ITEMS, COMPACT_SHARED_BYTES, CompactTile, Scanned,
    block_scan_exclusive,
};

/// Edges that a block takes.
pub use crate::primitives::COMPACT_TILE as TILE;

const _: () = assert!(BLOCK == COMPACT_BLOCK);

const WARPS: u32 = BLOCK / warp::SIZE;

const BASE_AT: u32 = 4;
const IN_WARP_AT: u32 = 8;

/// Bytes of shared memory of a block of both kernels.
pub const SEGMENTS_SHARED_BYTES: u32 = IN_WARP_AT + WARPS * 4;

const _: () = assert!(SEGMENTS_SHARED_BYTES >= COMPACT_SHARED_BYTES);

kernel!(
    /// Writes the segments of every row, in the order of the edges. Their numbers go to `ids`, and their
    /// bits to `words`. The first segment of row `r` goes to `segment_rows[2r]`, and one past its last to
    /// `segment_rows[2r + 1]`. Rows without edges are not written.
    ///
    /// `lookback` has a word a tile and `ticket` one word; all are zero before.
    #[requires(
        m > 0, m < 1 << 32, tails.len() >= m, heads.len() >= m, ids.len() >= m,
        words.len() >= m, lookback.len() >= m.div_ceil(u64::from(TILE)), !ticket.is_empty(),
    )]
    pub unsafe fn bit_segments(
        tails: In<u32>,
        heads: In<u32>,
        ids: InOut<u32>,
        words: InOut<u64>,
        segment_rows: InOut<u32>,
        lookback: InOut<u64>,
        ticket: InOut<u32>,
        m: u64,
    ) {
        let m = m as u32;
        let lane = warp::lane_id();
        let tile = CompactTile::take(ticket);
        let mut start_lanes = [0u32; ITEMS];
        let mut in_warp = 0;
        let mut item = 0;
        while item < ITEMS {
            let i = tile.item(item);
            let starts = i < u64::from(m) && !continues(tails, heads, i as u32);
            start_lanes[item] = warp::warp_vote_ballot(warp::ALL, starts);
            in_warp += start_lanes[item].count_ones();
            item += 1;
        }
        let mut place = tile.keep(in_warp, lookback).place;

        let mut item = 0;
        while item < ITEMS {
            let i = tile.item(item);
            let starts = start_lanes[item] >> lane & 1 == 1;
            let at = place + (start_lanes[item] & warp::lane_mask_lt()).count_ones();
            place += start_lanes[item].count_ones();
            if i < u64::from(m) {
                let i = i as u32;
                let tail = tails.get(u64::from(i));
                if starts {
                    let id = heads.get(u64::from(i)) / COLUMNS;
                    let mut word = bit(heads.get(u64::from(i)));
                    // A segment has at most as many entries as columns.
                    let mut next = i + 1;
                    while next < m && continues(tails, heads, next) {
                        word |= bit(heads.get(u64::from(next)));
                        next += 1;
                    }
                    ids.set(u64::from(at), id);
                    words.set(u64::from(at), word);
                    if i == 0 || tails.get(u64::from(i - 1)) != tail {
                        segment_rows.set(2 * u64::from(tail), at);
                    }
                }
                if i == m - 1 || tails.get(u64::from(i + 1)) != tail {
                    segment_rows.set(2 * u64::from(tail) + 1, at + u32::from(starts));
                }
            }
            item += 1;
        }
    }
);

/// The bit of a column in the word of its segment.
#[inline(always)]
fn bit(column: u32) -> u64 {
    1 << (column % COLUMNS)
}

/// Whether the edge at place `i` is in the segment of the edge before it.
#[inline(always)]
fn continues(tails: In<u32>, heads: In<u32>, i: u32) -> bool {
    i > 0 && {
        let (this, before) = (u64::from(i), u64::from(i - 1));
        heads.get(this) / COLUMNS == heads.get(before) / COLUMNS
            && tails.get(this) == tails.get(before)
    }
}

kernel!(
    /// Appends the rows that get tiles of their own to `wide`, in any order, and adds their number to
    /// `count[0]`: rows of at least `wide_from` segments for each `slots` segment numbers up to their last.
    ///
    /// Launch with a thread for each rank, [`BLOCK`] in a block.
    #[requires(
        |shape| segment_rows.len() >= ranks, ranks <= 1 << 32, !count.is_empty(), wide_from > 0, slots > 0,
        shape.block.x == BLOCK, shape.shared_bytes >= SEGMENTS_SHARED_BYTES,
    )]
    pub unsafe fn list_wide_rows(
        segment_rows: In<u64>,
        ids: In<u32>,
        wide: InOut<u32>,
        count: InOut<u32>,
        ranks: u64,
        wide_from: u32,
        slots: u32,
    ) {
        let scan = shared::array::<u32>(IN_WARP_AT, WARPS);
        let base_slot = shared::array::<u32>(BASE_AT, 1);
        let rank = thread::index_1d();
        let mut listed = false;
        if rank < ranks {
            let row = segment_rows.get(rank);
            listed = is_wide(ids, row as u32, (row >> 32) as u32, wide_from, slots);
        }
        let Scanned { before, all: in_block } = block_scan_exclusive(scan, u32::from(listed));
        if thread::thread_idx_x() == 0 && in_block > 0 {
            base_slot.set(0, count.atomic_add(0, in_block));
        }
        thread::sync_threads();
        if listed {
            wide.set(u64::from(base_slot.get(0) + before), rank as u32);
        }
    }
);
