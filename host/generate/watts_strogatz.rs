//! Small worlds.

use super::random::{Streams, below};
use super::{BLOCK, Probability, entries, vertices};
use crate::write::EdgeBlocks;
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
            )));
        }
        entries(u128::from(vertices) * u128::from(half_degree))?;
        let (rewired, streams) = (rewired.threshold(), Streams::new(seed));
        Ok(WattsStrogatz { vertices, half_degree, rewired, streams })
    }

    /// Vertices of a block: with about as many edges as blocks have elsewhere.
    fn span(&self) -> u64 {
        (BLOCK / self.half_degree).max(1)
    }
}

impl EdgeBlocks for WattsStrogatz {
    fn vertices(&self) -> u64 {
        self.vertices
    }

    fn entries(&self) -> u64 {
        self.vertices * self.half_degree
    }

    fn blocks(&self) -> u64 {
        self.vertices.div_ceil(self.span())
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        let from = block * self.span();
        for vertex in from..self.vertices.min(from + self.span()) {
            let mut random = self.streams.stream(vertex);
            edges.extend((1..=self.half_degree).map(|step| {
                let rewired = random.draw() < self.rewired;
                let drawn = below(random.draw(), self.vertices);
                let end = if rewired { drawn } else { (vertex + step) % self.vertices };
                [vertex as u32, end as u32]
            }));
        }
    }
}
