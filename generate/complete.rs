//! Complete graphs.

use super::{entries, numbers, pairs, vertices};
use crate::Result;
use crate::graph::EdgeBlocks;

/// Every pair of n vertices once: n(n-1)(n-2)/6 triangles.
#[derive(Debug)]
pub struct Complete {
    vertices: u64,
    entries: u64,
}

impl Complete {
    /// The complete graph of `vertices` vertices.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for too many.
    pub fn new(vertices: u64) -> Result<Complete> {
        let vertices = self::vertices(vertices.into())?;
        let entries = entries(u128::from(vertices) * u128::from(vertices.saturating_sub(1)) / 2)?;
        Ok(Complete { vertices, entries })
    }
}

impl EdgeBlocks for Complete {
    fn vertices(&self) -> u64 {
        self.vertices
    }

    fn entries(&self) -> u64 {
        self.entries
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        let pairs = pairs(numbers(block, self.entries));
        edges.extend(pairs.map(|ends| ends.map(|vertex| vertex as u32)));
    }
}
