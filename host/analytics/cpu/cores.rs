//! Core numbers, by taking away vertices of least degree, all of one degree at a time.
//!
//! For k = 0, 1, 2, … the vertices with k neighbours left are taken away. Whoever takes one away lowers the degree of
//! each of its neighbours that has more than k. The thread that lowers it from k + 1 to k takes the neighbour away
//! as well, from a queue of its own. Degrees never fall below k, so that the core number of a vertex is its degree
//! when it goes.
//!
//! The result is the same for every number of threads. Each step of a degree is one atomic operation, so that
//! exactly one thread sees the step to k. Nothing else is shared within a k, and a k begins when the one before has ended.
//!
//! The order is from Batagelj and Zaveršnik, "An O(m) algorithm for cores decomposition of networks", 2003. A queue for
//! each thread, in place of rounds, is from Kabir and Madduri, "Parallel k-core decomposition on multicore platforms",
//! IPDPSW 2017.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::above::RanksAbove;
use crate::Result;
use crate::control::Context;
use crate::graph::OrientedGraph;

/// Ranks that are looked through together.
const BLOCK: usize = 1 << 14;

/// Ranks that a task begins with.
const TASK: usize = 1 << 8;

/// Ranks in a queue from which on half of them become a task of their own.
const SHARED: usize = 1 << 12;

/// The core number of every rank: the largest k for which it is in a subgraph whose every vertex has k
/// neighbours in it.
///
/// O(n + m) work on the current rayon pool, and the sum of the core numbers, which is at most 2m. 4 bytes of memory an
/// edge and 20 a vertex. The gauge counts ranks.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub(crate) fn core_numbers(graph: &OrientedGraph, context: &Context) -> Result<Vec<u32>> {
    let above = RanksAbove::new(graph);
    context.cancel().check()?;
    context.work().begin(graph.vertices() as u64);
    let ranks = 0..graph.vertices() as u32;
    let degree = |rank: u32| (graph.row(rank).len() + above.of(rank).len()) as u32;
    let degrees = ranks.clone().into_par_iter().map(|rank| AtomicU32::new(degree(rank))).collect();
    let cores = Cores { graph, above, degrees, context };
    let mut left: Vec<u32> = ranks.collect();
    while let Some(least) = cores.least(&left) {
        cores.take_away(&left, least);
        context.cancel().check()?;
        left = cores.with_degree(&left, |degree| degree > least);
    }
    Ok(cores.degrees.into_par_iter().map(AtomicU32::into_inner).collect())
}

/// What all tasks share.
struct Cores<'g> {
    graph: &'g OrientedGraph,
    above: RanksAbove,
    /// Neighbours that are left; of a rank that was taken away, its core number.
    degrees: Vec<AtomicU32>,
    context: &'g Context<'g>,
}

impl Cores<'_> {
    fn degree(&self, rank: u32) -> u32 {
        self.degrees[rank as usize].load(Relaxed)
    }

    /// The least degree of some ranks.
    fn least(&self, ranks: &[u32]) -> Option<u32> {
        let blocks = ranks.par_chunks(BLOCK);
        blocks.filter_map(|ranks| ranks.iter().map(|&rank| self.degree(rank)).min()).min()
    }

    /// Those of some ranks whose degree is wanted.
    fn with_degree(&self, ranks: &[u32], wanted: impl Fn(u32) -> bool + Sync) -> Vec<u32> {
        let those = |ranks: &[u32]| -> Vec<u32> {
            ranks.iter().copied().filter(|&rank| wanted(self.degree(rank))).collect()
        };
        ranks.par_chunks(BLOCK).map(those).collect::<Vec<_>>().concat()
    }

    /// Takes away the ranks of degree `k`, the least of all, and those that come down to it.
    fn take_away(&self, left: &[u32], k: u32) {
        // They are found before the first is taken away: one that comes down to k is in the queue of who brought it there.
        let first = self.with_degree(left, |degree| degree == k);
        rayon::scope(|scope| {
            for ranks in first.chunks(TASK) {
                scope.spawn(move |scope| self.empty(ranks.to_vec(), k, scope));
            }
        });
    }

    /// Takes away the ranks of a queue, and those that come down to `k` by that.
    fn empty<'s>(&'s self, mut queue: Vec<u32>, k: u32, scope: &rayon::Scope<'s>) {
        let mut taken = 0;
        while let Some(rank) = queue.pop() {
            taken += 1;
            if taken % TASK as u64 == 0 && self.context.cancel().is_cancelled() {
                return;
            }
            for &other in self.graph.row(rank).iter().chain(self.above.of(rank)) {
                let lower = |degree: u32| (degree > k).then(|| degree - 1);
                // A rank that was taken away has a degree of k at most.
                let before = self.degrees[other as usize].fetch_update(Relaxed, Relaxed, lower);
                if before == Ok(k + 1) {
                    queue.push(other);
                }
            }
            if queue.len() >= SHARED {
                let half = queue.split_off(queue.len() / 2);
                scope.spawn(move |scope| self.empty(half, k, scope));
            }
        }
        self.context.work().add(taken);
    }
}

/// The largest core number: the degeneracy; 0 without edges.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
#[cfg(any(test, feature = "lab"))]
pub fn degeneracy(graph: &OrientedGraph, context: &Context) -> Result<u32> {
    Ok(core_numbers(graph, context)?.into_iter().max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::generate::{GRAPH500, Rmat};
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

    /// Takes one vertex of least degree away after the other.
    fn one_by_one(graph: &OrientedGraph) -> Vec<u32> {
        let mut neighbours = vec![Vec::new(); graph.vertices()];
        for u in 0..graph.vertices() as u32 {
            for &a in graph.row(u) {
                neighbours[u as usize].push(a);
                neighbours[a as usize].push(u);
            }
        }
        let mut degrees: Vec<u32> = neighbours.iter().map(|others| others.len() as u32).collect();
        let mut left: BTreeSet<(u32, u32)> = degrees.iter().copied().zip(0..).collect();
        let mut cores = vec![0; degrees.len()];
        let mut core = 0;
        while let Some((degree, rank)) = left.pop_first() {
            core = core.max(degree);
            cores[rank as usize] = core;
            for &other in &neighbours[rank as usize] {
                let degree = &mut degrees[other as usize];
                if left.remove(&(*degree, other)) {
                    *degree -= 1;
                    left.insert((*degree, other));
                }
            }
        }
        cores
    }

    /// Long queues, which become tasks of their own; hubs; and paths, which go one vertex after the other.
    #[test]
    fn any_number_of_threads_as_one_by_one() {
        let rmat = Rmat::new(13, 16, GRAPH500, 3).unwrap();
        let path = (1..40_000).map(|v| [v - 1, v]).collect();
        let star = (1..40_000).map(|v| [0, v]).collect();
        let fan = (1..40_000).flat_map(|v| [[0, v], [v, v + 1]]).collect();
        for edges in [crate::generate::graph(&rmat, "rmat").edges().to_vec(), path, star, fan] {
            let bound = edges.iter().flatten().max().map_or(0, |&last: &u32| last as usize + 1);
            let graph = prepare(&edges, bound).oriented;
            let expected = one_by_one(&graph);
            for threads in [1, 2, 8] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let found = pool.install(|| core_numbers(&graph, &Context::silent()));
                assert_eq!(found.unwrap(), expected, "{threads} threads");
            }
        }
    }

    #[test]
    fn a_cancelled_token_stops_it() {
        let graph = prepare(&[[0, 1], [1, 2]], 3).oriented;
        let context = Context::silent();
        context.cancel().cancel();
        assert!(matches!(core_numbers(&graph, &context), Err(crate::Error::Cancelled)));
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
