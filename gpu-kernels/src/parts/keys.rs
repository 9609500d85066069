use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

use super::MOST_PARTS;
use crate::orient::self_loop_key;

/// Keys of a lane that a warp of [`part_keys`] takes at a time.
const ITEMS: usize = 8;

/// Keys that a warp takes at a time.
pub const TILE: u32 = warp::SIZE * ITEMS as u32;

kernel!(
    /// Writes every key of `orient_edges` to the next place of its part: `cursors[q]` is the first, and afterwards
    /// one past the last. Part q has the tails from `first_rank[q]` on, up to those of the next part, and `first_rank`
    /// ascends. Each part has room for its keys, which come in no order. Self-loops are of no part.
    ///
    /// Launch with whole warps.
    #[requires(
        keys.len() >= m, (1..=32).contains(&rank_bits), (1..=MOST_PARTS).contains(&parts),
        first_rank.len() >= u64::from(parts), cursors.len() >= u64::from(parts),
    )]
    pub unsafe fn part_keys(
        keys: In<u64>,
        first_rank: In<u32>,
        cursors: InOut<u64>,
        parted: InOut<u64>,
        m: u64,
        rank_bits: u32,
        parts: u32,
    ) {
        let lane = warp::lane_id();
        let warps = thread::grid_size() / u64::from(warp::SIZE);
        let begin = thread::index_1d() / u64::from(warp::SIZE) * u64::from(TILE);
        for first in thread::strided(begin..m, warps * u64::from(TILE)) {
            let mut key = [0; ITEMS];
            for item in 0..ITEMS {
                let i = first + item as u64 * u64::from(warp::SIZE) + u64::from(lane);
                key[item] = if i < m { keys.get(i) } else { self_loop_key(rank_bits) };
            }
            // One addition a part and tile: lane q makes that of part q.
            let mut count = 0u32;
            for item in 0..ITEMS {
                let part = part_of(key[item], first_rank, rank_bits, parts);
                for q in 0..parts {
                    let lanes = warp::warp_vote_ballot(warp::ALL, part == q);
                    count += if lane == q { lanes.count_ones() } else { 0 };
                }
            }
            let mut next = 0;
            if lane < parts && count > 0 {
                next = cursors.atomic_add(u64::from(lane), u64::from(count));
            }
            for item in 0..ITEMS {
                let part = part_of(key[item], first_rank, rank_bits, parts);
                let (mut q, mut before, mut added) = (0, 0, 0);
                while q < parts {
                    let lanes = warp::warp_vote_ballot(warp::ALL, part == q);
                    before = if part == q {
                        (lanes & warp::lane_mask_lt()).count_ones()
                    } else {
                        before
                    };
                    added = if lane == q { lanes.count_ones() } else { added };
                    q += 1;
                }
                let keeper = part % warp::SIZE;
                let low = warp::warp_shuffle_idx(warp::ALL, next as u32, keeper);
                let high = warp::warp_shuffle_idx(warp::ALL, (next >> 32) as u32, keeper);
                next += u64::from(added);
                if part < parts {
                    let place = (u64::from(high) << 32 | u64::from(low)) + u64::from(before);
                    parted.set(place, key[item]);
                }
            }
        }
    }
);

/// The part of a key, or `MOST_PARTS` for a self-loop.
#[inline(always)]
fn part_of(key: u64, first_rank: In<u32>, rank_bits: u32, parts: u32) -> u32 {
    if key == self_loop_key(rank_bits) {
        return MOST_PARTS;
    }
    let tail = (key >> rank_bits) as u32;
    let (mut part, mut q) = (0, 1);
    while q < parts {
        part += u32::from(first_rank.get(u64::from(q)) <= tail);
        q += 1;
    }
    part
}
