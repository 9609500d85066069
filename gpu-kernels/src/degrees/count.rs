use warpwise_device::memory::{In, InOut};
use warpwise_device::shared::Layout;
use warpwise_device::{kernel, thread, warp};

use super::hubs::Hubs;
use super::seen::{Seen, raise_label};
use crate::primitives::warp_add_runs;

/// Threads in a block.
pub const BLOCK: u32 = 256;

const HUBS: (Layout, Hubs) = Hubs::behind(Layout::new());

/// Bytes of shared memory of a block.
pub const SHARED_BYTES: u32 = HUBS.0.bytes();

kernel!(
    /// Adds to `degrees[v]` the number of edges at `v` among those from place `first` to before `m`,
    /// duplicates counted, self-loops not. Adds to `loops[0]` the number of self-loops, and looks at the order of the edges.
    ///
    /// Also raises `labels[v]` to the greatest hash above `floor` of v's neighbours by these edges. Those neighbours are landmarks ([`min_hash`](crate::min_hash)). With a floor of `u32::MAX` there are none, and
    /// `labels` may be empty.
    ///
    /// Sets in `order[0]` what holds of their order, after the edge before them if there is one:
    /// [`UNSORTED`](super::UNSORTED), [`NOT_UPWARD`](super::NOT_UPWARD), [`NOT_DOWNWARD`](super::NOT_DOWNWARD). Edges that are
    /// sorted and all of one direction have no duplicates and no self-loops among them.
    ///
    /// An edge is two 32-bit vertices in one word, the first in its low half. Every vertex is below `degrees.len()`. With
    /// `m < 2³²` no degree overflows: an edge adds at most one to each.
    ///
    /// A block counts vertices that many of the edges have in its own memory, since additions to one word follow one
    /// another. It finds them in a sample of the edges.
    ///
    /// Launch with whole warps, any number of blocks of [`BLOCK`] threads, and [`SHARED_BYTES`].
    #[requires(
        edges.len() >= m, first <= m, !loops.is_empty(), !order.is_empty(),
        floor == u32::MAX || labels.len() >= degrees.len(),
    )]
    pub unsafe fn count_degrees(
        edges: In<u64>,
        degrees: InOut<u32>,
        labels: InOut<u32>,
        loops: InOut<u64>,
        order: InOut<u32>,
        first: u64,
        m: u64,
        floor: u32,
    ) {
        let hubs = HUBS.1.find(edges, first, m);
        let lane = u64::from(warp::lane_id());
        let stride = thread::grid_size();
        let mut seen = Seen::nothing(true);
        let mut i = first + thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while i - lane < m {
            let live = i < m;
            let edge = if live { edges.get(i) } else { 0 };
            let (u, v) = (edge as u32, (edge >> 32) as u32);
            let counts = live && u != v;
            if live {
                seen.look(edges, i, edge);
            }
            warp_add_runs(degrees, u, counts && !hubs.count(u, counts), 1);
            warp_add_runs(degrees, v, counts && !hubs.count(v, counts), 1);
            if floor != u32::MAX && counts {
                raise_label(labels, u, v, floor);
                raise_label(labels, v, u, floor);
            }
            i += stride;
        }
        hubs.add_to(degrees);
        seen.add_to(loops, order);
    }
);
