//! Every triangle once, in blocks of bounded size.

use crate::graph::{OrientedGraph, Rows};
use tribin_cpu::forward::{Piece, Sink, Visitor};

/// Wedges of a block: large against what starting one costs, small against memory.
const WEDGES: u64 = 1 << 16;

/// The triangles of an oriented graph, cut into blocks that can be listed in any order, on any thread.
///
/// A block has at most 2¹⁷ + √(2m) triangles. The blocks, and the order within each, depend on the graph
/// alone.
pub struct Listing<'g> {
    visitor: Visitor<'g>,
    pieces: Vec<Piece>,
}

impl<'g> Listing<'g> {
    /// Cuts the graph into blocks, in O(n + m). Memory: at most 24 bytes an edge for the hubs' bits, 1.5
    /// MB for each thread, and 32 bytes a block.
    pub fn new(graph: &'g OrientedGraph) -> Listing<'g> {
        Listing::with_wedges(graph, WEDGES)
    }

    fn with_wedges(graph: &'g OrientedGraph, wedges: u64) -> Listing<'g> {
        let visitor = Visitor::new(graph);
        let pieces = visitor.pieces(wedges);
        Listing { visitor, pieces }
    }

    /// Number of blocks.
    pub fn blocks(&self) -> usize {
        self.pieces.len()
    }

    /// The triangles of a block, each as its ranks in descending order.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn block(&self, block: usize) -> Vec<[u32; 3]> {
        let mut sink = ListSink::default();
        self.visitor.visit(self.pieces[block].clone(), &mut sink);
        sink.found
    }
}

/// Keeps each triangle as its ranks in descending order.
#[derive(Default)]
pub struct ListSink {
    row: Vec<u32>,
    u: u32,
    a: u32,
    /// The triangles.
    pub found: Vec<[u32; 3]>,
}

impl<T: Rows, H> Sink<T, H> for ListSink {
    #[inline(always)]
    fn begin_row(&mut self, tails: &T, u: u32) {
        self.u = u;
        self.row.clear();
        self.row.extend_from_slice(tails.row(u));
    }

    #[inline(always)]
    fn begin_edge(&mut self, _: &H, _: usize, a: u32) {
        self.a = a;
    }

    #[inline(always)]
    fn triangle(&mut self, q: usize, _: usize) {
        self.found.push([self.u, self.a, self.row[q]]);
    }

    #[inline(always)]
    fn end_row(&mut self, _: &T, _: u32) {}
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use tribin_cpu::forward as forward_cpu;
    use tribin_cpu::prepare::prepare;

    #[test]
    fn blocks_of_any_size_list_the_same_in_the_same_order() {
        let mut edges: Vec<[u32; 2]> = (0..60).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
        edges.extend((60..500).flat_map(|v| [[v, v - 1], [v, v * 7 % 60], [v, v * 11 % 60]]));
        let graph = prepare(&edges, 500).oriented;
        let list = |wedges| {
            let listing = Listing::with_wedges(&graph, wedges);
            (0..listing.blocks()).flat_map(|block| listing.block(block)).collect::<Vec<_>>()
        };
        let whole = list(u64::MAX);
        assert_eq!(whole.len() as u64, forward_cpu::count(&graph));
        assert!(whole.iter().all(|[u, a, b]| u > a && a > b));
        assert_eq!(BTreeSet::from_iter(&whole).len(), whole.len());
        for wedges in [1, 10, 1000, WEDGES] {
            assert_eq!(list(wedges), whole);
        }
    }
}
