use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread, warp};

use super::{LISTED, SIZES, cursor_at, cursors_len};

kernel!(
    /// Every edge from place `first` on to where its method finds it: to its head's group as a word with the place in the
    /// low half and the length of its prefix in the high half; or, by its place, to `listed`, whose length `sizes` counts.
    ///
    /// `grouping` and `cursors` are those of `head_groups`. After it the cursor of a is one past the
    /// last slot in use of a's group. `listed` has room for all edges without a group.
    ///
    /// Launch with whole warps.
    #[requires(
        tails.len() >= m, heads.len() >= m, m < 1 << 32, grouping.len() >= u64::from(grouping_heads).div_ceil(32),
        cursors.len() >= cursors_len(u64::from(grouping_heads)), sizes.len() >= SIZES,
    )]
    pub unsafe fn group_edges(
        tails: In<u32>,
        heads: In<u32>,
        rows: In<u64>,
        grouping: In<u32>,
        cursors: InOut<u32>,
        grouped: InOut<u64>,
        listed: InOut<u32>,
        sizes: InOut<u32>,
        first: u64,
        m: u64,
        grouping_heads: u32,
    ) {
        let lane = u64::from(warp::lane_id());
        let stride = thread::grid_size();
        let mut i = first + thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while i - lane < m {
            let mut is_listed = false;
            if i < m && i > 0 {
                let tail = tails.get(i);
                if tails.get(i - 1) == tail {
                    let head = heads.get(i);
                    let prefix = (i as u32).wrapping_sub(rows.get(u64::from(tail)) as u32);
                    if head < grouping_heads && has_bit(grouping, head) {
                        let slot = cursors.atomic_add(cursor_at(head), 1);
                        grouped.set(u64::from(slot), u64::from(prefix) << 32 | i);
                    } else {
                        let row = rows.get(u64::from(head));
                        is_listed = (row >> 32) as u32 != row as u32;
                    }
                }
            }
            let at = append(sizes, is_listed);
            if is_listed {
                listed.set(u64::from(at), i as u32);
            }
            i += stride;
        }
    }
);

/// Whether bit `head` of `grouping` is set: a word for 32 heads, which the L1 cache holds for those
/// that most edges ask for.
#[inline(always)]
fn has_bit(grouping: In<u32>, head: u32) -> bool {
    grouping.get(u64::from(head / 32)) >> (head % 32) & 1 == 1
}

/// The place in the list of each lane that `appends`; the whole warp calls it.
#[inline(always)]
fn append(sizes: InOut<u32>, appends: bool) -> u32 {
    let lanes = warp::warp_vote_ballot(warp::ALL, appends);
    if lanes == 0 {
        return 0;
    }
    let leader = lanes.trailing_zeros();
    let mut first = 0;
    if warp::lane_id() == leader {
        first = sizes.atomic_add(LISTED, lanes.count_ones());
    }
    warp::warp_shuffle_idx(warp::ALL, first, leader) + (lanes & warp::lane_mask_lt()).count_ones()
}
