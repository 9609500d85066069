//! Intersect path: the walk through the grid of two sorted lists, cut by diagonals into equal shares.
//!
//! The lists stand at two sides of a grid; the path starts in one corner, goes along the first list
//! where its next entry is the smaller or equal one, else along the second, and ends in the opposite
//! corner. It crosses every diagonal once, at a place that a binary search finds, so that a lane can
//! take up the walk at any diagonal: every lane gets `share` steps, whatever the lists.
//!
//! Two equal entries are two steps, first along the first list, and the count goes up at the first of
//! the two. A diagonal may cut between them: the lane that makes the first step sees both entries, and
//! the lane that makes the second has a larger entry of the first list before it. So an entry that is
//! in both lists counts once, wherever the cuts are.
//!
//! | lists together | who walks |
//! | --- | --- |
//! | at most `lane_most` | one lane, from device memory |
//! | more | ⌈length / `share`⌉ lanes of the block, several edges side by side in a warp, one edge over several warps |

mod split;

use tribin_device::memory::{In, InOut};
use tribin_device::shared::Shared;
use tribin_device::{kernel, shared, thread, warp};

use crate::forward::{TOTALS, merge_edge};
use crate::primitives::{block_add_to, block_scan_exclusive};
use split::{Lists, Staged};

/// Threads in a block, and edges that a block takes at a time.
pub const BLOCK: u32 = 128;

const WARPS: u32 = BLOCK / warp::SIZE;

/// Most steps of a share.
pub const MOST_SHARE: u32 = 64;

const SCAN_AT: u32 = 0;
const BEFORE_AT: u32 = SCAN_AT + WARPS * 4;
const LISTS_AT: u32 = BEFORE_AT + BLOCK * 4;
const STAGE_AT: u32 = LISTS_AT + BLOCK * 4 * Lists::WORDS;

/// Words of a warp's stage: the entries of its steps, and one behind each list.
const fn stage_words(share: u32) -> u32 {
    warp::SIZE * (share + 2)
}

/// Bytes of shared memory of a block.
pub const fn shared_bytes(share: u32) -> u32 {
    STAGE_AT + WARPS * stage_words(share) * 4
}

kernel! {
    /// Adds the number of triangles to `totals`: their sum is the count.
    ///
    /// Tails, heads, rows and the bounds of the counts are those of `forward_merge`: the lists of the
    /// edge u → a at place i are what stands before place i in u's row, and a's row.
    ///
    /// Launch with blocks of [`BLOCK`] threads and [`shared_bytes`]. No vertex is `u32::MAX`, which
    /// stands behind the end of a list. The lists of an edge have fewer than 2³² / [`BLOCK`] entries
    /// together: in the order of degrees they are shorter than 2¹⁸.
    pub fn merge_path(
        tails: In<u32>, heads: In<u32>, rows: In<u64>, totals: InOut<u64>, m: u64, share: u32,
        lane_most: u32
    )
    requires {
        tails.len() >= m, heads.len() >= m, m < 1 << 32, totals.len() >= TOTALS, share > 0,
        share <= MOST_SHARE,
    }
    {
        let thread = thread::thread_idx_x();
        let warp_index = thread / warp::SIZE;
        let scan = shared::array::<u32>(SCAN_AT, WARPS);
        let before = shared::array::<u32>(BEFORE_AT, BLOCK);
        let lists = shared::array::<u32>(LISTS_AT, BLOCK * Lists::WORDS);
        let stage_bytes = stage_words(share) * 4;
        let stage = shared::array::<u32>(STAGE_AT + warp_index * stage_bytes, stage_words(share));

        let mut count = 0;
        let mut first = u64::from(thread::block_idx_x()) * u64::from(BLOCK);
        while first < m {
            let i = first + u64::from(thread);
            let mut shares = 0;
            if i < m {
                let edge = Lists::of_edge(tails, heads, rows, i as u32);
                if edge.first_len > 0 && edge.second_len > 0 {
                    if edge.len() <= lane_most {
                        count += u64::from(merge_edge(tails, heads, rows, i as u32));
                    } else {
                        // `max` tells the compiler what `requires` says.
                        shares = edge.len().div_ceil(share.max(1));
                        edge.keep(lists, thread);
                    }
                }
            }
            let (shares_before, all_shares) = block_scan_exclusive(scan, shares);
            before.set(thread, shares_before);
            thread::sync_threads();
            let mut turn = warp_index * warp::SIZE;
            while turn < all_shares {
                count += u64::from(walk_shares(heads, before, lists, stage, turn, all_shares, share));
                turn += BLOCK;
            }
            // Before the next edges stand where these do.
            thread::sync_threads();
            first += u64::from(thread::grid_dim_x()) * u64::from(BLOCK);
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
}

/// What this lane counts on share `turn` + lane of the block's edges; the whole warp calls it.
///
/// What the warp's shares touch is a stretch of both lists for each edge. They are copied to `stage`
/// side by side, and the lanes find their starts and walk there: entries are read from device memory
/// once, by neighbouring lanes.
#[inline(always)]
unsafe fn walk_shares(
    heads: In<u32>,
    before: Shared<u32>,
    lists: Shared<u32>,
    stage: Shared<u32>,
    turn: u32,
    all_shares: u32,
    share: u32,
) -> u32 {
    let lane = warp::lane_id();
    let last_lane = (all_shares - 1 - turn).min(warp::SIZE - 1);
    // Lanes without a share stand by the last one's.
    let own = turn + lane.min(last_lane);
    let edge = edge_of_share(before, own);
    let start = (own - before.get(edge)) * share;
    let end = (start + share).min(Lists::kept(lists, edge).len());

    // The stretches are bounded by the path where it crosses the first diagonal and the last.
    let first_edge = warp::warp_shuffle_idx(warp::ALL, edge, 0);
    let last_edge = warp::warp_shuffle_idx(warp::ALL, edge, last_lane);
    let first_diagonal = warp::warp_shuffle_idx(warp::ALL, start, 0);
    let last_diagonal = warp::warp_shuffle_idx(warp::ALL, end, last_lane);
    let mut crossing = 0;
    if lane < 2 {
        let (edge, diagonal) =
            if lane == 0 { (first_edge, first_diagonal) } else { (last_edge, last_diagonal) };
        crossing = Lists::kept(lists, edge).crossing(heads, diagonal);
    }
    let first_crossing = warp::warp_shuffle_idx(warp::ALL, crossing, 0);
    let last_crossing = warp::warp_shuffle_idx(warp::ALL, crossing, 1);

    let starts = lane == 0 || (lane <= last_lane && start == 0);
    let mut leaders = warp::warp_vote_ballot(warp::ALL, starts);
    let mut staged = Staged::EMPTY;
    let mut at = 0;
    while leaders != 0 {
        let this = warp::warp_shuffle_idx(warp::ALL, edge, leaders.trailing_zeros());
        leaders &= leaders - 1;
        let whole = Lists::kept(lists, this);
        let (mut from, mut to) = ((0, 0), (whole.first_len, whole.second_len));
        if this == first_edge {
            from = (first_crossing, first_diagonal - first_crossing);
        }
        if this == last_edge {
            to = (last_crossing, last_diagonal - last_crossing);
        }
        let stretch = whole.copy(heads, stage, at, from, to);
        if this == edge {
            staged = stretch;
        }
        at = stretch.end();
    }
    warp::sync_warp(warp::ALL);
    let skipped = if edge == first_edge { first_diagonal } else { 0 };
    let steps = if lane <= last_lane { end - start } else { 0 };
    let count = staged.walk(stage, start - skipped, steps);
    // Before the next turn's entries stand where these do.
    warp::sync_warp(warp::ALL);
    count
}

/// The edge of the block that a share belongs to: the last with no more shares before it.
#[inline(always)]
unsafe fn edge_of_share(before: Shared<u32>, share: u32) -> u32 {
    let mut edge = 0;
    let mut step = BLOCK / 2;
    while step > 0 {
        if before.get(edge + step) <= share {
            edge += step;
        }
        step /= 2;
    }
    edge
}
