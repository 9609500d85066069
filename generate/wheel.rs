//! Wheels.

use super::{BLOCK, vertices};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};

/// A hub, vertex n, joined to every vertex of a ring of n: n triangles for n > 3, and 4 for n = 3.
#[derive(Debug)]
pub struct Wheel {
    rim: u64,
}

impl Wheel {
    /// A wheel with `rim` vertices around its hub.
    ///
    /// # Errors
    /// [`Error::Usage`] for less than three, or too many.
    pub fn new(rim: u64) -> Result<Wheel> {
        if rim < 3 {
            return Err(Error::Usage(format!("a ring of {rim} is none: use 3 or more").into()));
        }
        vertices(u128::from(rim) + 1)?;
        Ok(Wheel { rim })
    }
}

impl EdgeBlocks for Wheel {
    fn vertices(&self) -> u64 {
        self.rim + 1
    }

    fn entries(&self) -> u64 {
        2 * self.rim
    }

    fn blocks(&self) -> u64 {
        self.rim.div_ceil(BLOCK)
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        let from = block * BLOCK;
        for vertex in from..self.rim.min(from + BLOCK) {
            let next = (vertex + 1) % self.rim;
            edges.push([self.rim as u32, vertex as u32]);
            edges.push([vertex as u32, next as u32]);
        }
    }
}
