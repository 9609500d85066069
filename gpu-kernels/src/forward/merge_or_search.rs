use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread, warp};

use super::{Lists, TOTALS, merge_paired};
use crate::primitives::{block_add_to, position, warp_share_items};

/// An edge's lists are unlike where the head's row has more than this many entries for each of the prefix's...
const UNLIKE: u32 = 4;

/// ... and both have more than this many together: fewer are merged by the time that a search has begun.
const MERGED: u32 = 24;

/// Longer prefixes are merged, so that a warp's searches are below 2³².
const MOST_SEARCHED: u32 = 1 << 20;

kernel!(
    /// The same as [`forward_merge`](super::forward_merge), for graphs where many heads have much longer rows than their edges have
    /// prefixes. Such an edge is not merged: each entry of its prefix is searched for in the row.
    ///
    /// A merge goes along the row, and the lanes of a warp wait for the one with the longest. The searches of all lanes are shared among
    /// them, so that none waits. Blocks have whole warps.
    #[requires(
        tails.len() >= m, heads.len() >= m, pairs.len() >= m / 2, m < 1 << 32, totals.len() >= TOTALS,
    )]
    pub unsafe fn merge_or_search(
        tails: In<u32>,
        heads: In<u32>,
        pairs: In<u64>,
        rows: In<u64>,
        totals: InOut<u64>,
        first: u64,
        m: u64,
    ) {
        let lane = warp::lane_id();
        let mut count = 0;
        let warp_first = first + thread::index_1d() - u64::from(lane);
        // Edges from the warp's first on: at most m, and so below 2³².
        let mut left = m.saturating_sub(warp_first) as u32;
        let stride = thread::grid_size().min(u64::from(u32::MAX)) as u32;
        while left > 0 {
            let place = (m as u32 - left).wrapping_add(lane);
            let mut lists = Lists { prefix: 0, prefix_len: 0, row: 0, row_len: 0 };
            if lane < left {
                lists = Lists::of(tails, heads, rows, place);
            }
            let searched = lists.are_unlike();
            if warp::warp_vote_any(warp::ALL, searched) {
                count += u64::from(search(heads, &lists, searched));
            }
            if !searched {
                count += u64::from(merge_paired(
                    u64::from(place) + 2 < m,
                    (pairs, heads, u64::from(lists.prefix), lists.prefix_len),
                    (pairs, heads, u64::from(lists.row), lists.row_len),
                ));
            }
            left = left.saturating_sub(stride);
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

impl Lists {
    #[inline(always)]
    fn are_unlike(&self) -> bool {
        (1..MOST_SEARCHED).contains(&self.prefix_len)
            && self.row_len / UNLIKE > self.prefix_len
            && self.row_len > MERGED - self.prefix_len.min(MERGED)
    }
}

/// How many of the wedges close that this lane takes from the edges of its warp that are `searched`. All lanes call it.
#[inline(always)]
fn search(heads: In<u32>, lists: &Lists, searched: bool) -> u32 {
    let mut found = 0;
    let own = if searched { lists.prefix_len } else { 0 };
    warp_share_items(own, |of, number, is_one| {
        let [prefix, row, row_len] = [lists.prefix, lists.row, lists.row_len]
            .map(|of_lane| warp::warp_shuffle_idx(warp::ALL, of_lane, of));
        if is_one {
            let vertex = heads.get(u64::from(prefix + number));
            found += u32::from(position(heads, row, row + row_len, vertex).is_some());
        }
    });
    found
}
