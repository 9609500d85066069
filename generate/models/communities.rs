//! Planted partitions.

use super::random::{SplitMix64, Streams, below, permutation};
use super::{
    PowerLaw, Probability, blocks_of, check_memory, entries, numbers, pairs, parts, vertices,
};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};
use tribin_base::par;

/// Communities with sizes by a power law: each pair of a community is an edge with the probability
/// `inside` (the planted partition: Condon, Karp, "Algorithms for graph partitioning on the planted
/// partition model", Random Struct. Algorithms 18, 2001), and entries with uniform ends join all of the
/// vertices as in [`ErdosRenyi`](super::ErdosRenyi). Ids are permuted. The latter entries make a few
/// self-loops and duplicates.
///
/// With the probability 1 and no further entries, a community of s vertices has s(s-1)(s-2)/6
/// triangles.
///
/// Memory: 4 bytes a vertex and 12 bytes a community.
#[derive(Debug)]
pub struct Communities {
    inside: u64,
    between: u64,
    streams: Streams,
    /// One number for each pair of a community.
    draws: SplitMix64,
    /// The place of each community's first vertex.
    starts: Vec<u32>,
    /// The pairs before those of each community, and all pairs.
    before: Vec<u64>,
    ids: Vec<u32>,
}

impl Communities {
    /// `vertices` vertices in communities, the last of which may be smaller than the law has it, and
    /// `between` entries between any two of them.
    ///
    /// # Errors
    /// [`Error::Usage`] for too many vertices or edges, and for edges without vertices.
    pub fn new(
        vertices: u64,
        sizes: PowerLaw,
        inside: Probability,
        between: u64,
        seed: u64,
    ) -> Result<Communities> {
        if vertices == 0 && between > 0 {
            return Err(Error::Usage("edges need a vertex at least".into()));
        }
        let count = self::vertices(vertices.into())?;
        check_memory(4 * count)?;
        let (mut starts, mut before) = (Vec::new(), Vec::new());
        let (mut start, mut pairs) = (0, 0u128);
        let mut random = SplitMix64::new(seed, u64::MAX - 1);
        while start < count {
            starts.push(start as u32);
            before.push(entries(pairs)?);
            let size = u64::from(sizes.size(random.draw())).min(count - start);
            pairs += u128::from(size) * u128::from(size - 1) / 2;
            start += size;
        }
        before.push(entries(pairs)?);
        entries(pairs + u128::from(between))?;
        Ok(Communities {
            inside: inside.threshold(),
            between,
            streams: Streams::new(seed),
            draws: SplitMix64::new(seed, u64::MAX - 2),
            starts,
            before,
            ids: permutation(count as u32, seed),
        })
    }

    /// The pairs of all communities.
    fn pairs(&self) -> u64 {
        self.before[self.starts.len()]
    }

    fn is_edge(&self, pair: u64) -> bool {
        self.draws.nth(pair) < self.inside
    }
}

impl EdgeBlocks for Communities {
    fn vertices(&self) -> u64 {
        self.ids.len() as u64
    }

    /// Found by drawing all pairs of the communities.
    fn entries(&self) -> u64 {
        let inside = par::map(0..blocks_of(self.pairs()), |block| {
            numbers(block, self.pairs()).filter(|&pair| self.is_edge(pair)).count() as u64
        });
        inside.into_iter().sum::<u64>() + self.between
    }

    fn blocks(&self) -> u64 {
        blocks_of(self.pairs()) + blocks_of(self.between)
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        let id = |place: u64| self.ids[place as usize];
        let Some(between) = block.checked_sub(blocks_of(self.pairs())) else {
            for (community, numbers) in parts(&self.before, numbers(block, self.pairs())) {
                let first = u64::from(self.starts[community]);
                let all = (self.before[community] + numbers.start..).zip(pairs(numbers));
                let drawn = all.filter(|&(pair, _)| self.is_edge(pair));
                edges.extend(drawn.map(|(_, ends)| ends.map(|member| id(first + member))));
            }
            return;
        };
        edges.extend(numbers(between, self.between).map(|number| {
            let mut random = self.streams.stream(number);
            [0; 2].map(|_: u32| id(below(random.draw(), self.vertices())))
        }));
    }
}
