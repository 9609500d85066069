//! Kronecker products of stars.

use super::{blocks_of, entries, numbers, vertices};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};

/// The place of the self-loops of stars before they are multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loops {
    /// No self-loops: the product is bipartite.
    None,
    /// A self-loop is on every centre.
    Centre,
    /// A self-loop is on the last leaf of every star.
    Leaf,
}

/// GraphChallenge's "Theory" graphs: the Kronecker product of the adjacency matrices of stars, the
/// first factor most significant, without the product's own self-loop (Kepner et al., "Design,
/// Generation, and Validation of Extreme Scale Power-Law Graphs", IPDPSW 2018).
///
/// f stars of k₁, …, k_f leaves have Π(kᵢ+1) vertices. With c = Π(2kᵢ+1), the number of entries of
/// the product with loops, they have (c-1)/2 edges, and Π2kᵢ/2 without. Triangles:
///
/// | loops | triangles |
/// | --- | --- |
/// | none | 0 |
/// | on the centre | (Π(3kᵢ+1) - 3Π(kᵢ+1) + 2)/6 |
/// | on a leaf | (4^f - 3·2^f + 2)/6 |
///
/// since the trace of the cube of a product is the product of the traces (3k+1 and 4 for a star with
/// a loop), and taking one loop away at a vertex of d neighbours, itself among them, takes 3d - 2 from
/// the trace.
#[derive(Debug)]
pub struct Theory {
    leaves: Vec<u64>,
    loops: Loops,
    vertices: u64,
    /// Entries of the whole product, loop and both directions included.
    product: u64,
}

impl Theory {
    /// The product of stars with the given numbers of leaves.
    ///
    /// # Errors
    /// [`Error::Usage`] for too many vertices or edges, and for no star or one without leaves.
    pub fn new(leaves: &[u64], loops: Loops) -> Result<Theory> {
        if leaves.is_empty() || leaves.contains(&0) {
            return Err(Error::Usage("a product needs stars of one leaf or more each".into()));
        }
        let product = |of: &dyn Fn(u128) -> u128| {
            leaves.iter().fold(1u128, |product, &k| product.saturating_mul(of(k.into())))
        };
        let per_star = u128::from(loops != Loops::None);
        Ok(Theory {
            leaves: leaves.to_vec(),
            loops,
            vertices: vertices(product(&|k| k + 1))?,
            product: entries(product(&|k| 2 * k + per_star))?,
        })
    }

    /// The triangles, by the closed form above. `None` where they pass 64 bits.
    pub fn triangles(&self) -> Option<u64> {
        let product = |of: &dyn Fn(u128) -> u128| {
            self.leaves.iter().try_fold(1u128, |product, &k| product.checked_mul(of(k.into())))
        };
        let sixfold = match self.loops {
            Loops::None => 0,
            Loops::Centre => product(&|k| 3 * k + 1)? + 2 - 3 * product(&|k| k + 1)?,
            Loops::Leaf => product(&|_| 4)? + 2 - 3 * product(&|_| 2)?,
        };
        u64::try_from(sixfold / 6).ok()
    }

    /// Entries of a star.
    fn star(&self, k: u64) -> u64 {
        2 * k + u64::from(self.loops != Loops::None)
    }

    /// Row and column of a star's entry: to and from each leaf, then the loop.
    fn entry(&self, k: u64, number: u64) -> [u64; 2] {
        let leaf = number / 2 + 1;
        match (number == 2 * k, number.is_multiple_of(2)) {
            (true, _) if self.loops == Loops::Centre => [0, 0],
            (true, _) => [k, k],
            (false, true) => [0, leaf],
            (false, false) => [leaf, 0],
        }
    }
}

impl EdgeBlocks for Theory {
    fn vertices(&self) -> u64 {
        self.vertices
    }

    fn entries(&self) -> u64 {
        // Each edge is there in both directions; a loop is half of an entry too many.
        self.product / 2
    }

    fn blocks(&self) -> u64 {
        blocks_of(self.product)
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        let numbers = numbers(block, self.product);
        // The last star's entries follow each other; what is before them changes with their first.
        let (&last, before) = self.leaves.split_last().expect("a star at least");
        let mut high = [0, 0];
        let mut digit = numbers.start % self.star(last);
        let mut prefix = numbers.start / self.star(last);
        for number in numbers.clone() {
            if digit == 0 || number == numbers.start {
                high = [0, 0];
                let mut rest = prefix;
                let mut scale = 1;
                for &k in before.iter().rev() {
                    let [row, column] = self.entry(k, rest % self.star(k));
                    high = [high[0] + scale * row, high[1] + scale * column];
                    scale *= k + 1;
                    rest /= self.star(k);
                }
                prefix += 1;
            }
            let [row, column] = self.entry(last, digit);
            let ends = [high[0] * (last + 1) + row, high[1] * (last + 1) + column];
            if ends[0] < ends[1] {
                edges.push(ends.map(|vertex| vertex as u32));
            }
            digit = (digit + 1) % self.star(last);
        }
    }
}
