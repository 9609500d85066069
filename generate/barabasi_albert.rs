//! Preferential attachment.

use super::random::{SplitMix64, below};
use super::{entries, numbers, vertices};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};

/// Barabási-Albert: every vertex past the first `links` joins `links` earlier ones, drawn in
/// proportion to their degree. Duplicates occur, self-loops do not.
///
/// An end of an earlier entry is a fair draw by degree (Batagelj, Brandes, "Efficient generation of
/// large random networks", Phys. Rev. E 71, 2005). The draw of each entry can be computed from its
/// number, so an end that is itself a draw is followed back, in two steps on average, instead of being
/// looked up (Sanders, Schulz, "Scalable generation of scale-free graphs", Inf. Process. Lett. 116,
/// 2016): no entry is kept.
#[derive(Debug)]
pub struct BarabasiAlbert {
    vertices: u64,
    links: u64,
    draws: SplitMix64,
}

impl BarabasiAlbert {
    /// `vertices` vertices, `links` entries for each but the first `links`.
    ///
    /// # Errors
    /// [`Error::Usage`] for too many vertices, and fewer than `links`.
    pub fn new(vertices: u64, links: u64, seed: u64) -> Result<BarabasiAlbert> {
        if vertices == 0 {
            let message = "there are no vertices to join: use 1 or more";
            return Err(Error::Usage(message.into()));
        }
        if links == 0 || links > vertices {
            return Err(Error::Usage(format!(
                "each of {vertices} vertices cannot join {links} earlier ones: use 1 to {vertices} \
                 links"
            ).into()));
        }
        let vertices = self::vertices(vertices.into())?;
        entries(u128::from(vertices) * u128::from(links))?;
        Ok(BarabasiAlbert { vertices, links, draws: SplitMix64::new(seed, 0) })
    }

    /// The earlier vertex that an entry leads to.
    fn end(&self, mut entry: u64) -> u64 {
        loop {
            // Entries before those of the same vertex.
            let earlier = entry / self.links * self.links;
            if earlier == 0 {
                return entry;
            }
            // The first vertex with a choice takes the first draw.
            let draw = below(self.draws.nth(entry - self.links), 2 * earlier);
            entry = draw / 2;
            if draw.is_multiple_of(2) {
                return self.links + entry / self.links;
            }
        }
    }
}

impl EdgeBlocks for BarabasiAlbert {
    fn vertices(&self) -> u64 {
        self.vertices
    }

    fn entries(&self) -> u64 {
        (self.vertices - self.links) * self.links
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        edges.extend(numbers(block, self.entries()).map(|entry| {
            let vertex = self.links + entry / self.links;
            [vertex as u32, self.end(entry) as u32]
        }));
    }
}
