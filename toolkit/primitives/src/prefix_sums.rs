//! Sums of what stands before each value, in one launch: an exclusive and an inclusive scan of an array at once (Merrill and Garland, "Single-pass
//! parallel prefix scan with decoupled look-back", 2016).

#[cfg(not(target_arch = "nvptx64"))]
#[path = "../host/prefix_sums.rs"]
mod launch;

use core::marker::PhantomData;

use warpwise_device::memory::{Element, In, InOut};
use warpwise_device::shared::{Layout, Place};
use warpwise_device::{kernel, thread, warp};

#[cfg(not(target_arch = "nvptx64"))]
pub use launch::*;

use crate::{
    Scanned, Summand, TileWords, WideSums, block_lookback, block_scan_exclusive, block_ticket,
};

/// Threads in a block.
pub const BLOCK: u32 = 256;

const WARP: u64 = warp::SIZE as u64;

/// Values of a lane.
const ITEMS: usize = 16;

/// Sums that a block finds.
pub const TILE: u32 = tile(BLOCK);

/// The number of sums that a block with this number of threads finds.
pub(crate) const fn tile(block: u32) -> u32 {
    block * ITEMS as u32
}

/// Places of a warp's values in shared memory.
const OF_WARP: u32 = ITEMS as u32 * (warp::SIZE + 1);

/// The places in the shared memory of a block. The sums are of type `T`, and `BLOCK` is the number of the block's threads.
struct Layouts<T, const BLOCK: u32>(PhantomData<T>);

impl<T: Element, const BLOCK: u32> Layouts<T, BLOCK> {
    const WARPS: u32 = BLOCK / warp::SIZE;
    const VALUES: (Layout, Place<T>) = Layout::new().array(Self::WARPS * OF_WARP);
    const TOTALS: (Layout, Place<T>) = Self::VALUES.0.array(Self::WARPS);
    const BASE: (Layout, Place<T>) = Self::TOTALS.0.array(1);
    const TICKET: (Layout, Place<u32>) = Self::BASE.0.array(1);
}

/// Bytes of shared memory of a block.
pub const SHARED_BYTES: u32 = shared_bytes::<u64, BLOCK>();

/// Bytes of shared memory of a block. The sums are of type `T`, and `BLOCK` is the number of the block's threads.
pub(crate) const fn shared_bytes<T: Element, const BLOCK: u32>() -> u32 {
    Layouts::<T, BLOCK>::TICKET.0.bytes()
}

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
    #[launch_bounds(BLOCK, 6)]
    pub unsafe fn prefix_sums_64(
        values: In<u32>,
        sums: InOut<u64>,
        words: InOut<u64>,
        ticket: InOut<u32>,
        n: u64,
    ) {
        sum_tile::<_, BLOCK>(values, sums, words, ticket, n, WideSums);
    }
);

/// Finds the sums of the tile whose turn it is.
#[inline(always)]
pub(crate) fn sum_tile<S: TileWords<Sum: From<u32>>, const BLOCK: u32>(
    values: In<u32>,
    sums: InOut<S::Sum>,
    words: InOut<u64>,
    ticket: InOut<u32>,
    n: u64,
    state: S,
) {
    let thread = thread::thread_idx_x();
    let tile_slot = Layouts::<S::Sum, BLOCK>::TICKET.1.here();
    let number = u64::from(block_ticket(ticket, tile_slot));
    // Lanes of a warp have neighbouring values, and the warp takes 32 after the other. Places in the tile have 32 bits: fewer registers.
    let lane = warp::lane_id();
    let in_tile = thread / warp::SIZE * warp::SIZE * ITEMS as u32 + lane;
    let from = number * u64::from(tile(BLOCK)) + u64::from(in_tile);
    let live = (n - number * u64::from(tile(BLOCK))).min(u64::from(tile(BLOCK))) as u32;
    let mut value = [0u32; ITEMS];
    // The reads of a full tile go out together.
    if live == tile(BLOCK) {
        for item in 0..ITEMS {
            value[item] = values.get(from + item as u64 * WARP);
        }
    } else {
        for item in 0..ITEMS {
            if in_tile + item as u32 * warp::SIZE < live {
                value[item] = values.get(from + item as u64 * WARP);
            }
        }
    }
    // Through shared memory each lane gets neighbouring values, which it adds up by itself: one scan of the warp is enough. They stay
    // there while the sum before the tile is found: with few registers many blocks wait for theirs side by side.
    let own = Layouts::<S::Sum, BLOCK>::VALUES.1.here();
    let first = thread / warp::SIZE * OF_WARP;
    for item in 0..ITEMS {
        own.set(first + padded(lane + item as u32 * warp::SIZE), S::Sum::from(value[item]));
    }
    warp::sync_warp(warp::ALL);
    let mut in_lane = S::Sum::default();
    for item in 0..ITEMS {
        in_lane = in_lane.plus(own.get(first + padded(lane * ITEMS as u32 + item as u32)));
    }
    let Scanned { before, all } =
        block_scan_exclusive(Layouts::<S::Sum, BLOCK>::TOTALS.1.here(), in_lane);
    let mut sum =
        block_lookback(words, state, number, all, Layouts::<S::Sum, BLOCK>::BASE.1.here())
            .plus(before);
    for item in 0..ITEMS {
        let place = first + padded(lane * ITEMS as u32 + item as u32);
        let value = own.get(place);
        own.set(place, sum);
        sum = sum.plus(value);
    }
    warp::sync_warp(warp::ALL);
    for item in 0..ITEMS {
        // There is one sum more than there are values.
        if live == tile(BLOCK) || in_tile + item as u32 * warp::SIZE <= live {
            sums.set(
                from + item as u64 * WARP,
                own.get(first + padded(lane + item as u32 * warp::SIZE)),
            );
        }
    }
}

/// The place of a warp's value in shared memory: one place in 33 is empty, so that lanes whose values are 16 apart meet in no bank.
#[inline(always)]
fn padded(value: u32) -> u32 {
    value + value / warp::SIZE
}
