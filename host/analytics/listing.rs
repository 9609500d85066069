//! All triangles, block by block.

use std::fmt;

use super::cpu::list::Listing;
use crate::graph::OrientedGraph;
use crate::{Cancel, Result};
use tribin_base::par;

/// Triangles of a [block](TriangleList::block) that a device lists: a copy of 3 MB, large against a hand-over to the device's
/// thread.
const BLOCK: u64 = 1 << 18;

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

/// The triangles of a prepared graph, each once, listed where the graph is when they are asked for
/// (`PreparedGraph::list`).
///
/// Vertices are indexes, ascending in each triangle. In what order the triangles come is not specified; for one prepared
/// graph on one device it is always the same.
pub struct TriangleList<'g> {
    lister: Lister<'g>,
    cancel: Cancel,
}

enum Lister<'g> {
    Host(Triangles<'g>),
    Device(Box<dyn TriangleSource + 'g>),
}

impl fmt::Debug for TriangleList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TriangleList")
            .field("blocks", &self.blocks())
            .field("triangles", &self.triangles())
            .finish_non_exhaustive()
    }
}

impl<'g> TriangleList<'g> {
    /// Triangles that are listed on the CPU.
    pub fn on_host(triangles: Triangles<'g>, cancel: Cancel) -> TriangleList<'g> {
        TriangleList { lister: Lister::Host(triangles), cancel }
    }

    /// Triangles that a device lists.
    pub fn on_device(source: Box<dyn TriangleSource + 'g>, cancel: Cancel) -> Self {
        TriangleList { lister: Lister::Device(source), cancel }
    }

    /// The number of triangles, where a GPU lists them. The CPU does not count them first.
    pub fn triangles(&self) -> Option<u64> {
        match &self.lister {
            Lister::Host(_) => None,
            Lister::Device(source) => Some(source.triangles()),
        }
    }

    /// Number of blocks. Some may have no triangle.
    pub fn blocks(&self) -> usize {
        match &self.lister {
            Lister::Host(triangles) => triangles.blocks(),
            Lister::Device(source) => source.triangles().div_ceil(BLOCK) as usize,
        }
    }

    /// The triangles of a block, at most 2¹⁸ or, on the CPU, 2¹⁷ + √(2m). Blocks can be listed on several threads at a
    /// time.
    ///
    /// # Errors
    /// What the device reports, and [`Error::Cancelled`](crate::Error::Cancelled).
    ///
    /// # Panics
    /// If `block` is not below [`blocks`](Self::blocks).
    pub fn block(&self, block: usize) -> Result<Vec<[u32; 3]>> {
        self.cancel.check()?;
        match &self.lister {
            Lister::Host(triangles) => Ok(triangles.block(block)),
            Lister::Device(source) => {
                assert!(block < self.blocks(), "there is no block {block}");
                let from = block as u64 * BLOCK;
                let mut found = vec![[0; 3]; (source.triangles() - from).min(BLOCK) as usize];
                source.read(from, &mut found)?;
                Ok(found)
            }
        }
    }

    /// Hands all triangles to `take`, on this thread, in chunks of at most `most`: O(m^1.5) work. Memory: 12 bytes for
    /// each triangle of a chunk.
    ///
    /// On a GPU large chunks are fastest (2²⁴ triangles and more): while one piece of a chunk is copied the next is
    /// listed. An error of `take` ends it.
    ///
    /// # Errors
    /// What the device reports, [`Error::Cancelled`](crate::Error::Cancelled), and those of `take`.
    ///
    /// # Panics
    /// If `most` is 0.
    pub fn for_each(
        &self,
        most: usize,
        mut take: impl FnMut(&[[u32; 3]]) -> Result<()>,
    ) -> Result<()> {
        assert!(most > 0, "chunks without triangles");
        match &self.lister {
            Lister::Host(triangles) => {
                let together = 2 * par::threads();
                for first in (0..triangles.blocks()).step_by(together) {
                    self.cancel.check()?;
                    let blocks = first..triangles.blocks().min(first + together);
                    let found = par::map(blocks, |block| triangles.block(block));
                    found.iter().flat_map(|block| block.chunks(most)).try_for_each(&mut take)?;
                }
            }
            Lister::Device(source) => {
                let triangles = source.triangles();
                let len = |from: u64| (triangles - from).min(most as u64) as usize;
                let mut chunk = vec![[0; 3]; len(0)];
                let mut from = 0;
                while from < triangles {
                    self.cancel.check()?;
                    let chunk = &mut chunk[..len(from)];
                    source.read(from, chunk)?;
                    take(chunk)?;
                    from += chunk.len() as u64;
                }
            }
        }
        Ok(())
    }
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
