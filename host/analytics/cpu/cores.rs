//! Core numbers, by taking away vertices of least degree.

use super::adjacency;
use crate::Result;
use crate::control::Context;
use crate::graph::OrientedGraph;

/// The core number of every rank: the largest k for which it is in a subgraph whose every vertex has k
/// neighbours in it.
///
/// O(n + m) time on one thread, 8 bytes of memory an edge and 24 a vertex. The gauge counts ranks. Source:
/// Batagelj and Zaveršnik, "An O(m) algorithm for cores decomposition of networks", 2003.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub(crate) fn core_numbers(graph: &OrientedGraph, context: &Context) -> Result<Vec<u32>> {
    let (offsets, neighbours) = adjacency::neighbours(graph);
    context.work().begin(graph.vertices() as u64);
    let mut order =
        ByDegree::new(offsets.windows(2).map(|ends| (ends[1] - ends[0]) as u32).collect());
    let mut largest = 0;
    for place in 0..order.ranks.len() {
        if place % BLOCK == 0 {
            context.cancel().check()?;
            context.work().add(BLOCK as u64);
        }
        let rank = order.ranks[place] as usize;
        // Degrees are only lowered to that of the rank at hand: those of the ranks that follow never fall.
        let core = order.degrees[rank];
        debug_assert!(core >= largest);
        largest = core;
        for &neighbour in &neighbours[offsets[rank]..offsets[rank + 1]] {
            if order.degrees[neighbour as usize] > core {
                order.decrease(neighbour);
            }
        }
    }
    Ok(order.degrees)
}

/// The largest core number: the degeneracy; 0 without edges.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
#[cfg(any(test, feature = "lab"))]
pub fn degeneracy(graph: &OrientedGraph, context: &Context) -> Result<u32> {
    Ok(core_numbers(graph, context)?.into_iter().max().unwrap_or(0))
}

/// Ranks that the gauge takes together.
const BLOCK: usize = 1 << 14;

/// Ranks in ascending order of degrees that decrease.
struct ByDegree {
    degrees: Vec<u32>,
    ranks: Vec<u32>,
    place_of_rank: Vec<u32>,
    /// The place of the first rank with each degree.
    first_place: Vec<u32>,
}

impl ByDegree {
    fn new(degrees: Vec<u32>) -> ByDegree {
        let most = degrees.iter().max().map_or(0, |&most| most as usize);
        let mut first_place = vec![0u32; most + 2];
        for &degree in &degrees {
            first_place[degree as usize + 1] += 1;
        }
        for degree in 1..first_place.len() {
            first_place[degree] += first_place[degree - 1];
        }
        let mut next = first_place.clone();
        let mut ranks = vec![0; degrees.len()];
        let place_of_rank = (0u32..)
            .zip(&degrees)
            .map(|(rank, &degree)| {
                let place = next[degree as usize];
                next[degree as usize] += 1;
                ranks[place as usize] = rank;
                place
            })
            .collect();
        ByDegree { degrees, ranks, place_of_rank, first_place }
    }

    /// Lowers a degree by one: the rank changes places with the first of its degree, which then ends
    /// the degree below.
    fn decrease(&mut self, rank: u32) {
        let degree = self.degrees[rank as usize] as usize;
        let first = self.first_place[degree];
        let (place, other) = (self.place_of_rank[rank as usize], self.ranks[first as usize]);
        self.ranks.swap(place as usize, first as usize);
        self.place_of_rank[rank as usize] = first;
        self.place_of_rank[other as usize] = place;
        self.first_place[degree] += 1;
        self.degrees[rank as usize] -= 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prepare::cpu::prepare;

    /// Takes vertices of fewer than k neighbours away for k = 1, 2, … until none is left: each is in the core
    /// before.
    fn brute_force(edges: &[[u32; 2]], vertices: usize) -> Vec<u32> {
        let mut cores = vec![0; vertices];
        let mut left = vec![vec![false; vertices]; vertices];
        for &[u, v] in edges {
            left[u as usize][v as usize] = u != v;
            left[v as usize][u as usize] = u != v;
        }
        for k in 1.. {
            loop {
                let degree = |v: usize| left[v].iter().filter(|&&joined| joined).count();
                let Some(v) = (0..vertices).find(|&v| (1..k).contains(&degree(v))) else { break };
                left[v].fill(false);
                left.iter_mut().for_each(|row| row[v] = false);
            }
            if left.iter().flatten().all(|joined| !joined) {
                return cores;
            }
            for (core, row) in cores.iter_mut().zip(&left) {
                *core = if row.contains(&true) { k as u32 } else { *core };
            }
        }
        unreachable!()
    }

    proptest! {
        #[test]
        fn any_multigraph_as_by_taking_vertices_away(
            edges in prop::collection::vec(prop::array::uniform2(0u32..16), 0..120),
        ) {
            let graph = prepare(&edges, 18).oriented;
            let expected = brute_force(&edges, 18);
            let by_rank = core_numbers(&graph, &Context::silent()).unwrap();
            for (&vertex, core) in graph.vertex_of_rank.iter().zip(by_rank) {
                prop_assert_eq!(core, expected[vertex as usize], "vertex {}", vertex);
            }
            prop_assert_eq!(degeneracy(&graph, &Context::silent()).unwrap(), expected.into_iter().max().unwrap());
        }
    }

    #[test]
    fn closed_forms() {
        let clique: Vec<[u32; 2]> = (0..30).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
        let star: Vec<[u32; 2]> = (1..30).map(|v| [0, v]).collect();
        let ring: Vec<[u32; 2]> = (0..30).map(|v| [v, (v + 1) % 30]).collect();
        assert_eq!(degeneracy(&prepare(&clique, 30).oriented, &Context::silent()).unwrap(), 29);
        assert_eq!(degeneracy(&prepare(&star, 30).oriented, &Context::silent()).unwrap(), 1);
        assert_eq!(degeneracy(&prepare(&ring, 30).oriented, &Context::silent()).unwrap(), 2);
        assert_eq!(degeneracy(&prepare(&[], 3).oriented, &Context::silent()).unwrap(), 0);
        assert_eq!(degeneracy(&prepare(&[], 0).oriented, &Context::silent()).unwrap(), 0);
    }
}
