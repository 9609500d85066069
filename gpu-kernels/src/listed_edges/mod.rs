//! Edges in no group, by their place in a list: each is searched by a group of lanes.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

use crate::edge_groups::{LISTED, SIZES};
use crate::forward::TOTALS;
use crate::primitives::{Lists, Oriented, block_add_to, lower_bound};

/// Threads in a block.
pub const BLOCK: u32 = 64;

kernel!(
    /// Adds the triangles of the edges at the front of `listed` to `totals`: 2^`lanes_log2` lanes
    /// look up the entries of the shorter row in the longer, by binary search.
    #[requires(
        sizes.len() >= SIZES, totals.len() >= TOTALS, lanes_log2 <= 5, graph.heads.len() < 1 << 32,
    )]
    pub unsafe fn search_listed(
        graph: Oriented,
        listed: In<u32>,
        sizes: In<u32>,
        totals: InOut<u64>,
        lanes_log2: u32,
    ) {
        let edges = u64::from(sizes.get(LISTED));
        let lane = thread::thread_idx_x() & ((1 << lanes_log2) - 1);
        let stride = thread::grid_size() >> lanes_log2;
        let mut count = 0;
        for edge in thread::strided(thread::index_1d() >> lanes_log2..edges, stride) {
            let place = listed.get(edge);
            count += u64::from(search_edge(graph, place, lane, lanes_log2, |_, _| {}));
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

/// This lane's share of the triangles of the edge at `place`: every 2^`lanes_log2`-th entry of the
/// shorter of its prefix and its head's row, looked up in the longer. `found` gets the places of both that are one vertex.
#[inline(always)]
pub(crate) fn search_edge(
    graph: Oriented,
    place: u32,
    lane: u32,
    lanes_log2: u32,
    found: impl Fn(u32, u32),
) -> u32 {
    let heads = graph.heads;
    let [short, long] = Lists::at_once(graph, place).shorter_first();
    let mut from = long.start;
    // A row has fewer than 2³² entries.
    let mut shared = 0;
    for at in thread::strided(short.start + lane..short.end, 1 << lanes_log2) {
        let vertex = heads.get(u64::from(at));
        from = lower_bound(heads, from, long.end, vertex);
        // What is past the end of the longer row is nothing for later vertices either.
        if from == long.end {
            break;
        }
        if heads.get(u64::from(from)) == vertex {
            found(at, from);
            shared += 1;
        }
    }
    shared
}
