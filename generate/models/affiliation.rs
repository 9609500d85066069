//! Unions of groups.

use std::collections::HashSet;

use super::random::{Streams, below};
use super::{PowerLaw, entries, numbers, pairs, parts, vertices};
use crate::graph::EdgeBlocks;
use crate::{Error, Result};
use tribin_base::par;

/// Groups whose members all know each other, as authors of one paper do: a union of cliques with sizes
/// by a power law, the members of each drawn uniformly (the affiliation model: Lattanzi, Sivakumar,
/// "Affiliation networks", STOC 2009). Pairs of two groups occur twice, self-loops do not.
///
/// Memory: 8 bytes a group, and a group's members.
#[derive(Debug)]
pub struct Affiliation {
    vertices: u64,
    sizes: PowerLaw,
    streams: Streams,
    /// The pairs before those of each group, and all pairs.
    before: Vec<u64>,
}

impl Affiliation {
    /// `groups` groups of `vertices` vertices.
    ///
    /// # Errors
    /// [`Error::Usage`] for too many vertices, groups or edges, and for groups that may have more
    /// members than there are vertices.
    pub fn new(vertices: u64, groups: u64, sizes: PowerLaw, seed: u64) -> Result<Affiliation> {
        let vertices = self::vertices(vertices.into())?;
        if u64::from(sizes.largest()) > vertices {
            return Err(Error::Usage(
                format!(
                    "{vertices} vertices cannot be in groups of {}: make the largest smaller",
                    sizes.largest()
                )
                .into(),
            ));
        }
        // As many groups as vertices can be, which bounds the memory.
        if groups > super::MOST_VERTICES {
            return Err(Error::Usage(
                format!(
                    "{groups} groups are too many: at most {} (2^32-2) are possible",
                    super::MOST_VERTICES
                )
                .into(),
            ));
        }
        let streams = Streams::new(seed);
        let mut before = par::tabulate(groups as usize + 1, |group| {
            u64::from(sizes.size(streams.stream(group as u64).draw()))
        });
        let mut pairs = 0u128;
        for place in &mut before {
            let size = std::mem::replace(place, entries(pairs)?);
            pairs += u128::from(size * (size - 1) / 2);
        }
        Ok(Affiliation { vertices, sizes, streams, before })
    }

    /// The members of a group, all different (Floyd's sampling: Bentley, "Programming Pearls: A sample
    /// of brilliance", CACM 30, 1987).
    fn members(&self, group: u64) -> Vec<u32> {
        let mut random = self.streams.stream(group);
        let size = self.sizes.size(random.draw());
        let mut drawn = HashSet::with_capacity(size as usize);
        let mut members = Vec::with_capacity(size as usize);
        for last in self.vertices - u64::from(size)..self.vertices {
            let vertex = below(random.draw(), last + 1);
            let vertex = if drawn.insert(vertex) { vertex } else { last };
            drawn.insert(vertex);
            members.push(vertex as u32);
        }
        members
    }

    fn groups(&self) -> usize {
        self.before.len() - 1
    }
}

impl EdgeBlocks for Affiliation {
    fn vertices(&self) -> u64 {
        self.vertices
    }

    fn entries(&self) -> u64 {
        self.before[self.groups()]
    }

    fn block(&self, block: u64, edges: &mut Vec<[u32; 2]>) {
        for (group, numbers) in parts(&self.before, numbers(block, self.entries())) {
            let members = self.members(group as u64);
            edges.extend(pairs(numbers).map(|ends| ends.map(|member| members[member as usize])));
        }
    }
}
