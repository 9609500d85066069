//! Links that are copied.

use super::random::{SplitMix64, below};
use super::{BLOCK, Probability, entries, vertices};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};

/// A web-like graph in the order of a crawl: every vertex past the first takes an earlier vertex near
/// it as its model and makes `links` links, each a copy of one of the model's with the probability
/// `copied` and else to an earlier vertex, mostly a near one. Hubs and dense neighbourhoods; duplicates
/// occur, self-loops do not (the copying model: Kumar et al., "Stochastic models for the web graph",
/// FOCS 2000).
///
/// A copied link is followed back to the one that was drawn, in 1 / (1 - `copied`) steps on average or
/// less, so no entry is kept. The draws of a vertex begin where those of the vertex before end: their
/// beginnings are kept, 8 bytes a vertex, and are found in one pass over all draws.
#[derive(Debug)]
pub struct Web {
    links: u64,
    copied: u64,
    /// The draws from each vertex' first on.
    draws: Vec<SplitMix64>,
}

/// The draws of a vertex, one by one.
struct Vertex {
    vertex: u64,
    /// The vertex whose links it copies.
    model: u64,
    draws: SplitMix64,
}

/// The kind of a link's end.
enum Link {
    /// Where another link of the model leads.
    Copy(u64),
    To(u64),
}

impl Vertex {
    /// Begins a vertex past the first.
    #[inline]
    fn new(vertex: u64, draws: SplitMix64) -> Vertex {
        let mut begun = Vertex { vertex, model: 0, draws };
        begun.model = begun.near();
        begun
    }

    /// An earlier vertex; near ones are likely by the product of two draws.
    #[inline]
    fn near(&mut self) -> u64 {
        let draw = below(self.draws.draw(), 1 << 20) * below(self.draws.draw(), 1 << 20);
        self.vertex - 1 - ((u128::from(draw) * u128::from(self.vertex)) >> 40) as u64
    }

    #[inline]
    fn link(&mut self, web: &Web) -> Link {
        // The first vertex has no links.
        if self.model > 0 && self.draws.draw() < web.copied {
            Link::Copy(below(self.draws.draw(), web.links))
        } else {
            Link::To(self.near())
        }
    }
}

impl Web {
    /// `vertices` vertices, each but the first with `links` links.
    ///
    /// # Errors
    /// [`Error::Usage`] for too many vertices or entries, and for no links.
    pub fn new(vertices: u64, links: u64, copied: Probability, seed: u64) -> Result<Web> {
        if links == 0 {
            return Err(Error::Usage("a vertex makes one link at least: use 1 or more".into()));
        }
        let count = self::vertices(vertices.into())?;
        entries(u128::from(count) * u128::from(links))?;
        let first = SplitMix64::new(seed, 0);
        // The first vertex draws nothing.
        let draws = vec![first; count as usize];
        let mut web = Web { links, copied: copied.threshold(), draws };
        let mut next = first;
        for vertex in 1..count {
            web.draws[vertex as usize] = next;
            next = web.begin_at(vertex, links).draws;
        }
        Ok(web)
    }

    /// A vertex that has made its first links.
    fn begin_at(&self, vertex: u64, link: u64) -> Vertex {
        let mut begun = Vertex::new(vertex, self.draws[vertex as usize]);
        for _ in 0..link {
            begun.link(self);
        }
        begun
    }

    /// Where a vertex' link leads.
    fn end(&self, mut vertex: u64, mut link: u64) -> u64 {
        loop {
            let mut begun = self.begin_at(vertex, link);
            match begun.link(self) {
                Link::Copy(other) => (vertex, link) = (begun.model, other),
                Link::To(end) => return end,
            }
        }
    }

    /// Vertices of a block: with about as many edges as blocks have elsewhere.
    fn span(&self) -> u64 {
        (BLOCK / self.links).max(1)
    }
}

impl EdgeBlocks for Web {
    fn vertices(&self) -> u64 {
        self.draws.len() as u64
    }

    fn entries(&self) -> u64 {
        self.vertices().saturating_sub(1) * self.links
    }

    fn blocks(&self) -> u64 {
        self.vertices().saturating_sub(1).div_ceil(self.span())
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        let from = 1 + block * self.span();
        for vertex in from..self.vertices().min(from + self.span()) {
            let mut begun = self.begin_at(vertex, 0);
            for _ in 0..self.links {
                let end = match begun.link(self) {
                    Link::Copy(link) => self.end(begun.model, link),
                    Link::To(end) => end,
                };
                edges.push([vertex as u32, end as u32]);
            }
        }
    }
}
