//! GAP's Kronecker graph.

use super::super::check_memory;
use super::Size;
use crate::Result;
use crate::graph::EdgeBlocks;
use crate::random::permutation;

/// The graph that GAP calls Kron (`-g SCALE -k DEGREE`): R-MAT with Graph500's probabilities. GAP names
/// the vertices by a permutation that depends on its C++ library, so here they have another one, from a
/// seed: each seed gives GAP's graph with other names. Self-loops and duplicates occur.
///
/// GAP compares numbers of 24 bits, which are rounded from the generator's 32, with probabilities of 24
/// bits: [`Rmat`](crate::Rmat) is the same model, other edges.
///
/// The permutation takes 4 bytes a vertex.
#[derive(Debug)]
pub struct GapKron {
    size: Size,
    ids: Vec<u32>,
}

// Sums as GAP has them, of numbers that are rounded already.
const A: f32 = 0.57;
const AB: f32 = A + 0.19;
const ABC: f32 = AB + 0.19;

impl GapKron {
    /// 2^`scale` vertices and `degree` times as many entries. GAP's own graph has scale 27 and degree
    /// 16.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) for a scale above 31 and too many entries.
    pub fn new(scale: u32, degree: u64, seed: u64) -> Result<GapKron> {
        let size = Size::new(scale, degree)?;
        check_memory(4 * size.vertices())?;
        let ids = permutation(size.vertices() as u32, seed);
        Ok(GapKron { size, ids })
    }
}

impl EdgeBlocks for GapKron {
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
            let [mut row, mut column] = [0; 2];
            for _ in 0..self.size.scale {
                // The nearest number of 24 bits; the division is exact.
                let point = draws.next_u32() as f32 / (1u64 << 32) as f32;
                let lower = point >= AB;
                let right = point > if lower { ABC } else { A };
                row = row << 1 | usize::from(lower);
                column = column << 1 | usize::from(right);
            }
            [self.ids[row], self.ids[column]]
        }));
    }
}
