//! Compaction: what a kernel keeps of its items is written without gaps and in their order, in one launch.

use warpwise_device::memory::InOut;
use warpwise_device::{shared, thread, warp};

use crate::{LookbackState, block_lookback, block_ticket};

/// Threads in a block of a kernel that keeps some of its items.
pub const COMPACT_BLOCK: u32 = 256;

const WARPS: u32 = COMPACT_BLOCK / warp::SIZE;

/// Items of a thread.
pub const COMPACT_ITEMS: usize = 8;

/// Items of a tile, which a block takes at a time.
pub const COMPACT_TILE: u32 = COMPACT_BLOCK * COMPACT_ITEMS as u32;

const TILE_AT: u32 = 0;
const BASE_AT: u32 = 4;
const KEPT_AT: u32 = 8;

/// Bytes of shared memory of a block.
pub const COMPACT_SHARED_BYTES: u32 = KEPT_AT + WARPS * 4;

/// Where a warp writes what it keeps.
pub struct Kept {
    /// The place of the first that this warp keeps.
    pub place: u32,
    /// How many are kept up to the end of this tile.
    pub end: u32,
}

/// The tile that a block takes.
#[derive(Clone, Copy)]
pub struct CompactTile {
    /// Its number.
    pub number: u64,
    /// The first item of this lane.
    first: u64,
}

impl CompactTile {
    /// The tile whose turn it is. Contains a barrier.
    #[inline(always)]
    pub fn take(ticket: InOut<u32>) -> CompactTile {
        let lane = warp::lane_id();
        let warp_index = thread::thread_idx_x() / warp::SIZE;
        let number = u64::from(block_ticket(ticket, shared::array::<u32>(TILE_AT, 1)));
        let in_tile = warp_index * warp::SIZE * COMPACT_ITEMS as u32 + lane;
        CompactTile { number, first: number * u64::from(COMPACT_TILE) + u64::from(in_tile) }
    }

    /// This lane's item of this number. Those of a warp follow on each other.
    #[inline(always)]
    pub fn item(self, number: usize) -> u64 {
        self.first + number as u64 * u64::from(warp::SIZE)
    }

    /// The place of what each warp of the block keeps, where this warp keeps `in_warp` items.
    ///
    /// `words` has a word a tile, and all are zero before the launch. Contains two barriers.
    #[inline(always)]
    pub fn keep(self, in_warp: u32, words: InOut<u64>) -> Kept {
        let kept_in_warp = shared::array::<u32>(KEPT_AT, WARPS);
        let base_slot = shared::array::<u32>(BASE_AT, 1);
        let warp_index = thread::thread_idx_x() / warp::SIZE;
        if warp::lane_id() == 0 {
            kept_in_warp.set(warp_index, in_warp);
        }
        thread::sync_threads();
        let mut before_warp = 0;
        let mut in_tile = 0;
        for w in 0..WARPS {
            let count = kept_in_warp.get(w);
            if w < warp_index {
                before_warp += count;
            }
            in_tile += count;
        }
        let of_pass = LookbackState::of_pass(0);
        let base = block_lookback(words, of_pass, self.number, in_tile, base_slot);
        Kept { place: base + before_warp, end: base + in_tile }
    }
}
