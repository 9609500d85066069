//! Ranks: the vertices in descending order of degree.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::control::memory::{self, NoMemory};
use tribin_base::par;

/// A bijection between vertices and ranks.
pub struct Ranking {
    /// The rank of each vertex.
    pub rank_of_vertex: Vec<u32>,
    /// The vertex of each rank.
    pub vertex_of_rank: Vec<u32>,
    /// The degree of each rank, descending.
    pub degree_of_rank: Vec<u32>,
}

/// Degrees from this one up share a class that a comparison sort orders; there are at most
/// 2m / 4095 such vertices. Below, each degree is a class of a counting sort.
const HUB_DEGREE: u32 = 4095;

/// The least number of vertices for one task.
const CHUNK: usize = 1 << 15;

/// Ranks by descending degree, ties by ascending vertex, in O(n + h log h) for h hubs.
pub fn by_descending_degree(degrees: &[u32]) -> Result<Ranking, NoMemory> {
    let mut rank_of_vertex: Vec<u32> = memory::zeroed(degrees.len())?;
    par::fill(&mut rank_of_vertex, |vertex| degrees[vertex]);
    replace_by_ranks(&mut rank_of_vertex);
    let vertices: Vec<AtomicU32> = memory::zeroed(degrees.len())?;
    par::for_each(rank_of_vertex.chunks(CHUNK).zip((0..).step_by(CHUNK)), |(ranks, first)| {
        for (vertex, &rank) in (first..).zip(ranks) {
            vertices[rank as usize].store(vertex, Relaxed);
        }
    });
    let vertex_of_rank: Vec<u32> = vertices.into_iter().map(AtomicU32::into_inner).collect();
    let mut degree_of_rank: Vec<u32> = memory::zeroed(degrees.len())?;
    par::fill(&mut degree_of_rank, |rank| degrees[vertex_of_rank[rank] as usize]);
    Ok(Ranking { rank_of_vertex, vertex_of_rank, degree_of_rank })
}

/// Sorts hubs by descending degree, ties by ascending vertex. Its lower half is the vertex.
fn hub_key(degree: u32, vertex: u32) -> u64 {
    u64::from(!degree) << 32 | u64::from(vertex)
}

/// The degree of each rank, descending, in a few numbers.
#[derive(Debug, Default)]
pub struct DegreesByRank {
    /// The degrees of the ranks from 0 on that are hubs.
    hubs: Vec<u32>,
    /// One more than the last rank of each class; the first class are the hubs.
    ends: Vec<u32>,
}

impl DegreesByRank {
    /// The number of ranks whose degree is not 0.
    pub fn connected(&self) -> u32 {
        self.ends.iter().rev().nth(1).copied().unwrap_or(0)
    }

    /// The degrees of the ranks from `rank` on.
    pub fn from(&self, rank: u32) -> impl Iterator<Item = u32> {
        let class = self.ends.partition_point(|&end| end <= rank);
        let hubs = self.hubs.get(rank as usize..).unwrap_or(&[]).iter().copied();
        let classes = self.ends.iter().enumerate().skip(class.max(1));
        hubs.chain(classes.flat_map(move |(class, &end)| {
            let start = self.ends[class - 1].max(rank);
            std::iter::repeat_n(HUB_DEGREE - class as u32, end.saturating_sub(start) as usize)
        }))
    }
}

/// Replaces each vertex's degree by its rank: as [`by_descending_degree`], in the memory of the degrees alone.
pub fn replace_by_ranks(degrees: &mut [u32]) -> DegreesByRank {
    replace_in_chunks(degrees, degrees.len().div_ceil(4 * par::threads()).max(CHUNK))
}

fn replace_in_chunks(all: &mut [u32], chunk: usize) -> DegreesByRank {
    let class = |degree: u32| (HUB_DEGREE - degree.min(HUB_DEGREE)) as usize;
    let mut positions = par::map(all.chunks(chunk), |degrees| {
        let mut sizes = vec![0u32; HUB_DEGREE as usize + 1];
        degrees.iter().for_each(|&degree| sizes[class(degree)] += 1);
        sizes
    });
    let mut next = 0;
    let mut ends = Vec::with_capacity(HUB_DEGREE as usize + 1);
    for class in 0..=HUB_DEGREE as usize {
        for sizes in &mut positions {
            next += std::mem::replace(&mut sizes[class], next);
        }
        ends.push(next);
    }
    let chunks = all.chunks_mut(chunk).zip(&mut positions).enumerate();
    let mut hubs: Vec<u64> = par::map(chunks, |(index, (degrees, positions))| {
        let mut hubs = Vec::new();
        for (v, degree) in (index * chunk..).zip(degrees) {
            let position = &mut positions[class(*degree)];
            if *degree >= HUB_DEGREE {
                hubs.push(hub_key(*degree, v as u32));
            }
            *degree = *position;
            *position += 1;
        }
        hubs
    })
    .concat();
    par::sort_unstable(&mut hubs);
    for (rank, &key) in hubs.iter().enumerate() {
        all[key as u32 as usize] = rank as u32;
    }
    DegreesByRank { hubs: hubs.into_iter().map(|key| !((key >> 32) as u32)).collect(), ends }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranks_are_the_stable_descending_order(
            degrees in prop::collection::vec(
                prop_oneof![0u32..5, HUB_DEGREE - 2..HUB_DEGREE + 3, Just(u32::MAX)],
                0..200,
            ),
            chunk in 1usize..250,
        ) {
            let mut expected: Vec<u32> = (0..degrees.len() as u32).collect();
            expected.sort_by_key(|&v| std::cmp::Reverse(degrees[v as usize]));
            let ranking = by_descending_degree(&degrees).unwrap();
            prop_assert_eq!(&ranking.vertex_of_rank, &expected);
            let mut replaced = degrees.clone();
            let by_rank = replace_in_chunks(&mut replaced, chunk);
            prop_assert_eq!(&replaced, &ranking.rank_of_vertex);
            for from in 0..=degrees.len() {
                let found: Vec<u32> = by_rank.from(from as u32).collect();
                prop_assert_eq!(&found, &ranking.degree_of_rank[from..]);
            }
            let connected = degrees.iter().filter(|&&degree| degree > 0).count();
            prop_assert_eq!(by_rank.connected() as usize, connected);
            for (rank, &v) in expected.iter().enumerate() {
                prop_assert_eq!(ranking.rank_of_vertex[v as usize], rank as u32);
                prop_assert_eq!(ranking.degree_of_rank[rank], degrees[v as usize]);
            }
        }
    }

    #[test]
    fn several_chunks_keep_ties_in_vertex_order() {
        let degrees: Vec<u32> =
            (0..5 * CHUNK as u32).map(|v| v.wrapping_mul(2654435761) % 7).collect();
        let mut expected: Vec<u32> = (0..degrees.len() as u32).collect();
        expected.sort_by_key(|&v| std::cmp::Reverse(degrees[v as usize]));
        assert_eq!(by_descending_degree(&degrees).unwrap().vertex_of_rank, expected);
    }
}
