//! Sums of what stands before each value, in one launch: an exclusive and an inclusive scan of an array at once (Merrill and Garland, "Single-pass
//! parallel prefix scan with decoupled look-back", 2016).

#[cfg(not(target_arch = "nvptx64"))]
#[path = "../host/prefix_sums.rs"]
mod launch;

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread, warp};

#[cfg(not(target_arch = "nvptx64"))]
pub use launch::*;

use crate::{
    Scanned, Summand, TileWords, WideSums, block_lookback, block_scan_exclusive, block_ticket,
    warp_scan_exclusive,
};

/// Threads in a block.
pub const BLOCK: u32 = 256;

const WARPS: u32 = BLOCK / warp::SIZE;

const WARP: u64 = warp::SIZE as u64;

/// Values of a lane.
const ITEMS: usize = 16;

/// Sums that a block finds.
pub const TILE: u32 = BLOCK * ITEMS as u32;

const TOTALS_AT: u32 = 0;
const BASE_AT: u32 = TOTALS_AT + WARPS * 8;
const TILE_AT: u32 = BASE_AT + 8;

/// Bytes of shared memory of a block.
pub const SHARED_BYTES: u32 = TILE_AT + 4;

kernel!(
    /// `sums[i]` = the sum of the first i of `values`, for every i from 0 to n. The last is below 2⁶².
    ///
    /// `words` has a word for each [`TILE`] of the n + 1 sums, and `ticket` one word; all are zero before. Launch
    /// with a block of [`BLOCK`] threads for each word.
    #[requires(
        |shape| values.len() >= n, sums.len() > n, !ticket.is_empty(), shape.is_1d(),
        words.len() >= (n + 1).div_ceil(u64::from(TILE)), shape.grid.count() <= words.len(), shape.block.x == BLOCK,
        shape.shared_bytes >= SHARED_BYTES,
    )]
    pub unsafe fn prefix_sums_64(
        values: In<u32>,
        sums: InOut<u64>,
        words: InOut<u64>,
        ticket: InOut<u32>,
        n: u64,
    ) {
        sum_tile::<WideSums, false>(values, sums, words, ticket, n, WideSums);
    }
);

/// Finds the sums of the tile whose turn it is. With `AHEAD` the reads of a tile that is full go out together.
#[inline(always)]
pub(crate) fn sum_tile<S: TileWords<Sum: From<u32>>, const AHEAD: bool>(
    values: In<u32>,
    sums: InOut<S::Sum>,
    words: InOut<u64>,
    ticket: InOut<u32>,
    n: u64,
    state: S,
) {
    let thread = thread::thread_idx_x();
    let totals = shared::array::<S::Sum>(TOTALS_AT, WARPS);
    let base_slot = shared::array::<S::Sum>(BASE_AT, 1);
    let tile_slot = shared::array::<u32>(TILE_AT, 1);
    let tile = u64::from(block_ticket(ticket, tile_slot));
    // Lanes of a warp have neighbouring values, and the warp takes 32 after the other.
    let lane = warp::lane_id();
    let of_warp = u64::from(thread / warp::SIZE) * WARP * ITEMS as u64;
    let from = tile * u64::from(TILE) + of_warp + u64::from(lane);
    let mut value = [0u32; ITEMS];
    if AHEAD && (tile + 1) * u64::from(TILE) <= n {
        for item in 0..ITEMS {
            value[item] = values.get(from + item as u64 * WARP);
        }
    } else {
        for item in 0..ITEMS {
            let k = from + item as u64 * WARP;
            value[item] = if k < n { values.get(k) } else { 0 };
        }
    }
    let mut before = [S::Sum::default(); ITEMS];
    let mut in_warp = S::Sum::default();
    for item in 0..ITEMS {
        let Scanned { before: before_lane, all } = warp_scan_exclusive(S::Sum::from(value[item]));
        before[item] = in_warp.plus(before_lane);
        in_warp = in_warp.plus(all);
    }
    let own = if lane == warp::SIZE - 1 { in_warp } else { S::Sum::default() };
    let Scanned { before: before_warp, all: in_tile } = block_scan_exclusive(totals, own);
    let base = block_lookback(words, state, tile, in_tile, base_slot).plus(before_warp);
    for item in 0..ITEMS {
        let k = from + item as u64 * WARP;
        if k <= n {
            sums.set(k, base.plus(before[item]));
        }
    }
}
