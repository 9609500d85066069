//! Core numbers, by taking away vertices of least degree, all of one degree at a time.
//!
//! For k = 0, 1, 2, … the vertices with k neighbours left are taken away. Whoever takes one away lowers the degree of
//! each of its neighbours that has more than k. The thread that lowers it from k + 1 to k takes the neighbour away
//! as well, from a queue of its own. A degree stays at k at least, so that the core number of a vertex is its degree
//! when it goes.
//!
//! Hubs have neighbours of every degree, and threads that lower their degrees together would wait for one another. So
//! each thread notes for itself by how much those of the lowest ranks fall. When the queues are empty the notes are put
//! together, and the hubs that came down to k go next. A k ends when there is none.
//!
//! The result is the same for every number of threads. Each step of another degree is one atomic operation, so that
//! exactly one thread sees the step to k. The degree of a hub may fall below k at once. Then the hub goes with k as well.
//!
//! The order is from Batagelj and Zaveršnik, "An O(m) algorithm for cores decomposition of networks", 2003. A queue for
//! each thread, in place of rounds, is from Kabir and Madduri, "Parallel k-core decomposition on multicore platforms",
//! IPDPSW 2017.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use super::above::{AHEAD, RanksAbove};
use crate::Result;
use crate::control::{Context, prefetch};
use crate::graph::OrientedGraph;
use tribin_base::par;

/// The lowest ranks that are hubs. Nearly all rows of a skewed graph have some of them.
const HUBS: usize = 1 << 12;

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
/// edge and 20 a vertex, and 4 for each thread and hub. The gauge counts ranks.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled), and [`Error::Input`](crate::Error::Input) where there is no memory.
pub fn core_numbers(graph: &OrientedGraph, context: &Context) -> Result<Vec<u32>> {
    with_hubs(graph, HUBS, context)
}

/// Finds the core numbers where the ranks below `hubs` are hubs. Their number does not change the result.
fn with_hubs(graph: &OrientedGraph, hubs: usize, context: &Context) -> Result<Vec<u32>> {
    let above = RanksAbove::new(graph, hubs, context)?;
    context.work().begin(graph.vertices() as u64);
    let ranks = 0..graph.vertices() as u32;
    let degree = |rank: u32| (graph.row(rank).len() + above.of(rank).len()) as u32;
    let degrees = par::tabulate(graph.vertices(), |rank| degree(rank as u32));
    // In the same memory, as below.
    let degrees = degrees.into_iter().map(AtomicU32::new).collect();
    let hubs = hubs.min(graph.vertices());
    let lowered = (0..par::threads()).map(|_| Notes::none(hubs)).collect();
    let cores = Cores { graph, above, degrees, lowered, context };
    let mut left: Vec<u32> = ranks.collect();
    while let Some(least) = cores.least(&left) {
        cores.take_away(&left, least);
        context.cancel().check()?;
        left = cores.with_degree(&left, |degree| degree > least);
    }
    Ok(cores.degrees.into_iter().map(AtomicU32::into_inner).collect())
}

/// The state of core numbers that all tasks share.
struct Cores<'g> {
    graph: &'g OrientedGraph,
    above: RanksAbove,
    /// Neighbours that are left; of a rank that was taken away, its core number.
    degrees: Vec<AtomicU32>,
    /// The notes of each thread since they were last put together.
    lowered: Vec<Notes>,
    context: &'g Context<'g>,
}

/// The amount by which one thread lowered the degree of each hub.
struct Notes {
    by: Vec<AtomicU32>,
    /// Whether any degree was lowered: most degrees have few ranks, which few threads take away.
    any: AtomicBool,
}

impl Notes {
    fn none(hubs: usize) -> Notes {
        let by = (0..hubs).map(|_| AtomicU32::new(0)).collect();
        Notes { by, any: AtomicBool::new(false) }
    }
}

impl Cores<'_> {
    fn degree(&self, rank: u32) -> u32 {
        self.degrees[rank as usize].load(Relaxed)
    }

    /// The least degree of some ranks.
    fn least(&self, ranks: &[u32]) -> Option<u32> {
        let of_block = |ranks: &[u32]| ranks.iter().map(|&rank| self.degree(rank)).min();
        par::map(ranks.chunks(BLOCK), of_block).into_iter().flatten().min()
    }

    /// The ranks of a slice whose degree is wanted.
    fn with_degree(&self, ranks: &[u32], wanted: impl Fn(u32) -> bool + Sync) -> Vec<u32> {
        let those = |ranks: &[u32]| -> Vec<u32> {
            ranks.iter().copied().filter(|&rank| wanted(self.degree(rank))).collect()
        };
        par::map(ranks.chunks(BLOCK), those).concat()
    }

    /// Takes away the ranks of degree `k`, the least of all, and those that come down to it.
    fn take_away(&self, left: &[u32], k: u32) {
        // They are found before the first is taken away: one that comes down to k is in the queue of who brought it there.
        let mut next = self.with_degree(left, |degree| degree == k);
        while !next.is_empty() && !self.context.cancel().is_cancelled() {
            let queues = next.chunks(TASK).map(Cow::Borrowed).collect();
            par::for_each_and_more(queues, &|queue, add| self.empty(queue.into_owned(), k, add));
            next = self.lower_hubs(k);
        }
    }

    /// Takes away the ranks of a queue, and those that come down to `k` by that.
    fn empty<'q>(&self, mut queue: Vec<u32>, k: u32, add: &dyn Fn(Cow<'q, [u32]>)) {
        let thread = par::thread().expect("tasks run in a pool");
        let mut taken = 0;
        while let Some(rank) = queue.pop() {
            taken += 1;
            if taken % TASK as u64 == 0 && self.context.cancel().is_cancelled() {
                return;
            }
            for others in [self.graph.row(rank), self.above.of(rank)] {
                for (i, &other) in others.iter().enumerate() {
                    prefetch::indexed(&self.degrees, others, i + AHEAD);
                    if self.lower(other, k, &self.lowered[thread]) {
                        queue.push(other);
                    }
                }
            }
            if queue.len() >= SHARED {
                add(Cow::Owned(queue.split_off(queue.len() / 2)));
            }
        }
        self.context.work().add(taken);
    }

    /// A neighbour of `rank` was taken away. Gives whether `rank` came down to `k` by that; of a hub that is not known yet.
    fn lower(&self, rank: u32, k: u32, notes: &Notes) -> bool {
        let degree = &self.degrees[rank as usize];
        // A rank that was taken away has a degree of k at most.
        match notes.by.get(rank as usize) {
            Some(lowered) if degree.load(Relaxed) > k => {
                // No other thread writes there now.
                lowered.store(lowered.load(Relaxed) + 1, Relaxed);
                notes.any.store(true, Relaxed);
                false
            }
            Some(_) => false,
            None => {
                let lower = |degree: u32| (degree > k).then(|| degree - 1);
                degree.fetch_update(Relaxed, Relaxed, lower) == Ok(k + 1)
            }
        }
    }

    /// Lowers the degrees of the hubs by what all threads noted. Gives those that came down to `k`, or below, which makes
    /// no difference: they are taken away with k.
    fn lower_hubs(&self, k: u32) -> Vec<u32> {
        let notes = self.lowered.iter().filter(|notes| notes.any.swap(false, Relaxed));
        let notes: Vec<&Notes> = notes.collect();
        let hubs = notes.first().map_or(0, |notes| notes.by.len());
        let left =
            (0..).zip(&self.degrees).take(hubs).filter(|(_, degree)| degree.load(Relaxed) > k);
        let lower = |(hub, degree): (u32, &AtomicU32)| {
            let by: u32 = notes.iter().map(|notes| notes.by[hub as usize].swap(0, Relaxed)).sum();
            let lower = degree.load(Relaxed) - by;
            degree.store(lower.max(k), Relaxed);
            (lower <= k).then_some(hub)
        };
        left.filter_map(lower).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use tribin_cpu::prepare::prepare;
    use tribin_generate::{GRAPH500, Rmat};

    proptest! {
        #[test]
        fn any_multigraph_as_one_by_one(
            edges in prop::collection::vec(prop::array::uniform2(0u32..16), 0..120),
            hubs in 0usize..20,
        ) {
            let graph = prepare(&edges, 18).oriented;
            let by_rank = with_hubs(&graph, hubs, &Context::silent()).unwrap();
            prop_assert_eq!(by_rank, one_by_one(&graph));
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
        for edges in [tribin_generate::graph(&rmat, "rmat").edges().to_vec(), path, star, fan] {
            let bound = edges.iter().flatten().max().map_or(0, |&last: &u32| last as usize + 1);
            let graph = prepare(&edges, bound).oriented;
            let expected = one_by_one(&graph);
            for (threads, hubs) in [(1, HUBS), (2, 5), (8, 0), (8, HUBS)] {
                let pool = par::Pool::start(threads, "test").unwrap();
                let found = pool.install(|| with_hubs(&graph, hubs, &Context::silent()));
                assert_eq!(found.unwrap(), expected, "{threads} threads, {hubs} hubs");
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
}
