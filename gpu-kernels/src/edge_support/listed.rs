use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

use crate::edge_groups::{LISTED, SIZES};
use crate::listed_edges::search_edge;
use crate::primitives::Oriented;

kernel!(
    /// Adds to `support` the triangles that the edges at the front of `listed` close: 2^`lanes_log2`
    /// lanes look up the entries of the shorter row in the longer, by binary search.
    #[requires(
        sizes.len() >= SIZES, lanes_log2 <= 5, graph.heads.len() < 1 << 32, support.len() >= graph.heads.len(),
    )]
    pub unsafe fn support_listed(
        graph: Oriented,
        listed: In<u32>,
        sizes: In<u32>,
        support: InOut<u32>,
        lanes_log2: u32,
    ) {
        let edges = u64::from(sizes.get(LISTED));
        let lane = thread::thread_idx_x() & ((1 << lanes_log2) - 1);
        let stride = thread::grid_size() >> lanes_log2;
        for edge in thread::strided(thread::index_1d() >> lanes_log2..edges, stride) {
            let place = listed.get(edge);
            let add = |at: u32, from: u32| {
                support.atomic_add(u64::from(at), 1);
                support.atomic_add(u64::from(from), 1);
            };
            let count = search_edge(graph, place, lane, lanes_log2, add);
            if count > 0 {
                support.atomic_add(u64::from(place), count);
            }
        }
    }
);
