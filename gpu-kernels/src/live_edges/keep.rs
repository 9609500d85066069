use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, shared, thread, warp};

use super::BLOCK;
use crate::primitives::{block_compact, block_ticket};

const WARPS: u32 = BLOCK / warp::SIZE;

/// Edges of a thread.
const ITEMS: usize = 8;

/// Edges that a block takes.
pub const KEEP_TILE: u32 = BLOCK * ITEMS as u32;

const TILE_AT: u32 = 0;
const BASE_AT: u32 = 4;
const KEPT_AT: u32 = 8;

/// Bytes of shared memory of a block of [`keep_edges`].
pub const KEEP_SHARED_BYTES: u32 = KEPT_AT + WARPS * 4;

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
        let thread = thread::thread_idx_x();
        let lane = warp::lane_id();
        let warp_index = thread / warp::SIZE;
        let tile_slot = shared::array::<u32>(TILE_AT, 1);
        let base_slot = shared::array::<u32>(BASE_AT, 1);
        let kept_in_warp = shared::array::<u32>(KEPT_AT, WARPS);
        let tile = u64::from(block_ticket(ticket, tile_slot));
        let first =
            tile * u64::from(KEEP_TILE) + u64::from(warp_index * warp::SIZE * ITEMS as u32 + lane);
        let mut left = [0; ITEMS];
        let mut lanes = [0u32; ITEMS];
        let mut in_warp = 0;
        let mut item = 0;
        while item < ITEMS {
            let i = first + item as u64 * u64::from(warp::SIZE);
            if i < m {
                left[item] = support.get(i);
            }
            item += 1;
        }
        let mut item = 0;
        while item < ITEMS {
            let i = first + item as u64 * u64::from(warp::SIZE);
            lanes[item] = warp::warp_vote_ballot(warp::ALL, i < m && left[item] >= level);
            in_warp += lanes[item].count_ones();
            item += 1;
        }
        let found = block_compact(in_warp, kept_in_warp, WARPS, base_slot, words, tile);
        if thread == 0 && (tile + 1) * u64::from(KEEP_TILE) >= m {
            kept.set(0, u64::from(found.end));
        }
        let mut place = found.place;
        let mut item = 0;
        while item < ITEMS {
            let i = first + item as u64 * u64::from(warp::SIZE);
            if lanes[item] >> lane & 1 == 1 {
                let at = u64::from(place + (lanes[item] & warp::lane_mask_lt()).count_ones());
                kept_tails.set(at, tails.get(i));
                kept_heads.set(at, heads.get(i));
                kept_support.set(at, left[item]);
                kept_places.set(at, if whole != 0 { i as u32 } else { places.get(i) });
            }
            place += lanes[item].count_ones();
            item += 1;
        }
    }
);
