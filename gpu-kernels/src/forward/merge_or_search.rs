use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

use super::{TOTALS, merge_paired};
use crate::primitives::{Lists, Oriented, block_add_to, position, warp_share_items};

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
        graph.tails.len() >= m, graph.heads.len() >= m, pairs.len() >= m / 2, m < 1 << 32, totals.len() >= TOTALS,
    )]
    pub unsafe fn merge_or_search(
        graph: Oriented,
        pairs: In<u64>,
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
            let lists = if lane < left { Lists::of(graph, place) } else { Lists::NONE };
            let searched = are_unlike(&lists);
            if warp::warp_vote_any(warp::ALL, searched) {
                count += u64::from(search(graph.heads, &lists, searched));
            }
            if !searched {
                count += u64::from(merge_paired(
                    u64::from(place) + 2 < m,
                    (pairs, graph.heads, lists.prefix),
                    (pairs, graph.heads, lists.row),
                ));
            }
            left = left.saturating_sub(stride);
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

#[inline(always)]
fn are_unlike(Lists { prefix, row }: &Lists) -> bool {
    let (prefix_len, row_len) = (prefix.end - prefix.start, row.end - row.start);
    (1..MOST_SEARCHED).contains(&prefix_len)
        && row_len / UNLIKE > prefix_len
        && row_len > MERGED - prefix_len.min(MERGED)
}

/// How many of the wedges close that this lane takes from the edges of its warp that are `searched`. All lanes call it.
#[inline(always)]
fn search(heads: In<u32>, lists: &Lists, searched: bool) -> u32 {
    let mut found = 0;
    let own = if searched { lists.prefix.end - lists.prefix.start } else { 0 };
    warp_share_items(own, |of, number, is_one| {
        let [prefix, row, row_end] = [lists.prefix.start, lists.row.start, lists.row.end]
            .map(|of_lane| warp::warp_shuffle_idx(warp::ALL, of_lane, of));
        if is_one {
            let vertex = heads.get(u64::from(prefix + number));
            found += u32::from(position(heads, row, row_end, vertex).is_some());
        }
    });
    found
}
