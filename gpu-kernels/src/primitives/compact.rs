//! Compaction: what a kernel keeps of its items is written without gaps and in their order, in one launch.

use tribin_device::memory::InOut;
use tribin_device::shared::Shared;
use tribin_device::{thread, warp};

use super::{LookbackState, block_lookback};

/// Where a warp writes what it keeps.
pub struct Kept {
    /// The place of the first that this warp keeps.
    pub place: u32,
    /// How many are kept up to the end of this tile.
    pub end: u32,
}

/// The place of what each warp of the block keeps of tile `tile`, where this warp keeps `in_warp`.
///
/// `kept_in_warp` has one of the `warps` elements for each warp, `base_slot` one; `words` has a word a tile, and all
/// are zero before the launch. `kept_in_warp` and `base_slot` are used for nothing else. Contains two barriers.
#[inline(always)]
pub fn block_compact(
    in_warp: u32,
    kept_in_warp: Shared<u32>,
    warps: u32,
    base_slot: Shared<u32>,
    words: InOut<u64>,
    tile: u64,
) -> Kept {
    let warp_index = thread::thread_idx_x() / warp::SIZE;
    if warp::lane_id() == 0 {
        kept_in_warp.set(warp_index, in_warp);
    }
    thread::sync_threads();
    let mut before_warp = 0;
    let mut in_tile = 0;
    let mut w = 0;
    while w < warps {
        let count = kept_in_warp.get(w);
        if w < warp_index {
            before_warp += count;
        }
        in_tile += count;
        w += 1;
    }
    let base = block_lookback(words, LookbackState::of_pass(0), tile, in_tile, base_slot);
    Kept { place: base + before_warp, end: base + in_tile }
}
