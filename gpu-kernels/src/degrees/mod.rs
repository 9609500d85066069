//! Degrees from edges in any order.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread, warp};

use crate::primitives::{block_add_to, warp_add_runs};

/// Threads in a block.
pub const BLOCK: u32 = 256;

kernel! {
    /// Adds to `degrees[v]` the number of edges at `v`, duplicates counted, self-loops not; and to
    /// `loops[0]` the number of self-loops.
    ///
    /// An edge is two 32-bit vertices in one word. Every vertex is below `degrees.len()`. With
    /// `m < 2³²` no degree overflows: an edge adds at most one to each.
    ///
    /// Launch with whole warps and any number of blocks of [`BLOCK`] threads.
    pub fn count_degrees(edges: In<u64>, degrees: InOut<u32>, loops: InOut<u64>, m: u64)
    requires { edges.len() >= m, !loops.is_empty() }
    {
        let lane = u64::from(warp::lane_id());
        let stride = thread::grid_size();
        let mut own_loops = 0;
        let mut i = thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while i - lane < m {
            let live = i < m;
            let edge = if live { edges.get(i) } else { 0 };
            let (u, v) = (edge as u32, (edge >> 32) as u32);
            let counts = live && u != v;
            if live && u == v {
                own_loops += 1;
            }
            warp_add_runs(degrees, u, counts, 1);
            warp_add_runs(degrees, v, counts, 1);
            i += stride;
        }
        block_add_to(loops, 0, own_loops);
    }
}
