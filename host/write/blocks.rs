//! Edges that come block by block, with a gauge.

use crate::Work;
use crate::graph::{EdgeBlocks, Formula};

/// Edges with a gauge that counts the blocks which were asked for.
pub struct Gauged<'a> {
    edges: &'a dyn EdgeBlocks,
    work: &'a Work,
}

impl<'a> Gauged<'a> {
    /// Begins the gauge.
    pub fn new(edges: &'a dyn EdgeBlocks, work: &'a Work) -> Gauged<'a> {
        work.begin(edges.blocks());
        Gauged { edges, work }
    }
}

impl EdgeBlocks for Gauged<'_> {
    fn vertices(&self) -> u64 {
        self.edges.vertices()
    }

    fn entries(&self) -> u64 {
        self.edges.entries()
    }

    fn blocks(&self) -> u64 {
        self.edges.blocks()
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        self.edges.block(block, edges);
        self.work.add(1);
    }

    fn formula(&self) -> Option<Formula> {
        self.edges.formula()
    }
}
