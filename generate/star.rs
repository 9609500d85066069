//! Stars.

use super::{numbers, vertices};
use crate::Result;
use crate::graph::EdgeBlocks;

/// A centre, vertex n, joined to the n vertices below it: no triangle, the most wedges for its edges.
#[derive(Debug)]
pub struct Star {
    leaves: u64,
}

impl Star {
    /// A star of `leaves` leaves.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for too many.
    pub fn new(leaves: u64) -> Result<Star> {
        vertices(u128::from(leaves) + 1)?;
        Ok(Star { leaves })
    }
}

impl EdgeBlocks for Star {
    fn vertices(&self) -> u64 {
        self.leaves + 1
    }

    fn entries(&self) -> u64 {
        self.leaves
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        edges.extend(numbers(block, self.leaves).map(|leaf| [self.leaves as u32, leaf as u32]));
    }
}
