//! Small worlds.

use super::random::{Streams, below};
use super::{Probability, entries, numbers, vertices};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};

/// Watts-Strogatz: a ring in which every vertex joins its next `half_degree` vertices; the far end of
/// each edge is redrawn uniformly with the probability `rewired`. Rewiring makes a few self-loops and
/// duplicates.
///
/// Without rewiring, n > 3k vertices of half degree k have n·k(k-1)/2 triangles.
#[derive(Debug)]
pub struct WattsStrogatz {
    vertices: u64,
    half_degree: u64,
    rewired: u64,
    streams: Streams,
}

impl WattsStrogatz {
    /// A ring of `vertices` vertices.
    ///
    /// # Errors
    /// [`Error::Usage`] for too many vertices, and for fewer than 2 · `half_degree` + 1.
    pub fn new(
        vertices: u64,
        half_degree: u64,
        rewired: Probability,
        seed: u64,
    ) -> Result<WattsStrogatz> {
        let vertices = self::vertices(vertices.into())?;
        if half_degree == 0 || u128::from(half_degree) * 2 >= u128::from(vertices) {
            return Err(Error::Usage(format!(
                "{vertices} vertices in a ring cannot join their next {half_degree}: the half degree \
                 is at least 1 and less than half of the vertices"
            ).into()));
        }
        entries(u128::from(vertices) * u128::from(half_degree))?;
        let (rewired, streams) = (rewired.threshold(), Streams::new(seed));
        Ok(WattsStrogatz { vertices, half_degree, rewired, streams })
    }
}

impl EdgeBlocks for WattsStrogatz {
    fn vertices(&self) -> u64 {
        self.vertices
    }

    fn entries(&self) -> u64 {
        self.vertices * self.half_degree
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        edges.extend(numbers(block, self.entries()).map(|entry| {
            let (vertex, step) = (entry / self.half_degree, entry % self.half_degree + 1);
            let random = self.streams.stream(vertex);
            // Each step of a vertex takes two draws.
            let rewired = random.nth(2 * (step - 1)) < self.rewired;
            let end = match rewired {
                true => below(random.nth(2 * step - 1), self.vertices),
                false => (vertex + step) % self.vertices,
            };
            [vertex as u32, end as u32]
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::super::BLOCK;
    use super::*;

    /// A block was that of a vertex at least: of 200,000 entries here.
    #[test]
    fn blocks_of_large_degrees_are_no_larger() {
        let model = WattsStrogatz::new(400_002, 200_000, Probability::per_mille(10), 1).unwrap();
        let mut edges = Vec::new();
        for block in [0, 3, model.blocks() - 1] {
            edges.clear();
            model.block(block, &mut edges);
            assert!(edges.len() as u64 <= BLOCK);
            for (number, [vertex, _]) in numbers(block, model.entries()).zip(&edges) {
                assert_eq!(u64::from(*vertex), number / 200_000);
            }
        }
    }
}
