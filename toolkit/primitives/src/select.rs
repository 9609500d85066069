//! The values of an array that a flag selects, without gaps and in their order.

#[cfg(not(target_arch = "nvptx64"))]
#[path = "../host/select.rs"]
mod launch;

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

#[cfg(not(target_arch = "nvptx64"))]
pub use launch::*;

use crate::{COMPACT_BLOCK, COMPACT_ITEMS, COMPACT_SHARED_BYTES, COMPACT_TILE, CompactTile};

kernel!(
    /// Writes those of the first `n` values whose flag is not 0 to `selected`, in their order, and their number to `count[0]`.
    ///
    /// `words` has a word for each [`COMPACT_TILE`] values and one at least, and `ticket` one word; all are zero before. Launch a block for
    /// each word.
    #[requires(
        |shape| n < 1 << 32, values.len() >= n, flags.len() >= n, selected.len() >= n, !count.is_empty(), !ticket.is_empty(),
        shape.is_1d(), shape.block.x == COMPACT_BLOCK, shape.shared_bytes >= COMPACT_SHARED_BYTES,
        shape.grid.count() == n.div_ceil(u64::from(COMPACT_TILE)).max(1), words.len() >= shape.grid.count(),
    )]
    pub unsafe fn select_flagged(
        values: In<u32>,
        flags: In<u8>,
        selected: InOut<u32>,
        count: InOut<u32>,
        words: InOut<u64>,
        ticket: InOut<u32>,
        n: u64,
    ) {
        let tile = CompactTile::take(ticket);
        let (mut flag, mut value) = ([0; COMPACT_ITEMS], [0; COMPACT_ITEMS]);
        for item in 0..COMPACT_ITEMS {
            let i = tile.item(item);
            if i < n {
                flag[item] = flags.get(i);
                // On its way while the place is found.
                value[item] = values.get(i);
            }
        }
        let mut lanes = [0u32; COMPACT_ITEMS];
        let mut in_warp = 0;
        for item in 0..COMPACT_ITEMS {
            lanes[item] = warp::warp_vote_ballot(warp::ALL, flag[item] != 0);
            in_warp += lanes[item].count_ones();
        }
        let kept = tile.keep(in_warp, words);
        if thread::thread_idx_x() == 0 && (tile.number + 1) * u64::from(COMPACT_TILE) >= n {
            count.set(0, kept.end);
        }
        let mut place = kept.place;
        for item in 0..COMPACT_ITEMS {
            if flag[item] != 0 {
                let before = (lanes[item] & warp::lane_mask_lt()).count_ones();
                selected.set(u64::from(place + before), value[item]);
            }
            place += lanes[item].count_ones();
        }
    }
);
