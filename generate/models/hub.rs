//! One vertex beside all others.

use super::{ErdosRenyi, Star, vertices};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};

/// A hub, the last vertex, joined to all others, which are a uniform graph as [`ErdosRenyi`] has it,
/// with its self-loops and duplicates: as many triangles as that graph has edges and triangles.
#[derive(Debug)]
pub struct Hub {
    star: Star,
    others: ErdosRenyi,
}

impl Hub {
    /// `vertices` vertices with the hub, and `edges` entries between the others.
    ///
    /// # Errors
    /// [`Error::Usage`] for no vertex and too many, for too many edges, and for edges without vertices
    /// beside the hub.
    pub fn new(vertices: u64, edges: u64, seed: u64) -> Result<Hub> {
        let Some(others) = vertices.checked_sub(1) else {
            return Err(Error::Usage("a hub is a vertex: use 1 or more".into()));
        };
        self::vertices(vertices.into())?;
        super::entries(u128::from(edges) + u128::from(others))?;
        Ok(Hub { star: Star::new(others)?, others: ErdosRenyi::new(others, edges, seed)? })
    }
}

impl EdgeBlocks for Hub {
    fn vertices(&self) -> u64 {
        self.star.vertices()
    }

    fn entries(&self) -> u64 {
        self.star.entries() + self.others.entries()
    }

    fn blocks(&self) -> u64 {
        self.star.blocks() + self.others.blocks()
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        match block.checked_sub(self.star.blocks()) {
            None => self.star.block(block, edges),
            Some(block) => self.others.block(block, edges),
        }
    }
}
