//! Truss decomposition by peeling, on all CPU cores.
//!
//! Level by level, the edges with the fewest triangles are taken away, all of a round at a time, and
//! every triangle that loses an edge is taken off its other edges once. The k-truss is NetworkX's: every
//! edge of it is in at least k - 2 of its triangles. An edge's trussness is the largest such k.
//!
//! Once half of the edges are gone, what is left becomes a graph of its own, with ranks and edges numbered anew: its rows
//! are short and its bitmaps small. Ranks that are dense in that graph have a bitmap.
//!
//! | of an edge's two ends | is looked up in | when |
//! | --- | --- | --- |
//! | the bitmap of one | the bitmap of the other, word by word | both have bitmaps, which are not much longer than their rows |
//! | the one with fewer neighbours, or without a bitmap | the bitmap of the other | one has a bitmap |
//! | the end of higher rank (lower degree) | marks of the other | the round takes enough edges of that other end |
//! | the one with fewer neighbours left | the other's neighbours, by galloping search | else |
//!
//! Sources: Wang and Cheng, "Truss decomposition in massive networks", VLDB 2012; rounds as in Kabir and
//! Madduri, "Parallel k-truss decomposition on multicore systems", HPEC 2017.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::adjacency::NumberedNeighbours;
use crate::Result;
use crate::control::Context;
use crate::graph::OrientedGraph;
use tribin_base::par::{self, Spare};
use tribin_cpu::forward::{Features, Multiversioned, PlacedBits, PlacedMarks, gallop, join, test};

/// Edges that one task of a round takes away.
const TASK: usize = 64;

/// A rank has a bitmap if it has a neighbour for this many ranks: at most 24 bytes of bitmaps an edge.
const RANKS_PER_NEIGHBOUR: usize = 64;

/// Words of two bitmaps that are joined in the time of looking one neighbour up.
const WORDS_PER_TEST: usize = 3;

/// Which trusses are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WantedTruss {
    /// All of them: the trussness of every edge.
    All,
    /// The k-truss of this k alone, which takes less work.
    One(u32),
}

impl WantedTruss {
    /// The least trussness of an edge that is wanted, and the most that is told apart.
    pub fn bounds(self) -> (u32, u32) {
        match self {
            WantedTruss::All => (0, u32::MAX),
            WantedTruss::One(k) => (k, k),
        }
    }
}

/// The trussness of every edge; entry i is of `graph.heads[i]`. Where one truss is wanted it takes one level of peeling, and finds
/// its k or more for the edges in it, and less for all others. `support` is every edge's number of triangles, as
/// [`support`](super::support::support) gives it.
///
/// O(m^1.5) work, and for each level the edges that are left. 40 bytes of memory an edge beside the
/// arguments, and at most 24 for bitmaps. The same for every number of threads.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
///
/// # Panics
/// If there are 2³² edges or more, or `support` has another length.
pub fn trussness(
    graph: &OrientedGraph,
    support: Vec<u32>,
    wanted: WantedTruss,
    context: &Context,
) -> Result<Vec<u32>> {
    let trussness = atomics(vec![2; graph.heads.len()]);
    if !trussness.is_empty() {
        context.cancel().check()?;
    }
    let mut peeling = ShrinkingGraph::new(graph, support, context);
    let (least, most) = wanted.bounds();
    // An edge that stays at this level is in the truss that is wanted.
    let last = most.saturating_sub(3);
    let mut level = least.saturating_sub(3);
    while level <= last && most > 2 {
        match peeling.left.at_most(level) {
            // An edge on n - 2 triangles at most, with n below 2³² - 1: no overflow.
            FewestTriangles::Edges(round) => {
                peeling.take_away(round, level, &trussness)?;
                level += 1;
            }
            FewestTriangles::Least(least) => level = least,
            FewestTriangles::Nothing => break,
        }
    }
    let Left { places, support, .. } = &peeling.left;
    let blocks = places.chunks(par::BLOCK).zip(support.chunks(par::BLOCK));
    par::for_each(blocks, |(places, support)| {
        let mut stay = 0;
        for (&place, support) in places.iter().zip(support) {
            if support.load(Relaxed) != TAKEN {
                trussness[place as usize].store(most, Relaxed);
                stay += 1;
            }
        }
        context.work().add(stay);
    });
    Ok(trussness.into_iter().map(AtomicU32::into_inner).collect())
}

/// The support of an edge that is gone: more than any edge has.
const TAKEN: u32 = u32::MAX;

/// Set in the support of an edge that this round takes away. An edge on s triangles is one of 2s + 1, so that none of less
/// than 2³² is on as many as this.
const GOING: u32 = 1 << 31;

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
    left: Left,
    /// How many edges of `left` are gone.
    taken: usize,
    features: Features,
    context: &'g Context<'g>,
}

/// The edges that were left when it was made, by tail and then by head, between ranks that each have one.
#[derive(Default)]
struct Left {
    /// The place of each edge among the heads of the whole graph.
    places: Vec<u32>,
    tails: Vec<u32>,
    heads: Vec<u32>,
    /// Triangles on each edge that is left, of edges that are left; [`TAKEN`] of the others.
    support: Vec<AtomicU32>,
    /// The edges of each rank that are neither gone nor going.
    staying: Vec<AtomicU32>,
    adjacency: NumberedNeighbours,
    bitmaps: Bitmaps,
    marks: Spare<PlacedMarks>,
}

fn atomics(values: Vec<u32>) -> Vec<AtomicU32> {
    // In the same memory.
    values.into_iter().map(AtomicU32::new).collect()
}

/// The neighbours of dense ranks as bits.
#[derive(Default)]
struct Bitmaps {
    /// Words of a bitmap.
    words: usize,
    /// Where the bitmap of each rank begins, if it has one.
    begins: Vec<Option<usize>>,
    bits: Vec<u64>,
    /// For each word, the place in the row of its first bit.
    firsts: Vec<u32>,
}

impl Bitmaps {
    fn new(adjacency: &NumberedNeighbours) -> Bitmaps {
        let NumberedNeighbours { offsets, neighbours, .. } = adjacency;
        let ranks = offsets.len() - 1;
        let words = ranks.div_ceil(64);
        let mut end = 0;
        let begin = |ends: &[usize]| {
            let begin = end;
            let is_dense = (ends[1] - ends[0]) * RANKS_PER_NEIGHBOUR >= ranks;
            end += if is_dense { words } else { 0 };
            is_dense.then_some(begin)
        };
        let begins: Vec<Option<usize>> = offsets.windows(2).map(begin).collect();
        let (mut bits, mut firsts) = (vec![0; end], vec![0; end]);
        let dense = (0..ranks).filter(|&rank| begins[rank].is_some());
        let rows = bits.chunks_mut(words.max(1)).zip(firsts.chunks_mut(words.max(1)));
        par::for_each(
            dense.zip(rows),
            |(rank, (bits, firsts)): (usize, (&mut [u64], &mut [u32]))| {
                for &other in &neighbours[offsets[rank]..offsets[rank + 1]] {
                    bits[other as usize / 64] |= 1 << (other % 64);
                }
                let mut before = 0;
                for (first, word) in firsts.iter_mut().zip(bits) {
                    *first = before;
                    before += word.count_ones();
                }
            },
        );
        Bitmaps { words, begins, bits, firsts }
    }

    #[inline(always)]
    fn of(&self, rank: u32) -> Option<PlacedBits<'_>> {
        let begin = self.begins[rank as usize]?;
        let words = begin..begin + self.words;
        Some(PlacedBits { words: &self.bits[words.clone()], firsts: &self.firsts[words] })
    }
}

impl Left {
    /// The edges of some that are on a triangle. Their ranks are below `ranks`.
    ///
    /// What each number is picked from goes at once, so that the neighbours have room: 36 bytes an edge at the peak, and at most 24 for
    /// bitmaps.
    fn of(
        places: Vec<u32>,
        tails: Vec<u32>,
        heads: Cow<'_, [u32]>,
        support: Vec<AtomicU32>,
        ranks: usize,
    ) -> Left {
        let edges = par::map(par::blocks(places.len(), par::BLOCK), |block| {
            let is_left = |edge: &usize| !matches!(support[*edge].load(Relaxed), 0 | TAKEN);
            block.filter(is_left).map(|edge| edge as u32).collect::<Vec<u32>>()
        });
        let edges = edges.concat();
        let mut numbers = atomics(vec![0; ranks]);
        par::for_each(edges.chunks(par::BLOCK), |edges| {
            for &edge in edges {
                for end in [tails[edge as usize], heads[edge as usize]] {
                    // Threads that only read do not take a hub's line from one another.
                    if numbers[end as usize].load(Relaxed) == 0 {
                        numbers[end as usize].store(1, Relaxed);
                    }
                }
            }
        });
        let mut next = 0;
        for number in &mut numbers {
            next += std::mem::replace(number.get_mut(), next);
        }
        let pick = |of: &(dyn Fn(usize) -> u32 + Sync)| {
            par::tabulate(edges.len(), |i| of(edges[i] as usize))
        };
        let picked = pick(&|edge| places[edge]);
        drop(places);
        let places = picked;
        let picked = pick(&|edge| support[edge].load(Relaxed));
        drop(support);
        let support = atomics(picked);
        let picked = pick(&|edge| numbers[tails[edge] as usize].load(Relaxed));
        drop(tails);
        let tails = picked;
        let heads = pick(&|edge| numbers[heads[edge] as usize].load(Relaxed));
        drop((edges, numbers));
        let adjacency = NumberedNeighbours::new(next as usize, &tails, &heads);
        let degrees = adjacency.offsets.windows(2).map(|ends| (ends[1] - ends[0]) as u32);
        let staying = degrees.map(AtomicU32::new).collect();
        let bitmaps = Bitmaps::new(&adjacency);
        Left { places, tails, heads, support, staying, adjacency, bitmaps, marks: Spare::new() }
    }

    fn ranks(&self) -> usize {
        self.adjacency.offsets.len() - 1
    }

    /// Marks edges that this round takes away, which come by head. One thread does this for each edge, while nobody changes supports.
    fn begin_to_go(&self, keys: &[u64]) {
        for keys in keys.chunk_by(|&a, &b| head_of(a) == head_of(b)) {
            self.staying[head_of(keys[0]) as usize].fetch_sub(keys.len() as u32, Relaxed);
            for edge in keys.iter().copied().map(edge_of) {
                let support = self.support(edge);
                support.store(support.load(Relaxed) | GOING, Relaxed);
                self.staying[self.tails[edge as usize] as usize].fetch_sub(1, Relaxed);
            }
        }
    }

    /// Whether all edges of both ends of an edge are gone or going: no triangle of it has an edge that stays.
    #[inline(always)]
    fn leaves_nobody(&self, edge: u32) -> bool {
        let ends = [self.tails[edge as usize], self.heads[edge as usize]];
        ends.iter().all(|&end| self.staying[end as usize].load(Relaxed) == 0)
    }

    #[inline(always)]
    fn support(&self, edge: u32) -> &AtomicU32 {
        &self.support[edge as usize]
    }

    #[inline(always)]
    fn neighbours(&self, rank: u32) -> (&[u32], &[u32]) {
        let NumberedNeighbours { offsets, neighbours, edges } = &self.adjacency;
        let range = offsets[rank as usize]..offsets[rank as usize + 1];
        (&neighbours[range.clone()], &edges[range])
    }

    /// The edges on at most `level` triangles: one look at each.
    fn at_most(&self, level: u32) -> FewestTriangles {
        let blocks = self.support.chunks(par::BLOCK).enumerate();
        let found: Vec<(Vec<u64>, u32)> = par::map(blocks, |(block, supports)| {
            let mut least = TAKEN;
            let mut found = Vec::new();
            for (edge, support) in (block * par::BLOCK..).zip(supports) {
                let support = support.load(Relaxed);
                least = least.min(support);
                if support <= level {
                    found.push(key(self.heads[edge], edge as u32));
                }
            }
            (found, least)
        });
        match found.iter().map(|(_, least)| *least).min() {
            None | Some(TAKEN) => FewestTriangles::Nothing,
            Some(least) if least > level => FewestTriangles::Least(least),
            Some(_) => {
                FewestTriangles::Edges(found.into_iter().flat_map(|(found, _)| found).collect())
            }
        }
    }
}

/// Calls `each` with blocks of the keys, on this thread alone where there are few.
fn for_each_block(keys: &[u64], each: &(dyn Fn(&[u64]) + Sync)) {
    match keys.len() <= par::BLOCK {
        true => each(keys),
        false => par::for_each(keys.chunks(par::BLOCK), each),
    }
}

impl<'g> ShrinkingGraph<'g> {
    fn new(
        graph: &'g OrientedGraph,
        support: Vec<u32>,
        context: &'g Context<'g>,
    ) -> ShrinkingGraph<'g> {
        assert_eq!(support.len(), graph.heads.len(), "one number for each edge");
        assert!(graph.edges() <= u64::from(u32::MAX), "edges are numbered in 32 bits");
        let mut tails = vec![0; support.len()];
        let ranks = 0..graph.vertices() as u32;
        let rows = par::cut(&mut tails, ranks.clone().map(|u| graph.row(u).len()));
        rows.into_iter().zip(ranks).for_each(|(row, u)| row.fill(u));
        let places = par::tabulate(support.len(), |place| place as u32);
        let heads = Cow::Borrowed(&graph.heads[..]);
        let left = Left::of(places, tails, heads, atomics(support), graph.vertices());
        context.work().begin(graph.edges());
        // What is on no triangle is done.
        context.work().add(graph.edges() - left.places.len() as u64);
        ShrinkingGraph { left, taken: 0, features: Features::widest(), context }
    }

    /// Takes these edges away, which are on at most `level` triangles, and those that are then on so few,
    /// until each that is left is on more. Their trussness is known then.
    fn take_away(
        &mut self,
        mut round: Vec<u64>,
        level: u32,
        trussness: &[AtomicU32],
    ) -> Result<()> {
        while !round.is_empty() {
            self.context.cancel().check()?;
            self.taken += round.len();
            par::sort_unstable(&mut round);
            for_each_block(&round, &|keys| self.left.begin_to_go(keys));
            let next = self.round(&round, level);
            for_each_block(&round, &|keys| {
                for edge in keys.iter().copied().map(edge_of) {
                    self.left.support(edge).store(TAKEN, Relaxed);
                    let place = self.left.places[edge as usize];
                    trussness[place as usize].store(level + 2, Relaxed);
                }
            });
            self.context.work().add(round.len() as u64);
            round = next;
        }
        // When half of it is gone, so that all of this costs O(m).
        if self.taken * 2 > self.left.places.len() {
            let ranks = self.left.ranks();
            let Left { places, tails, heads, support, .. } = std::mem::take(&mut self.left);
            self.left = Left::of(places, tails, Cow::Owned(heads), support, ranks);
            self.taken = 0;
        }
        Ok(())
    }

    /// Takes the triangles of these edges off their other edges, and returns those that fall to `level`.
    fn round(&self, keys: &[u64], level: u32) -> Vec<u64> {
        let run = |keys: &[u64]| {
            let mut fallen = Vec::new();
            let new_marks = || PlacedMarks::new(self.left.ranks());
            self.left.marks.with(new_marks, |marks| {
                for keys in keys.chunk_by(|&a, &b| head_of(a) == head_of(b)) {
                    // What is left undone is found out before the next round.
                    if self.context.cancel().is_cancelled() {
                        break;
                    }
                    let fallen = &mut fallen;
                    self.features.run(RoundTask { left: &self.left, keys, level, marks, fallen });
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
}

/// A part of a round: edges of one head.
struct RoundTask<'a> {
    left: &'a Left,
    keys: &'a [u64],
    level: u32,
    marks: &'a mut PlacedMarks,
    /// The edges that fall to the level.
    fallen: &'a mut Vec<u64>,
}

impl Multiversioned for RoundTask<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let RoundTask { left, keys, level, marks, fallen } = self;
        let head = head_of(keys[0]);
        let (at_head, head_edges) = left.neighbours(head);
        let head_bits = left.bitmaps.of(head);
        let triangles = |edge: u32| left.support(edge).load(Relaxed) & !GOING;
        let matters = |edge: &u32| triangles(*edge) > 0 && !left.leaves_nobody(*edge);
        let live = || keys.iter().copied().map(edge_of).filter(matters);
        let tails = || live().map(|edge| left.tails[edge as usize]);
        let walked = || tails().map(|tail| left.neighbours(tail).0.len()).sum::<usize>();
        let marked = head_bits.is_none() && walked() * 2 > at_head.len();
        if marked {
            marks.set(at_head);
        }
        for edge in live() {
            let tail = left.tails[edge as usize];
            let (at_tail, tail_edges) = left.neighbours(tail);
            // Exact: who is going loses no support. Past the last triangle there is nothing to find.
            let mut triangles = triangles(edge);
            let mut common = |i: usize, j: usize| {
                let others = [tail_edges[i], head_edges[j]];
                triangles -= u32::from(left.destroy(edge, others, level, fallen));
                triangles > 0
            };
            let shorter = at_tail.len().min(at_head.len());
            match (left.bitmaps.of(tail), head_bits) {
                (Some(t), Some(h)) if left.bitmaps.words <= WORDS_PER_TEST * shorter => {
                    join(t, h, common);
                }
                (t, Some(h)) if t.is_none() || at_tail.len() <= at_head.len() => {
                    test(at_tail, h, common);
                }
                (Some(t), _) => test(at_head, t, |j, i| common(i, j)),
                _ if marked => test(at_tail, marks.bits(), common),
                _ if at_tail.len() <= at_head.len() => gallop(at_tail, at_head, common),
                _ => gallop(at_head, at_tail, |j, i| common(i, j)),
            }
        }
        if marked {
            marks.clear(at_head);
        }
    }
}

impl Left {
    /// Takes a triangle off those of its other two edges that stay; false if it was gone before. Of the
    /// edges of a triangle that are going, the one of least number does that.
    #[inline(always)]
    fn destroy(&self, edge: u32, others: [u32; 2], level: u32, fallen: &mut Vec<u64>) -> bool {
        let states = others.map(|other| self.support(other).load(Relaxed));
        if states.contains(&TAKEN) {
            return false;
        }
        let another_does = |i: usize| states[i] & GOING != 0 && others[i] < edge;
        if !another_does(0) && !another_does(1) {
            for (other, state) in others.into_iter().zip(states) {
                // Once for each edge: only one subtraction takes it to the level.
                if state & GOING == 0 && self.support(other).fetch_sub(1, Relaxed) == level + 1 {
                    fallen.push(key(self.heads[other as usize], other));
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use testkit::oracle::Simple;

    use super::*;
    use crate::cpu::support::support;
    use tribin_cpu::prepare::prepare;
    use tribin_generate::{GRAPH500, Rmat};

    /// What the oracle, which takes one edge on the fewest triangles away after the other, finds for each edge in
    /// the order of the rows.
    fn by_the_oracle(graph: &OrientedGraph, edges: &[[u32; 2]]) -> Vec<u32> {
        let found = Simple::with_vertices(edges, graph.vertices()).trussness();
        let vertex = |rank: u32| graph.vertex_of_rank()[rank as usize];
        (0..graph.vertices() as u32)
            .flat_map(|u| graph.row(u).iter().map(move |&v| [vertex(u), vertex(v)]))
            .map(|[u, v]| found[&[u.min(v), u.max(v)]])
            .collect()
    }

    /// Rows with bitmaps and without, long rounds, and graphs that are made anew.
    #[test]
    fn any_number_of_threads_as_by_the_oracle() {
        let rmat = |scale, factor| {
            let rmat = Rmat::new(scale, factor, GRAPH500, 5).unwrap();
            tribin_generate::graph(&rmat, "rmat").edges().to_vec()
        };
        let ring = (0..20_000u32).flat_map(|v| [1, 2].map(|step| [v, (v + step) % 20_000]));
        let hub = (1..9_000u32).flat_map(|v| [[0, v], [v, v + 1]]);
        for edges in [rmat(10, 16), rmat(13, 4), ring.collect(), hub.collect()] {
            let bound = edges.iter().flatten().max().map_or(0, |&last: &u32| last as usize + 1);
            let graph = prepare(&edges, bound).oriented;
            let (expected, context) = (by_the_oracle(&graph, &edges), Context::silent());
            for threads in [1, 2, 8] {
                let found = par::Pool::start(threads, "test").unwrap().install(|| {
                    let support = support(&graph, &context).unwrap();
                    trussness(&graph, support, WantedTruss::All, &context).unwrap()
                });
                assert_eq!(found, expected, "{threads} threads");
            }
        }
    }

    proptest! {
        #[test]
        fn any_multigraph_as_by_the_oracle(
            edges in prop_oneof![
                prop::collection::vec(prop::array::uniform2(0u32..14), 0..200),
                prop::collection::vec([0u32..4, 0u32..30], 0..150),
            ],
        ) {
            let graph = prepare(&edges, 32).oriented;
            let expected = by_the_oracle(&graph, &edges);
            let (go_on, stop) = (Context::silent(), Context::silent());
            let support = || support(&graph, &go_on).unwrap();
            let of = |wanted, context| trussness(&graph, support(), wanted, context);
            prop_assert_eq!(&of(WantedTruss::All, &go_on).unwrap(), &expected);
            stop.cancel().cancel();
            prop_assert_eq!(of(WantedTruss::All, &stop).is_err(), !expected.is_empty());
            for k in 0..8 {
                let stays: Vec<bool> = expected.iter().map(|&truss| truss >= k).collect();
                let found = of(WantedTruss::One(k), &go_on).unwrap();
                let found: Vec<bool> = found.into_iter().map(|found| found >= k).collect();
                prop_assert_eq!(found, stays, "k = {}", k);
            }
        }
    }
}
