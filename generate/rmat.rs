//! The recursive matrix model, as Graph500 uses it.

mod descent;

use super::random::{Streams, permutation};
use super::{Probability, entries, numbers, vertices};
use crate::graph::{EdgeBlocks, check_memory};
use crate::{Error, Result};
use descent::{Descent, Instructions, LANES};

/// Graph500's probabilities of the quadrants: 0.57, 0.19, 0.19 and (the rest) 0.05.
pub const GRAPH500: [Probability; 3] =
    [Probability::per_mille(570), Probability::per_mille(190), Probability::per_mille(190)];

/// R-MAT: each edge falls into a quadrant of the adjacency matrix, then into a quadrant of that, and
/// so on to a single entry (Chakrabarti, Zhan, Faloutsos, "R-MAT: A Recursive Model for Graph Mining",
/// SDM 2004). Ids are permuted. Self-loops and duplicates occur.
///
/// The permutation takes 4 bytes a vertex.
#[derive(Debug)]
pub struct Rmat {
    entries: u64,
    descent: Descent,
    instructions: Instructions,
    /// The id of each place.
    ids: Vec<u32>,
}

impl Rmat {
    /// 2^`scale` vertices and `edge_factor` times as many entries; `quadrants` are the probabilities
    /// a (up left), b (up right) and c (down left), and d is the rest.
    ///
    /// # Errors
    /// [`Error::Usage`] for a scale above 31 and probabilities of more than 1 together; [`Error::Input`] where memory does not
    /// hold an id for each vertex.
    pub fn new(
        scale: u32,
        edge_factor: u64,
        quadrants: [Probability; 3],
        seed: u64,
    ) -> Result<Rmat> {
        let vertices = vertices(1u128.checked_shl(scale).unwrap_or(u128::MAX))?;
        let entries = entries(u128::from(edge_factor) * u128::from(vertices))?;
        let [a, b, c] = quadrants;
        let sums = a.plus(b).and_then(|ab| Some((ab, ab.plus(c)?)));
        let (ab, abc) = sums.ok_or_else(|| {
            Error::Usage(format!(
                "the probabilities {a}, {b} and {c} of the quadrants a, b and c are more than 1 \
                 together: lower them"
            ).into())
        })?;
        check_memory(4 * vertices)?;
        let starts = [a, ab, abc].map(Probability::threshold);
        let streams = Streams::new(seed);
        let widest = Instructions::available().pop();
        Ok(Rmat {
            entries,
            descent: Descent { streams, scale, starts },
            instructions: widest.unwrap_or(Instructions::Baseline),
            // At most 2³¹ vertices.
            ids: permutation(vertices as u32, seed),
        })
    }
}

impl EdgeBlocks for Rmat {
    fn vertices(&self) -> u64 {
        1 << self.descent.scale
    }

    fn entries(&self) -> u64 {
        self.entries
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        let numbers = numbers(block, self.entries);
        let ids = &self.ids;
        edges.reserve(numbers.clone().count());
        for first in numbers.clone().step_by(LANES) {
            let [rows, columns] = self.instructions.places(&self.descent, first);
            let lanes = LANES.min((numbers.end - first) as usize);
            let places = rows.into_iter().zip(columns).take(lanes);
            edges.extend(places.map(|(row, column)| [ids[row as usize], ids[column as usize]]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be() {
        let message = |scale, factor, quadrants| {
            Rmat::new(scale, factor, quadrants, 1).unwrap_err().to_string()
        };
        for scale in [32, 200] {
            assert!(message(scale, 16, GRAPH500).contains("at most 4294967294 (2^32-2)"));
        }
        assert!(message(20, u64::MAX, GRAPH500).ends_with("are too many: ask for a smaller graph"));
        assert_eq!(
            message(4, 1, [Probability::per_mille(400); 3]),
            "the probabilities 0.4, 0.4 and 0.4 of the quadrants a, b and c are more than 1 \
             together: lower them"
        );
    }

    #[test]
    fn all_in_one_quadrant() {
        let one = |quadrants| {
            let model = Rmat::new(5, 2, quadrants, 3).unwrap();
            let mut edges = Vec::new();
            model.block(0, &mut edges);
            assert_eq!(edges.len(), 64);
            edges.dedup();
            assert_eq!(edges.len(), 1);
            let place = |id| model.ids.iter().position(|&other| other == id).unwrap();
            edges[0].map(place)
        };
        let (zero, all) = (Probability::ZERO, Probability::ONE);
        assert_eq!(one([all, zero, zero]), [0, 0]);
        assert_eq!(one([zero, all, zero]), [0, 31]);
        assert_eq!(one([zero, zero, all]), [31, 0]);
        assert_eq!(one([zero, zero, zero]), [31, 31]);
    }
}
