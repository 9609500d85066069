use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

use super::BLOCK;
use crate::primitives::{COMPACT_BLOCK, COMPACT_ITEMS as ITEMS, CompactTile};
pub use crate::primitives::{COMPACT_SHARED_BYTES as KEEP_SHARED_BYTES, COMPACT_TILE as KEEP_TILE};

const _: () = assert!(BLOCK == COMPACT_BLOCK);

kernel!(
    /// Writes the edges with `level` triangles or more to `kept_tails`, `kept_heads` and `kept_support`, in
    /// their order, and their number to `kept[0]`. `kept_places` says where each is in the whole graph:
    /// where `places` says so, or, if `whole` is not 0, where it stands here.
    ///
    /// `words` has a word a tile and `ticket` one word; all are zero before. Launch a block for each
    /// [`KEEP_TILE`] edges.
    #[requires(
        |shape| m > 0, m < 1 << 32, tails.len() >= m, heads.len() >= m, support.len() >= m,
        whole != 0 || places.len() >= m, !kept.is_empty(), words.len() >= m.div_ceil(u64::from(KEEP_TILE)),
        !ticket.is_empty(), shape.block.x == BLOCK, shape.shared_bytes >= KEEP_SHARED_BYTES,
    )]
    pub unsafe fn keep_edges(
        tails: In<u32>,
        heads: In<u32>,
        support: In<u32>,
        places: In<u32>,
        kept_tails: InOut<u32>,
        kept_heads: InOut<u32>,
        kept_support: InOut<u32>,
        kept_places: InOut<u32>,
        kept: InOut<u64>,
        words: InOut<u64>,
        ticket: InOut<u32>,
        m: u64,
        level: u32,
        whole: u32,
    ) {
        let lane = warp::lane_id();
        let tile = CompactTile::take(ticket);
        let mut left = [0; ITEMS];
        let mut lanes = [0u32; ITEMS];
        let mut in_warp = 0;
        for item in 0..ITEMS {
            let i = tile.item(item);
            if i < m {
                left[item] = support.get(i);
            }
        }
        for item in 0..ITEMS {
            let i = tile.item(item);
            lanes[item] = warp::warp_vote_ballot(warp::ALL, i < m && left[item] >= level);
            in_warp += lanes[item].count_ones();
        }
        let found = tile.keep(in_warp, words);
        if thread::thread_idx_x() == 0 && (tile.number + 1) * u64::from(KEEP_TILE) >= m {
            kept.set(0, u64::from(found.end));
        }
        let mut place = found.place;
        for item in 0..ITEMS {
            let i = tile.item(item);
            if lanes[item] >> lane & 1 == 1 {
                let at = u64::from(place + (lanes[item] & warp::lane_mask_lt()).count_ones());
                kept_tails.set(at, tails.get(i));
                kept_heads.set(at, heads.get(i));
                kept_support.set(at, left[item]);
                kept_places.set(at, if whole != 0 { i as u32 } else { places.get(i) });
            }
            place += lanes[item].count_ones();
        }
    }
);
