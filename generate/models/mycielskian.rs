//! Mycielski's graphs.

use super::{entries, numbers, vertices};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};

/// The Mycielskian of the Mycielskian … of one edge: chromatic number k and no triangle (Mycielski,
/// "Sur le coloriage des graphes", Colloq. Math. 3, 1955). Numbered as in the SuiteSparse Matrix
/// Collection: 2 is the edge, 3 the ring of five, 4 Grötzsch's graph; k has 3 · 2^(k-2) - 1 vertices.
///
/// A graph's Mycielskian keeps its n vertices 0..n, gives each a shadow n..2n that is joined to what
/// the vertex is joined to, and joins all shadows to one more vertex, 2n.
#[derive(Debug)]
pub struct Mycielskian {
    /// The graphs of all steps, from the single edge on.
    steps: Vec<StepSize>,
}

/// The size of a graph on the way to the last.
#[derive(Debug, Clone, Copy)]
struct StepSize {
    vertices: u64,
    edges: u64,
}

impl Mycielskian {
    /// The graph of chromatic number `k`.
    ///
    /// # Errors
    /// [`Error::Usage`] for k below 2, and for too many vertices (k above 32).
    pub fn new(k: u32) -> Result<Mycielskian> {
        if k < 2 {
            return Err(Error::Usage(
                format!("there is no Mycielskian {k}: 2 is a single edge, 3 a ring of five").into(),
            ));
        }
        // All of them at once, so that an error names the graph that was asked for.
        match k - 2 {
            steps @ ..=120 => vertices((3 << steps) - 1).map(drop)?,
            steps => {
                let message = format!("a graph of 3·2^{steps}-1 vertices has too many");
                return Err(Error::Usage(message.into()));
            }
        }
        let mut steps = vec![StepSize { vertices: 2, edges: 1 }];
        for last in 0..k as usize - 2 {
            let vertices = vertices(2 * u128::from(steps[last].vertices) + 1)?;
            let edges = entries(3 * u128::from(steps[last].edges) + u128::from(vertices / 2))?;
            steps.push(StepSize { vertices, edges });
        }
        Ok(Mycielskian { steps })
    }

    fn last(&self) -> StepSize {
        *self.steps.last().expect("the single edge")
    }

    /// The edge of a number: three copies of the step before, then the edges of the last vertex.
    fn edge(&self, mut number: u64) -> [u64; 2] {
        // What the step's own numbering adds to each end.
        let mut shift = [0; 2];
        for pair in self.steps.windows(2).rev() {
            let StepSize { vertices: n, edges: m } = pair[0];
            if number >= 3 * m {
                let shadow = n + number - 3 * m;
                return [shadow + shift[0], 2 * n + shift[1]];
            }
            match number / m {
                0 => {}
                1 => shift[1] += n,
                _ => shift[0] += n,
            }
            number %= m;
        }
        [shift[0], 1 + shift[1]]
    }
}

impl EdgeBlocks for Mycielskian {
    fn vertices(&self) -> u64 {
        self.last().vertices
    }

    fn entries(&self) -> u64 {
        self.last().edges
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        let numbers = numbers(block, self.entries());
        edges.extend(numbers.map(|number| self.edge(number).map(|vertex| vertex as u32)));
    }
}
