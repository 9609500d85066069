//! GAP's uniform graph.

use super::Size;
use crate::Result;
use crate::graph::EdgeBlocks;

/// The graph that GAP calls Urand (`-u SCALE -k DEGREE`): both ends of every entry are uniform over the
/// vertices. Self-loops and duplicates occur.
///
/// How a C++ library makes a uniform number is its own: an end is the upper bits of a draw, as GAP has it
/// when it is built with GCC 11 or later. Older ones give other graphs.
#[derive(Debug)]
pub struct GapUrand {
    size: Size,
}

impl GapUrand {
    /// 2^`scale` vertices and `degree` times as many entries. GAP's own graph has scale 27 and degree
    /// 16. There is no seed: GAP's is a constant.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for a scale above 31 and too many entries.
    pub fn new(scale: u32, degree: u64) -> Result<GapUrand> {
        Ok(GapUrand { size: Size::new(scale, degree)? })
    }
}

impl EdgeBlocks for GapUrand {
    fn vertices(&self) -> u64 {
        self.size.vertices()
    }

    fn entries(&self) -> u64 {
        self.size.entries
    }

    fn blocks(&self) -> u64 {
        self.size.blocks()
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        let (mut draws, entries) = self.size.draws(block);
        edges.extend((0..entries).map(|_| {
            // A scale is at most 31: 64 bits shift by all 32.
            [0; 2].map(|_: u32| (u64::from(draws.next_u32()) << self.size.scale >> 32) as u32)
        }));
    }
}
