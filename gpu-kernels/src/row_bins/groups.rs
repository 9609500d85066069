use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread, warp};

use super::MOST_GROUPS;
use crate::orient::{key_of_edge, self_loop_key};
use crate::primitives::{WarpRun, block_clear_counts, block_flush_counts};

/// Threads in a block of [`orient_to_groups`].
pub const GROUPS_BLOCK: u32 = 1_024;

/// Bytes of shared memory of a block that counts `groups` groups.
pub const fn groups_shared_bytes(groups: u32) -> u32 {
    groups * 4
}

kernel!(
    /// `keys[i]` = the key of edge `i` ([`key_of_edge`]). Adds to `counts[tail >> shift]` for each key but those of
    /// self-loops, where the tail is the larger rank.
    #[requires(
        |shape| edges.len() >= m, keys.len() >= m, m < 1 << 32, (1..=32).contains(&rank_bits), groups <= MOST_GROUPS,
        counts.len() >= u64::from(groups), u64::from(groups) << shift >= 1 << rank_bits,
        shape.shared_bytes >= groups_shared_bytes(groups),
    )]
    #[launch_bounds(GROUPS_BLOCK, 2)]
    pub unsafe fn orient_to_groups(
        edges: In<u64>,
        rank: In<u32>,
        keys: InOut<u64>,
        counts: InOut<u32>,
        m: u64,
        rank_bits: u32,
        shift: u32,
        groups: u32,
        by_id: u32,
    ) {
        let in_block = shared::array::<u32>(0, groups);
        block_clear_counts(in_block, groups);
        let self_loop = self_loop_key(rank_bits);
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        // Whole warps go on together: in sorted edges, neighbouring lanes have one group.
        while i - u64::from(warp::lane_id()) < m {
            let mut key = self_loop;
            if i < m {
                key = key_of_edge(edges.get(i), rank, rank_bits, by_id != 0);
                keys.set(i, key);
            }
            let group = (key >> rank_bits) as u32 >> shift;
            let run = WarpRun::of(group, key != self_loop);
            if run.is_first {
                in_block.atomic_add(group, run.lanes());
            }
            i += stride;
        }
        thread::sync_threads();
        block_flush_counts(in_block, counts, groups);
    }
);
