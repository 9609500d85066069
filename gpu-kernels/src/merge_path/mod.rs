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
//! | at most `lane_most` | one lane |
//! | more | ⌈length / `share`⌉ lanes of the block: several edges side by side in a warp, or one edge over several warps |

mod split;

use warpwise_device::memory::InOut;
use warpwise_device::shared::Shared;
use warpwise_device::{kernel, shared, thread, warp};

use crate::forward::{TOTALS, merge_edge};
use crate::primitives::{Oriented, Scanned, block_add_to, block_scan_exclusive};
use split::EdgePath;

/// Threads in a block, and edges that a block takes at a time.
pub const BLOCK: u32 = 128;

const WARPS: u32 = BLOCK / warp::SIZE;

const SCAN_AT: u32 = 0;
const BEFORE_AT: u32 = SCAN_AT + WARPS * 4;
const LISTS_AT: u32 = BEFORE_AT + BLOCK * 4;

/// Bytes of shared memory of a block. What it does not take is cache: neighbouring lanes walk
/// neighbouring stretches of the same lists.
pub const SHARED_BYTES: u32 = LISTS_AT + BLOCK * 4 * EdgePath::WORDS;

kernel!(
    /// Adds the number of triangles that the edges from place `first` to before `m` close to `totals`: over all
    /// edges, their sum is the count.
    ///
    /// The bounds of the counts are those of `forward_merge`. The lists of the
    /// edge u → a at place i are what stands before place i in u's row, and a's row.
    ///
    /// Launch with blocks of [`BLOCK`] threads and [`SHARED_BYTES`]. The lists of an edge have fewer
    /// than 2³² / [`BLOCK`] entries together: in the order of degrees they are shorter than 2¹⁸.
    #[requires(
        |shape| graph.tails.len() >= m, graph.heads.len() >= m, m < 1 << 32, totals.len() >= TOTALS, share > 0,
        shape.block.x == BLOCK, shape.shared_bytes >= SHARED_BYTES,
    )]
    pub unsafe fn merge_path(
        graph: Oriented,
        totals: InOut<u64>,
        first: u64,
        m: u64,
        share: u32,
        lane_most: u32,
    ) {
        let thread = thread::thread_idx_x();
        let scan = shared::array::<u32>(SCAN_AT, WARPS);
        let before = shared::array::<u32>(BEFORE_AT, BLOCK);
        let lists = shared::array::<u32>(LISTS_AT, BLOCK * EdgePath::WORDS);

        let mut count = 0;
        let begin = first + u64::from(thread::block_idx_x()) * u64::from(BLOCK);
        let step = u64::from(thread::grid_dim_x()) * u64::from(BLOCK);
        for block in thread::strided(begin..m, step) {
            let i = block + u64::from(thread);
            let mut shares = 0;
            if i < m {
                let edge = EdgePath::of(graph, i as u32);
                if edge.first_len > 0 && edge.second_len > 0 {
                    if edge.len() <= lane_most {
                        count += u64::from(merge_edge(graph, i as u32));
                    } else {
                        // What is past the other list's end is no part of the walk.
                        let edge = edge.trimmed(graph.heads);
                        if edge.first_len > 0 && edge.second_len > 0 {
                            // `max` tells the compiler what `requires` says.
                            shares = edge.len().div_ceil(share.max(1));
                        }
                        edge.keep(lists, thread);
                    }
                }
            }
            let Scanned { before: shares_before, all: all_shares } =
                block_scan_exclusive(scan, shares);
            before.set(thread, shares_before);
            thread::sync_threads();
            for own in thread::strided(thread..all_shares, BLOCK) {
                let edge = edge_of_share(before, own);
                let start = (own - before.get(edge)) * share;
                count += u64::from(EdgePath::kept(lists, edge).walk(graph.heads, start, share));
            }
            // Before the next edges stand where these do.
            thread::sync_threads();
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

/// The edge of the block that a share belongs to: the last with no more shares before it.
#[inline(always)]
fn edge_of_share(before: Shared<u32>, share: u32) -> u32 {
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
