//! Truss decomposition by peeling, on all CPU cores.
//!
//! Level by level, the edges with the fewest triangles are taken away, all of a round at a time, and
//! every triangle that loses an edge is taken off its other edges once. The k-truss is NetworkX's: every
//! edge of it is in at least k - 2 of its triangles. An edge's trussness is the largest such k.
//!
//! | of an edge's two ends | is looked up in | when |
//! | --- | --- | --- |
//! | the end of higher rank (lower degree) | marks of the other | the round takes enough edges of that other end |
//! | the one with fewer neighbours left | the other's neighbours, by galloping search | else |
//!
//! Sources: Wang and Cheng, "Truss decomposition in massive networks", VLDB 2012; rounds as in Kabir and
//! Madduri, "Parallel k-truss decomposition on multicore systems", HPEC 2017.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use super::adjacency::Adjacency;
use crate::Result;
use crate::control::Context;
use crate::graph::OrientedGraph;
use tribin_base::par::{self, Spare};
use tribin_cpu::forward::{PlacedMarks, gallop_while};

/// Edges that one task of a round takes away.
const TASK: usize = 256;

/// An edge that is there.
const LEFT: u8 = 0;
/// An edge that this round takes away.
const GOING: u8 = 1;
/// An edge that an earlier round took away.
const GONE: u8 = 2;

/// The trussness of every edge; entry i is of `graph.heads[i]`. `support` is every edge's number of
/// triangles, as [`support`](super::support::support) gives it.
///
/// O(m^1.5) work, and for each level the edges that are left. 36 bytes of memory an edge beside the
/// arguments. The same for every number of threads.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
///
/// # Panics
/// If there are 2³² edges or more, or `support` has another length.
pub fn trussness(graph: &OrientedGraph, support: Vec<u32>, context: &Context) -> Result<Vec<u32>> {
    let mut trussness = vec![2; graph.heads.len()];
    let mut peeling = ShrinkingGraph::new(graph, support, context);
    context.work().begin(graph.heads.len() as u64);
    let mut level = 0;
    loop {
        match peeling.at_most(level) {
            // An edge on n - 2 triangles at most, with n below 2³² - 1: no overflow.
            FewestTriangles::Edges(round) => {
                peeling.take_away(round, level, |edge| trussness[edge] = level + 2)?;
                level += 1;
            }
            FewestTriangles::Least(least) => level = least,
            FewestTriangles::Nothing => break,
        }
    }
    Ok(trussness)
}

/// Which edges are in the k-truss; entry i is of `graph.heads[i]`. One level of peeling, where
/// [`trussness`] takes all.
///
/// # Errors
/// As [`trussness`].
///
/// # Panics
/// As [`trussness`].
pub fn k_truss(
    graph: &OrientedGraph,
    support: Vec<u32>,
    k: u32,
    context: &Context,
) -> Result<Vec<bool>> {
    let mut stays = vec![true; graph.heads.len()];
    // Each edge is taken away or stays: what stays is found out at the end, all at once.
    context.work().begin(graph.heads.len() as u64);
    let mut taken = 0;
    if k > 2 {
        let mut peeling = ShrinkingGraph::new(graph, support, context);
        if let FewestTriangles::Edges(round) = peeling.at_most(k - 3) {
            peeling.take_away(round, k - 3, |edge| {
                stays[edge] = false;
                taken += 1;
            })?;
        }
    }
    context.work().add(graph.heads.len() as u64 - taken);
    Ok(stays)
}

/// The support of an edge that is gone: more than any edge has.
const TAKEN: u32 = u32::MAX;

/// The edges with the fewest triangles.
enum FewestTriangles {
    /// The edges on at most as many triangles as were asked for, as [`key`]s.
    Edges(Vec<u64>),
    /// There are none of those; the least number on any edge.
    Least(u32),
    /// There is no edge.
    Nothing,
}

/// A word by which edges are sorted by head and then by number.
fn key(head: u32, edge: u32) -> u64 {
    u64::from(head) << 32 | u64::from(edge)
}

fn head_of(key: u64) -> u32 {
    (key >> 32) as u32
}

fn edge_of(key: u64) -> u32 {
    key as u32
}

/// A graph that loses edges.
struct ShrinkingGraph<'g> {
    graph: &'g OrientedGraph,
    tails: Vec<u32>,
    /// Triangles on each edge that is left, of edges that are left; [`TAKEN`] of the others.
    support: Vec<AtomicU32>,
    state: Vec<AtomicU8>,
    /// The edges that are left, ascending, and some that are not.
    left: Vec<u32>,
    /// How many those are.
    taken: usize,
    /// The neighbours by all edges that were left when the adjacency was made.
    adjacency: Adjacency,
    marks: Spare<PlacedMarks>,
    context: &'g Context<'g>,
}

impl<'g> ShrinkingGraph<'g> {
    fn new(
        graph: &'g OrientedGraph,
        support: Vec<u32>,
        context: &'g Context<'g>,
    ) -> ShrinkingGraph<'g> {
        assert_eq!(support.len(), graph.heads.len(), "one number for each edge");
        // What is on no triangle takes part in none.
        let adjacency = Adjacency::new(graph, |edge| support[edge] > 0);
        let mut tails = vec![0; support.len()];
        let mut rest = tails.as_mut_slice();
        for u in 0..graph.vertices() as u32 {
            rest.split_off_mut(..graph.row(u).len()).expect("as long as all rows").fill(u);
        }
        let left = (0..support.len() as u32).collect();
        ShrinkingGraph {
            graph,
            tails,
            // In the same memory.
            state: vec![LEFT; support.len()].into_iter().map(AtomicU8::new).collect(),
            support: support.into_iter().map(AtomicU32::new).collect(),
            left,
            taken: 0,
            adjacency,
            marks: Spare::new(),
            context,
        }
    }

    fn state(&self, edge: u32) -> u8 {
        self.state[edge as usize].load(Relaxed)
    }

    fn support(&self, edge: u32) -> u32 {
        self.support[edge as usize].load(Relaxed)
    }

    /// The edges on at most `level` triangles: one look at each that is left.
    fn at_most(&mut self, level: u32) -> FewestTriangles {
        if self.taken * 4 >= self.left.len() {
            let those_left = |edges: &[u32]| -> Vec<u32> {
                edges.iter().copied().filter(|&edge| self.support(edge) != TAKEN).collect()
            };
            self.left = par::map(self.left.chunks(par::BLOCK), those_left).concat();
            self.taken = 0;
        }
        let chunks: Vec<(Vec<u64>, u32)> = par::map(self.left.chunks(par::BLOCK), |edges| {
            let mut least = TAKEN;
            let mut found = Vec::new();
            for &edge in edges {
                let support = self.support(edge);
                least = least.min(support);
                if support <= level {
                    found.push(key(self.graph.heads[edge as usize], edge));
                }
            }
            (found, least)
        });
        match chunks.iter().map(|(_, least)| *least).min() {
            None | Some(TAKEN) => FewestTriangles::Nothing,
            Some(least) if least > level => FewestTriangles::Least(least),
            Some(_) => {
                FewestTriangles::Edges(chunks.into_iter().flat_map(|(found, _)| found).collect())
            }
        }
    }

    /// Takes these edges away, which are on at most `level` triangles, and those that are then on so few,
    /// until each that is left is on more.
    fn take_away(
        &mut self,
        mut round: Vec<u64>,
        level: u32,
        mut gone: impl FnMut(usize),
    ) -> Result<()> {
        while !round.is_empty() {
            self.context.cancel().check()?;
            let state = |key: u64| &self.state[edge_of(key) as usize];
            par::sort_unstable(&mut round);
            for &key in &round {
                state(key).store(GOING, Relaxed);
            }
            let next = self.round(&round, level);
            for &key in &round {
                state(key).store(GONE, Relaxed);
                self.support[edge_of(key) as usize].store(TAKEN, Relaxed);
                gone(edge_of(key) as usize);
            }
            self.taken += round.len();
            self.context.work().add(round.len() as u64);
            round = next;
        }
        if (self.left.len() - self.taken) * 4 < self.adjacency.edges.len() {
            self.compact();
        }
        Ok(())
    }

    /// Takes the triangles of these edges off their other edges, and returns those that fall to `level`.
    fn round(&self, keys: &[u64], level: u32) -> Vec<u64> {
        let run = |keys: &[u64]| {
            let mut fallen = Vec::new();
            let new_marks = || PlacedMarks::new(self.graph.vertices());
            self.marks.with(new_marks, |marks| {
                for keys in keys.chunk_by(|&a, &b| head_of(a) == head_of(b)) {
                    // What is left undone is found out before the next round.
                    if self.context.cancel().is_cancelled() {
                        break;
                    }
                    self.task(keys, level, marks, &mut fallen);
                }
            });
            fallen
        };
        // Many rounds are short: other threads would not be awake before they are over.
        if keys.len() <= TASK {
            return run(keys);
        }
        par::map(keys.chunks(TASK), run).concat()
    }

    /// A part of a round: edges of one head.
    fn task(&self, keys: &[u64], level: u32, marks: &mut PlacedMarks, fallen: &mut Vec<u64>) {
        let (at_head, head_edges) = self.neighbours(head_of(keys[0]));
        let live = || keys.iter().copied().map(edge_of).filter(|&edge| self.support(edge) > 0);
        let walked: usize =
            live().map(|edge| self.neighbours(self.tails[edge as usize]).0.len()).sum();
        let marked = walked * 2 > at_head.len();
        if marked {
            marks.set(at_head);
        }
        for edge in live() {
            let (at_tail, tail_edges) = self.neighbours(self.tails[edge as usize]);
            // Exact: who is going loses no support. Past the last triangle there is nothing to find.
            let mut triangles = self.support(edge);
            let mut common = |i: usize, j: usize| {
                let others = [tail_edges[i], head_edges[j]];
                triangles -= u32::from(self.destroy(edge, others, level, fallen));
                triangles > 0
            };
            if marked {
                let bits = marks.bits();
                let _ = at_tail.iter().enumerate().all(|(i, &rank)| match bits.place(rank) {
                    Some(j) => common(i, j),
                    None => true,
                });
            } else if at_tail.len() <= at_head.len() {
                gallop_while(at_tail, at_head, common);
            } else {
                gallop_while(at_head, at_tail, |j, i| common(i, j));
            }
        }
        if marked {
            marks.clear(at_head);
        }
    }

    /// Takes a triangle off those of its other two edges that stay; false if it was gone before. Of the
    /// edges of a triangle that are going, the one of least number does that.
    fn destroy(&self, edge: u32, others: [u32; 2], level: u32, fallen: &mut Vec<u64>) -> bool {
        let states = others.map(|other| self.state(other));
        if states.contains(&GONE) {
            return false;
        }
        let another_does = |i: usize| states[i] == GOING && others[i] < edge;
        if !another_does(0) && !another_does(1) {
            for (other, state) in others.into_iter().zip(states) {
                // Once for each edge: only one subtraction takes it to the level.
                if state == LEFT && self.support[other as usize].fetch_sub(1, Relaxed) == level + 1
                {
                    fallen.push(key(self.graph.heads[other as usize], other));
                }
            }
        }
        true
    }

    fn neighbours(&self, rank: u32) -> (&[u32], &[u32]) {
        let Adjacency { offsets, neighbours, edges } = &self.adjacency;
        let range = offsets[rank as usize]..offsets[rank as usize + 1];
        (&neighbours[range.clone()], &edges[range])
    }

    /// Drops from the adjacency what is gone: done when half of it is, so that all of it costs O(m).
    fn compact(&mut self) {
        let state = &self.state;
        self.adjacency = Adjacency::new(self.graph, |edge| state[edge].load(Relaxed) == LEFT);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::cpu::support::support;
    use tribin_cpu::prepare::prepare;

    /// By definition: for each k, takes edges on fewer than k - 2 triangles away until there is none.
    fn brute_force(graph: &OrientedGraph) -> Vec<u32> {
        let ends = |u: u32| graph.row(u).iter().map(move |&v| (u, v));
        let all: Vec<(u32, u32)> = (0..graph.vertices() as u32).flat_map(ends).collect();
        let mut found: BTreeMap<(u32, u32), u32> = all.iter().map(|&edge| (edge, 2)).collect();
        let mut left = all.clone();
        for k in 3.. {
            loop {
                let has = |u: u32, v: u32| left.contains(&(u.max(v), u.min(v)));
                let triangles = |&(u, v): &(u32, u32)| {
                    (0..graph.vertices() as u32).filter(|&w| has(u, w) && has(v, w)).count()
                };
                let stays: Vec<_> =
                    left.iter().copied().filter(|edge| triangles(edge) >= k - 2).collect();
                let done = stays.len() == left.len();
                left = stays;
                if done {
                    break;
                }
            }
            if left.is_empty() {
                break;
            }
            left.iter().for_each(|edge| *found.get_mut(edge).unwrap() = k as u32);
        }
        all.iter().map(|edge| found[edge]).collect()
    }

    fn check(edges: &[[u32; 2]], vertices: usize) {
        let graph = prepare(edges, vertices).oriented;
        let expected = brute_force(&graph);
        let (go_on, stop) = (Context::silent(), Context::silent());
        let support = || support(&graph, &go_on).unwrap();
        assert_eq!(trussness(&graph, support(), &go_on).unwrap(), expected);
        stop.cancel().cancel();
        assert_eq!(trussness(&graph, support(), &stop).is_err(), !expected.is_empty());
        for k in 0..8 {
            let stays: Vec<bool> = expected.iter().map(|&truss| truss >= k).collect();
            assert_eq!(k_truss(&graph, support(), k, &go_on).unwrap(), stays, "k = {k}");
        }
    }

    #[test]
    fn closed_forms() {
        let clique = |n: u32| -> Vec<[u32; 2]> {
            (0..n).flat_map(|u| (0..u).map(move |v| [u, v])).collect()
        };
        let truss = |edges: &[[u32; 2]], n| {
            let graph = prepare(edges, n).oriented;
            let go_on = Context::silent();
            trussness(&graph, support(&graph, &go_on).unwrap(), &go_on).unwrap()
        };
        assert_eq!(truss(&clique(40), 40), vec![40; 780]);
        assert_eq!(truss(&[], 5), Vec::<u32>::new());
        assert_eq!(truss(&[[0, 1], [1, 2]], 3), vec![2, 2]);
        // A hub and a ring: each spoke is on two triangles, each edge of the ring on one.
        let wheel: Vec<[u32; 2]> = (0..300).flat_map(|v| [[300, v], [v, (v + 1) % 300]]).collect();
        assert_eq!(truss(&wheel, 301), vec![3; 600]);
    }

    #[test]
    fn cliques_that_share_an_edge_keep_their_own_trussness() {
        // 3 to 9 vertices each, all on the edge 0 - 1.
        let mut edges = vec![[0, 1]];
        let mut next = 2;
        for size in 3..10 {
            let members: Vec<u32> = [0, 1].into_iter().chain(next..next + size - 2).collect();
            next += size - 2;
            for (i, &u) in members.iter().enumerate() {
                edges.extend(members[..i].iter().map(|&v| [u, v]));
            }
        }
        check(&edges, next as usize);
    }

    proptest! {
        #[test]
        fn any_multigraph_as_by_definition(
            edges in prop_oneof![
                prop::collection::vec(prop::array::uniform2(0u32..14), 0..200),
                prop::collection::vec([0u32..4, 0u32..30], 0..150),
            ],
        ) {
            check(&edges, 32);
        }
    }
}
