//! All triangles, block by block.

use super::cpu::list::Listing;
use crate::Result;
use crate::graph::OrientedGraph;

/// Triangles that a device lists, each at a place of its own.
pub trait TriangleSource: Send + Sync {
    /// The number of triangles.
    fn triangles(&self) -> u64;

    /// Lists the triangles from place `from` on, as many as fit `to`: vertex indexes, ascending in each triangle. There
    /// are as many.
    ///
    /// # Errors
    /// What the device reports.
    fn read(&self, from: u64, to: &mut [[u32; 3]]) -> Result<()>;
}

/// The triangles of a graph, each once, in blocks that are listed when they are asked for.
///
/// The order of the blocks and of the triangles in them depends on the graph and the device that prepared
/// it alone. Memory: 12 bytes for each triangle of a block, which has at most 2¹⁷ + √(2m).
///
/// ```
/// use tribin::analytics::Triangles;
/// # use tribin::{Graph, Options, Session};
/// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
/// let oriented = Session::new(Options::default())?.prepare(&tailed)?.oriented()?;
/// let mut triangles: Vec<_> = Triangles::new(&oriented).iter().collect();
/// triangles[0].sort_unstable();
/// assert_eq!(triangles, [[0, 1, 2]]);
/// # Ok::<(), tribin::Error>(())
/// ```
pub struct Triangles<'g> {
    graph: &'g OrientedGraph,
    listing: Listing<'g>,
}

impl<'g> Triangles<'g> {
    /// Of this graph, listed on the CPU block by block when they are asked for.
    pub fn new(graph: &'g OrientedGraph) -> Triangles<'g> {
        Triangles { graph, listing: Listing::new(graph) }
    }

    /// Number of blocks. Some may have no triangle.
    pub fn blocks(&self) -> usize {
        self.listing.blocks()
    }

    /// The triangles of a block as vertex indexes, ascending in each triangle. Blocks can be listed on
    /// several threads at a time.
    ///
    /// # Panics
    /// If `block` is not below [`blocks`](Self::blocks).
    pub fn block(&self, block: usize) -> Vec<[u32; 3]> {
        let mut triangles = self.listing.block(block);
        for triangle in &mut triangles {
            *triangle = triangle.map(|rank| self.graph.vertex_of_rank[rank as usize]);
            triangle.sort_unstable();
        }
        triangles
    }

    /// All triangles, one after another, on this thread: O(m^1.5) time for all of them.
    pub fn iter(&self) -> impl Iterator<Item = [u32; 3]> {
        (0..self.blocks()).flat_map(|block| self.block(block))
    }
}
