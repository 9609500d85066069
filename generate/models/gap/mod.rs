//! The generators of the GAP Benchmark Suite (Beamer, Asanović, Patterson, "The GAP Benchmark Suite",
//! arXiv:1508.03619), draw by draw.
//!
//! GAP draws its edges in blocks, each with a Mersenne Twister of its own that is seeded with the
//! block's number: so they can be had in parallel here too.

mod kron;
mod urand;

pub use kron::GapKron;
pub use urand::GapUrand;

use rand_mt::Mt;

use super::{entries, vertices};
use crate::Result;

/// Entries of one of GAP's blocks.
const BLOCK: u64 = 1 << 18;

/// The seed of the first block; each other's is one more than that of the block before.
const SEED: u64 = 27_491_095;

/// The size of either kind of graph: 2^`scale` vertices and `degree` times as many entries.
#[derive(Debug)]
struct Size {
    scale: u32,
    entries: u64,
}

impl Size {
    fn new(scale: u32, degree: u64) -> Result<Size> {
        let vertices = vertices(1u128.checked_shl(scale).unwrap_or(u128::MAX))?;
        let entries = entries(u128::from(vertices) * u128::from(degree))?;
        Ok(Size { scale, entries })
    }

    fn vertices(&self) -> u64 {
        1 << self.scale
    }

    fn blocks(&self) -> u64 {
        self.entries.div_ceil(BLOCK)
    }

    /// The draws of a block, and how many entries it has.
    fn draws(&self, block: u64) -> (Mt, usize) {
        // GAP adds in 64 bits, and the Mersenne Twister takes the lower 32.
        let draws = Mt::new((SEED + block) as u32);
        (draws, BLOCK.min(self.entries - block * BLOCK) as usize)
    }
}
