//! Degrees from edges in any order, and whether that order is one to keep.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread, warp};

use crate::primitives::{block_add_to, warp_add_runs};

/// Threads in a block.
pub const BLOCK: u32 = 256;

/// Set in the order of the edges: some edge is not above the one before, by first vertex, then second.
/// Then nothing else is looked at.
pub const UNSORTED: u32 = 1;
/// Set in the order of the edges: some first vertex is not below the second.
pub const NOT_UPWARD: u32 = 2;
/// Set in the order of the edges: some first vertex is not above the second.
pub const NOT_DOWNWARD: u32 = 4;

kernel! {
    /// Adds to `degrees[v]` the number of edges at `v` among those from place `first` to before `m`,
    /// duplicates counted, self-loops not; and to `loops[0]` the number of self-loops.
    ///
    /// Sets in `order[0]` what holds of their order, after the edge before them if there is one: [`UNSORTED`], [`NOT_UPWARD`],
    /// [`NOT_DOWNWARD`]. Edges that are sorted and all of one direction have no duplicates and no
    /// self-loops among them.
    ///
    /// An edge is two 32-bit vertices in one word, the first in its low half. Every vertex is below `degrees.len()`. With
    /// `m < 2³²` no degree overflows: an edge adds at most one to each.
    ///
    /// Launch with whole warps and any number of blocks of [`BLOCK`] threads.
    pub fn count_degrees(
        edges: In<u64>, degrees: InOut<u32>, loops: InOut<u64>, order: InOut<u32>, first: u64,
        m: u64
    )
    requires { edges.len() >= m, !loops.is_empty(), !order.is_empty() }
    {
        let lane = u64::from(warp::lane_id());
        let stride = thread::grid_size();
        let mut own_loops = 0;
        let mut own_order = 0;
        let mut i = first + thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while i - lane < m {
            let live = i < m;
            let edge = if live { edges.get(i) } else { 0 };
            let (u, v) = (edge as u32, (edge >> 32) as u32);
            let counts = live && u != v;
            if live && u == v {
                own_loops += 1;
            }
            if live && own_order & UNSORTED == 0 {
                // The first vertex in the high half.
                if i > 0 && edges.get(i - 1).rotate_left(32) >= edge.rotate_left(32) {
                    own_order |= UNSORTED;
                }
                own_order |= if u >= v { NOT_UPWARD } else { 0 };
                own_order |= if u <= v { NOT_DOWNWARD } else { 0 };
            }
            warp_add_runs(degrees, u, counts, 1);
            warp_add_runs(degrees, v, counts, 1);
            i += stride;
        }
        block_add_to(loops, 0, own_loops);
        let mut in_warp = 0;
        let mut flag = UNSORTED;
        while flag <= NOT_DOWNWARD {
            in_warp |= if warp::warp_vote_any(warp::ALL, own_order & flag != 0) { flag } else { 0 };
            flag *= 2;
        }
        if lane == 0 && in_warp != 0 {
            order.atomic_or(0, in_warp);
        }
    }
}
