use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread, warp};

use super::MOST_PARTS;
use crate::orient::self_loop_key;

/// Keys of a lane that a warp of [`part_keys`] takes at a time.
const ITEMS: usize = 8;

/// Keys that a warp takes at a time.
pub const TILE: u32 = warp::SIZE * ITEMS as u32;

kernel! {
    /// Adds to `sizes[q]` how many keys of `orient_edges` have a tail that is q modulo `parts`. Self-loops
    /// are of no part.
    ///
    /// Launch with whole warps.
    pub fn part_sizes(keys: In<u64>, sizes: InOut<u64>, m: u64, rank_bits: u32, parts: u32)
    requires {
        keys.len() >= m, (1..=32).contains(&rank_bits), (1..=MOST_PARTS).contains(&parts),
        sizes.len() >= u64::from(parts),
    }
    {
        let lane = warp::lane_id();
        let stride = thread::grid_size();
        let mut count = 0u64;
        let mut i = thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while i - u64::from(lane) < m {
            let key = if i < m { keys.get(i) } else { self_loop_key(rank_bits) };
            let part = part_of(key, rank_bits, parts);
            let mut q = 0;
            while q < parts {
                let lanes = warp::warp_vote_ballot(warp::ALL, part == q);
                count += if lane == q { u64::from(lanes.count_ones()) } else { 0 };
                q += 1;
            }
            i += stride;
        }
        if lane < parts && count > 0 {
            sizes.atomic_add(u64::from(lane), count);
        }
    }
}

kernel! {
    /// Writes every key to the next place of its part: `cursors[q]` is the first, and afterwards one past the
    /// last. Parts are those of [`part_sizes`], and each has room for its keys. The keys of a part come in no
    /// order.
    ///
    /// Launch with whole warps.
    pub fn part_keys(
        keys: In<u64>, cursors: InOut<u64>, parted: InOut<u64>, m: u64, rank_bits: u32, parts: u32
    )
    requires {
        keys.len() >= m, (1..=32).contains(&rank_bits), (1..=MOST_PARTS).contains(&parts),
        cursors.len() >= u64::from(parts),
    }
    {
        let lane = warp::lane_id();
        let warps = thread::grid_size() / u64::from(warp::SIZE);
        let mut first = thread::index_1d() / u64::from(warp::SIZE) * u64::from(TILE);
        while first < m {
            let mut key = [0; ITEMS];
            let mut item = 0;
            while item < ITEMS {
                let i = first + item as u64 * u64::from(warp::SIZE) + u64::from(lane);
                key[item] = if i < m { keys.get(i) } else { self_loop_key(rank_bits) };
                item += 1;
            }
            // One addition a part and tile: lane q makes that of part q.
            let mut count = 0u32;
            let mut item = 0;
            while item < ITEMS {
                let part = part_of(key[item], rank_bits, parts);
                let mut q = 0;
                while q < parts {
                    let lanes = warp::warp_vote_ballot(warp::ALL, part == q);
                    count += if lane == q { lanes.count_ones() } else { 0 };
                    q += 1;
                }
                item += 1;
            }
            let mut next = 0;
            if lane < parts && count > 0 {
                next = cursors.atomic_add(u64::from(lane), u64::from(count));
            }
            let mut item = 0;
            while item < ITEMS {
                let part = part_of(key[item], rank_bits, parts);
                let (mut q, mut before, mut added) = (0, 0, 0);
                while q < parts {
                    let lanes = warp::warp_vote_ballot(warp::ALL, part == q);
                    before = if part == q { (lanes & warp::lane_mask_lt()).count_ones() } else { before };
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
                item += 1;
            }
            first += warps * u64::from(TILE);
        }
    }
}

/// The part of a key, or `MOST_PARTS` for a self-loop.
#[inline(always)]
fn part_of(key: u64, rank_bits: u32, parts: u32) -> u32 {
    if key == self_loop_key(rank_bits) {
        return MOST_PARTS;
    }
    // `max` tells the compiler what `requires` says: a division by zero would be a trap.
    (key >> rank_bits) as u32 % parts.max(1)
}
