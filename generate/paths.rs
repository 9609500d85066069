//! Disjoint paths.

use super::{numbers, vertices};
use crate::Result;
use crate::graph::EdgeBlocks;

/// Paths that share no vertex: no triangle, no degree above 2, and an edge for nearly every vertex.
/// The i-th vertex of path p is p · (length + 1) + i.
#[derive(Debug)]
pub struct Paths {
    paths: u64,
    length: u64,
}

impl Paths {
    /// `paths` paths of `length` edges each.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for too many vertices.
    pub fn new(paths: u64, length: u64) -> Result<Paths> {
        vertices(u128::from(paths) * (u128::from(length) + 1))?;
        // Without paths a length has no bound, and no meaning.
        Ok(Paths { paths, length: if paths == 0 { 0 } else { length } })
    }
}

impl EdgeBlocks for Paths {
    fn vertices(&self) -> u64 {
        self.paths * (self.length + 1)
    }

    fn entries(&self) -> u64 {
        self.paths * self.length
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        edges.extend(numbers(block, self.entries()).map(|number| {
            // Each path before this one has a vertex more than it has edges.
            let vertex = number + number / self.length;
            [vertex as u32, vertex as u32 + 1]
        }));
    }
}
