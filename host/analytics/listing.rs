//! All triangles, block by block.

use super::cpu::list::ListSink;
use crate::graph::OrientedGraph;
use tribin_cpu::forward::{Piece, Visitor, pieces_of};

/// Wedges of a block: large against what starting one costs, small against memory.
const WEDGES: u64 = 1 << 16;

/// The triangles of a graph, each once, in blocks that are listed when they are asked for.
///
/// The order of the blocks and of the triangles in them depends on the graph and the device that prepared
/// it alone. Memory: 12 bytes for each triangle of a block, which has at most 2¹⁷ + √(2m).
///
/// ```
/// use tribin::analytics::Triangles;
/// # use tribin::{Graph, Options, Session};
/// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
/// let oriented = Session::open(Options::default())?.prepare(&tailed)?.oriented()?;
/// let mut triangles: Vec<_> = Triangles::new(&oriented).iter().collect();
/// triangles[0].sort_unstable();
/// assert_eq!(triangles, [[0, 1, 2]]);
/// # Ok::<(), tribin::Error>(())
/// ```
pub struct Triangles<'g> {
    graph: &'g OrientedGraph,
    visitor: Visitor<'g>,
    pieces: Vec<Piece>,
}

impl<'g> Triangles<'g> {
    /// The triangles of a graph, listed on the CPU block by block when they are asked for. O(n + m); memory: at most 24 bytes an edge for
    /// the hubs' bits, 1.5 MB for each thread, and 32 bytes a block.
    pub fn new(graph: &'g OrientedGraph) -> Triangles<'g> {
        Triangles::with_wedges(graph, WEDGES)
    }

    fn with_wedges(graph: &'g OrientedGraph, wedges: u64) -> Triangles<'g> {
        let pieces = pieces_of(graph, graph.ranks(), wedges);
        Triangles { graph, visitor: Visitor::new(graph), pieces }
    }

    /// Number of blocks. Some may have no triangle.
    pub fn blocks(&self) -> usize {
        self.pieces.len()
    }

    /// The triangles of a block as vertex indexes, ascending in each triangle. Blocks can be listed on
    /// several threads at a time.
    ///
    /// # Panics
    /// If `block` is not below [`blocks`](Self::blocks).
    pub fn block(&self, block: usize) -> Vec<[u32; 3]> {
        let mut sink = ListSink::default();
        self.visitor.visit(self.pieces[block].clone(), &mut sink);
        sink.into_vertices(self.graph.vertex_of_rank())
    }

    /// All triangles, one after another, on this thread: O(m^1.5) time for all of them.
    pub fn iter(&self) -> impl Iterator<Item = [u32; 3]> {
        (0..self.blocks()).flat_map(|block| self.block(block))
    }
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
        let list = |wedges| Triangles::with_wedges(&graph, wedges).iter().collect::<Vec<_>>();
        let whole = list(u64::MAX);
        assert_eq!(whole.len() as u64, forward_cpu::count(&graph));
        assert!(whole.iter().all(|[a, b, c]| a < b && b < c));
        assert_eq!(BTreeSet::from_iter(&whole).len(), whole.len());
        for wedges in [1, 10, 1000, WEDGES] {
            assert_eq!(list(wedges), whole);
        }
    }
}
