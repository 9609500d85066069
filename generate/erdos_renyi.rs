//! Uniform random graphs.

use super::random::{Streams, below};
use super::{entries, numbers, vertices};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};

/// Erdős-Rényi: both ends of every entry are uniform over the vertices. Entries are drawn with
/// replacement: self-loops and duplicates occur, in expectation one in n and m/n² of m entries.
#[derive(Debug)]
pub struct ErdosRenyi {
    vertices: u64,
    entries: u64,
    streams: Streams,
}

impl ErdosRenyi {
    /// `edges` entries between `vertices` vertices.
    ///
    /// # Errors
    /// [`Error::Usage`] for too many of either, and for edges without vertices.
    pub fn new(vertices: u64, edges: u64, seed: u64) -> Result<ErdosRenyi> {
        if vertices == 0 && edges > 0 {
            return Err(Error::Usage("edges need a vertex at least".into()));
        }
        Ok(ErdosRenyi {
            vertices: self::vertices(vertices.into())?,
            entries: entries(edges.into())?,
            streams: Streams::new(seed),
        })
    }
}

impl EdgeBlocks for ErdosRenyi {
    fn vertices(&self) -> u64 {
        self.vertices
    }

    fn entries(&self) -> u64 {
        self.entries
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        edges.extend(numbers(block, self.entries).map(|number| {
            let mut random = self.streams.stream(number);
            [0; 2].map(|_: u32| below(random.draw(), self.vertices) as u32)
        }));
    }
}
