//! Similar pairs of vertices: those that share a neighbour. From a vertex, all vertices two steps away are gone through, and
//! what each path adds is summed up for the vertex at its end (the rows of a sparse matrix product, after Fred Gustavson, "Two
//! Fast Algorithms for Sparse Matrices: Multiplication and Permuted Transposition", 1978).
//!
//! Ranks go by degree. The vertices two steps away are gone through by tiles of ranks, whose sums the processor's cache holds, and
//! whose degrees are alike. The tile of the own degree comes first, and then those on both sides of it. Once enough pairs are
//! found, the least of their scores is a bar for the others. A vertex whose degree is too far from the own one cannot reach it,
//! whatever it shares, and nor can those of the tiles beyond. (Bayardo, Ma and Srikant, "Scaling Up All Pairs Similarity Search",
//! WWW 2007, have such bounds.)
//!
//! O(Σ d²) work at most. Memory beside the graph:
//!
//! - 8 bytes for each edge;
//! - 28 for each vertex;
//! - 4 for each vertex and thread, or 8 where doubles are added;
//! - the pairs that are found of some blocks of vertices.

use std::cmp::Ordering;
use std::ops::{AddAssign, Range};

use super::adjacency::RankNeighbours;
use crate::Result;
use crate::control::{Context, Phase};
use crate::graph::OrientedGraph;
use tribin_base::par::{self, Spare};

/// Steps of a block of vertices, about: the paths of length two from them. A block has as many pairs at most.
const STEPS: u64 = 1 << 18;

/// Steps of a vertex that all threads work on together, and more.
const MANY_STEPS: u64 = 1 << 24;

/// Steps after which a thread looks whether the work is still wanted.
const PATIENCE: usize = 1 << 22;

/// Most ranks of a tile: sums of 512 KB, or of 1 MB where they are doubles.
const TILE: usize = 1 << 17;

/// Two vertices and how alike they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimilarPair {
    /// The two vertices, by their indexes.
    pub ends: [u32; 2],
    /// The similarity of the two vertices.
    pub score: f64,
}

/// A measure of how alike two vertices with common neighbours are.
#[derive(Clone, Copy)]
pub enum Measure<'a> {
    /// The score follows from the number of common neighbours, and both degrees. It never falls where there are more common neighbours,
    /// and never rises with a degree that is already as large as the number of common neighbours.
    Common(&'a (dyn Fn(u32, [u32; 2]) -> f64 + Sync)),
    /// The score is the sum over the common neighbours of what follows from the degree of each, which is above 0.
    Summed(fn(u32) -> f64),
}

/// The choice of the pairs that are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct WantedPairs {
    /// How many of the most similar pairs of each vertex are wanted. `None` is for every pair once, the smaller vertex first.
    pub top: Option<usize>,
    /// The least score: pairs with less are left out.
    pub least: f64,
    /// Whether pairs with an edge are left out.
    pub without_edges: bool,
    /// The only vertex whose pairs are wanted.
    pub vertex: Option<u32>,
}

/// Takes the pairs of some blocks of vertices, and says whether more are wanted.
pub type TakePairs<'a> = dyn FnMut(Vec<Vec<SimilarPair>>) -> Result<bool> + Send + 'a;

/// A graph whose pairs of vertices are compared. Its ranks go by degree, the largest first, and then by vertex.
pub struct TwoSteps {
    neighbours: RankNeighbours,
    vertex_of_rank: Vec<u32>,
    rank_of_vertex: Vec<u32>,
    /// The first rank of each tile, and the first without a neighbour.
    tiles: Vec<u32>,
}

impl TwoSteps {
    /// The neighbours of every vertex, in O(n log n + m log d).
    pub fn new(graph: &OrientedGraph) -> TwoSteps {
        let (neighbours, vertex_of_rank, rank_of_vertex) = RankNeighbours::by_degree(graph);
        let tiles = tiles(&neighbours, TILE);
        TwoSteps { neighbours, vertex_of_rank, rank_of_vertex, tiles }
    }

    /// The places where each rank's neighbours start, with the end, and the neighbours of all ranks, ascending for each.
    pub fn rows(&self) -> (&[usize], &[u32]) {
        self.neighbours.all()
    }

    /// The vertex of each rank.
    pub fn vertices(&self) -> &[u32] {
        &self.vertex_of_rank
    }

    /// The rank of a vertex.
    pub fn rank(&self, vertex: u32) -> u32 {
        self.rank_of_vertex[vertex as usize]
    }

    /// The number of tiles.
    fn tiles(&self) -> usize {
        self.tiles.len() - 1
    }

    /// The similarity of the vertices of each pair, in the order of the pairs, whether they share a neighbour or not.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn among(
        &self,
        pairs: &[[u32; 2]],
        measure: Measure<'_>,
        context: &Context,
    ) -> Result<Vec<f64>> {
        match measure {
            Measure::Common(score) => self.scores(pairs, &ByCommon(score), context),
            Measure::Summed(weight) => self.scores(pairs, &BySum(weight), context),
        }
    }

    fn scores(&self, pairs: &[[u32; 2]], by: &impl Scoring, context: &Context) -> Result<Vec<f64>> {
        let of_pair = |&pair: &[u32; 2]| {
            let [u, v] = pair.map(|vertex| self.rank_of_vertex[vertex as usize]);
            let sum = self.add_common(Default::default(), self.neighbours.of(u), v, by);
            // Vertices without a neighbour are like no other, though formulas divide by their degrees.
            match sum == Default::default() {
                true => 0.0,
                false => by.score(sum, [u, v].map(|rank| self.neighbours.degree(rank))),
            }
        };
        let blocks: Result<Vec<Vec<f64>>> = par::try_map(pairs.chunks(par::BLOCK), |pairs| {
            context.cancel().check()?;
            Ok(pairs.iter().map(of_pair).collect())
        });
        Ok(blocks?.concat())
    }

    /// Adds what a rank shares with some ascending ranks, the last first, to a sum.
    fn add_common<M: Scoring>(&self, mut sum: M::Sum, ranks: &[u32], of: u32, by: &M) -> M::Sum {
        let (mut short, mut long) = (ranks, self.neighbours.of(of));
        if short.len() > long.len() {
            std::mem::swap(&mut short, &mut long);
        }
        for &rank in short.iter().rev() {
            // The next place from the end of the longer list, by doubling steps.
            let mut step = 1;
            while step < long.len() && long[long.len() - step] > rank {
                step *= 2;
            }
            let from = long.len().saturating_sub(step);
            long = &long[..from + long[from..].partition_point(|&other| other <= rank)];
            if long.last() == Some(&rank) {
                sum += by.weight(self.neighbours.degree(rank));
            }
        }
        sum
    }

    /// Hands over all pairs that share a neighbour and are wanted, until `take` says `false`. Vertices ascend. Where the most
    /// similar pairs of each are wanted, each vertex has its own, the most similar first, and of equal ones the smaller vertex;
    /// otherwise the second vertices ascend too.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled), and those of `take`.
    pub fn each_pair(
        &self,
        wanted: WantedPairs,
        measure: Measure<'_>,
        context: &Context,
        take: &mut TakePairs<'_>,
    ) -> Result<()> {
        match measure {
            Measure::Common(score) => {
                let finder =
                    PairFinder { graph: self, wanted, by: &ByCommon(score), many: MANY_STEPS };
                finder.run(context, take)
            }
            Measure::Summed(weight) => {
                let finder =
                    PairFinder { graph: self, wanted, by: &BySum(weight), many: MANY_STEPS };
                finder.run(context, take)
            }
        }
    }
}

/// A score, and the sum over paths of two steps that it is made of.
trait Scoring: Sync {
    type Sum: Copy + Default + PartialOrd + AddAssign + Send;

    /// What a common neighbour of this degree adds; above 0. A vertex shares neighbours of degree 1 with itself alone.
    fn weight(&self, degree: u32) -> Self::Sum;

    /// The score of vertices of these degrees.
    fn score(&self, sum: Self::Sum, degrees: [u32; 2]) -> f64;

    /// The largest score of a vertex of such a degree with another of that degree, whatever they share.
    fn most_of_degrees(&self, degrees: [u32; 2]) -> f64;

    /// What a vertex of such a degree shares with another at least, of any degree, where their score is the bar or more.
    fn least_sum(&self, bar: f64, degree: u32) -> Self::Sum;
}

struct ByCommon<'a>(&'a (dyn Fn(u32, [u32; 2]) -> f64 + Sync));

impl Scoring for ByCommon<'_> {
    type Sum = u32;

    fn weight(&self, _: u32) -> u32 {
        1
    }

    fn score(&self, common: u32, degrees: [u32; 2]) -> f64 {
        (self.0)(common, degrees)
    }

    fn most_of_degrees(&self, [u, v]: [u32; 2]) -> f64 {
        (self.0)(u.min(v), [u, v])
    }

    fn least_sum(&self, bar: f64, degree: u32) -> u32 {
        // The other vertex has the common neighbours alone.
        first_in(1..degree, |common| (self.0)(common, [degree, common]) >= bar)
    }
}

struct BySum(fn(u32) -> f64);

impl Scoring for BySum {
    type Sum = f64;

    fn weight(&self, degree: u32) -> f64 {
        (self.0)(degree)
    }

    fn score(&self, sum: f64, _: [u32; 2]) -> f64 {
        sum
    }

    fn most_of_degrees(&self, _: [u32; 2]) -> f64 {
        f64::INFINITY
    }

    fn least_sum(&self, bar: f64, _: u32) -> f64 {
        bar
    }
}

/// A finder of the pairs of a graph.
struct PairFinder<'f, M> {
    graph: &'f TwoSteps,
    wanted: WantedPairs,
    by: &'f M,
    /// Steps of a vertex that all threads work on together.
    many: u64,
}

/// Sums for the vertices two steps away. All are 0 between two vertices.
struct Sums<T> {
    of_rank: Vec<T>,
    /// The ranks whose sums are not 0, and a place more.
    reached: Vec<u32>,
    /// The tiles that were gone through of each list of neighbours: where they begin, and where they end.
    seen: Vec<[u32; 2]>,
}

impl<M: Scoring> PairFinder<'_, M> {
    fn run(&self, context: &Context, take: &mut TakePairs<'_>) -> Result<()> {
        let TwoSteps { neighbours, rank_of_vertex, .. } = self.graph;
        context.phase(Phase::Count);
        let steps = par::tabulate(rank_of_vertex.len(), |vertex| {
            let row = neighbours.of(rank_of_vertex[vertex]);
            row.iter().map(|&by| u64::from(neighbours.degree(by))).sum::<u64>()
        });
        let vertices = match self.wanted.vertex {
            Some(vertex) => vertex as usize..vertex as usize + 1,
            None => 0..rank_of_vertex.len(),
        };
        context.work().begin(steps[vertices.clone()].iter().sum());
        let spare = Spare::new();
        let mut blocks = Blocks { steps: &steps, rest: vertices, many: self.many };
        loop {
            let batch: Vec<_> = blocks.by_ref().take(8 * par::threads()).collect();
            if batch.is_empty() {
                return Ok(());
            }
            let found: Result<Vec<_>> = par::try_map(batch, |vertices| {
                let many = steps[vertices.start] > self.many;
                let found = if many {
                    self.pairs_of_hub(vertices.start as u32, &spare, context)?
                } else {
                    self.pairs_of(vertices.clone(), &spare, context)?
                };
                context.work().add(steps[vertices].iter().sum());
                Ok(found)
            });
            if !take(found?)? {
                return Ok(());
            }
        }
    }

    /// The pairs of some vertices.
    fn pairs_of(
        &self,
        vertices: Range<usize>,
        spare: &Spare<Sums<M::Sum>>,
        context: &Context,
    ) -> Result<Vec<SimilarPair>> {
        context.cancel().check()?;
        let find = |sums: &mut _| {
            let mut found = Vec::new();
            for vertex in vertices {
                let mut best = Best::of(&self.wanted);
                self.find(vertex as u32, 0..self.graph.tiles(), sums, &mut best, context)?;
                best.into_sorted(&mut found);
            }
            Ok(found)
        };
        spare.with(|| self.no_sums(), find)
    }

    /// The pairs of a vertex with very many paths: a task for each tile.
    fn pairs_of_hub(
        &self,
        vertex: u32,
        spare: &Spare<Sums<M::Sum>>,
        context: &Context,
    ) -> Result<Vec<SimilarPair>> {
        let found: Result<Vec<_>> = par::try_map(0..self.graph.tiles(), |tile| {
            let mut best = Best::of(&self.wanted);
            let find = |sums: &mut _| self.find(vertex, tile..tile + 1, sums, &mut best, context);
            spare.with(|| self.no_sums(), find)?;
            Ok(best.kept)
        });
        let mut best = Best::of(&self.wanted);
        found?.into_iter().flatten().for_each(|pair| best.add(pair));
        let mut sorted = Vec::new();
        best.into_sorted(&mut sorted);
        Ok(sorted)
    }

    fn no_sums(&self) -> Sums<M::Sum> {
        let ranks = self.graph.vertex_of_rank.len();
        Sums {
            of_rank: vec![M::Sum::default(); ranks],
            reached: vec![0; ranks.min(TILE) + 1],
            seen: Vec::new(),
        }
    }

    /// Finds the pairs of a vertex with those of some tiles.
    fn find(
        &self,
        vertex: u32,
        tiles: Range<usize>,
        sums: &mut Sums<M::Sum>,
        best: &mut Best,
        context: &Context,
    ) -> Result<()> {
        let (neighbours, by, bounds) = (&self.graph.neighbours, self.by, &self.graph.tiles);
        let rank = self.graph.rank_of_vertex[vertex as usize];
        let (own, degree) = (neighbours.of(rank), neighbours.degree(rank));
        if own.is_empty() {
            return Ok(());
        }
        let own_tile = bounds.partition_point(|&first| first <= rank).saturating_sub(1);
        let first = own_tile.clamp(tiles.start, tiles.end);
        sums.seen.clear();
        sums.seen.extend(own.iter().map(|&middle| {
            let row = neighbours.of(middle);
            [row.partition_point(|&other| other < bounds[first]) as u32; 2]
        }));
        // The tiles from `down` to before `up` were gone through.
        let (mut down, mut up) = (first, first);
        let (mut from, mut to) = (tiles.start, tiles.end);
        while from < down || up < to {
            let goes_up = up < to && (from == down || up - first <= first - down);
            // Of these tiles no degree is nearer to the own one, but in the own tile.
            let (tile, nearest) = match goes_up {
                true => (up, neighbours.degree(bounds[up])),
                false => (down - 1, neighbours.degree(bounds[down] - 1)),
            };
            if tile != own_tile && by.most_of_degrees([degree, nearest]) < best.bar {
                (from, to) = if goes_up { (from, up) } else { (down, to) };
                continue;
            }
            (down, up) = if goes_up { (down, up + 1) } else { (down - 1, up) };
            let number =
                self.add_tile(own, bounds[tile]..bounds[tile + 1], goes_up, sums, context)?;
            self.take_tile(rank, number, sums, best);
        }
        Ok(())
    }

    /// Sums up what the paths to the ranks of a tile add, the middle vertex of the smallest degree first. The tile is next to those
    /// that were gone through. Returns how many ranks were reached.
    fn add_tile(
        &self,
        own: &[u32],
        tile: Range<u32>,
        goes_up: bool,
        sums: &mut Sums<M::Sum>,
        context: &Context,
    ) -> Result<usize> {
        let nothing = M::Sum::default();
        let Sums { of_rank, reached, seen } = sums;
        let (mut number, mut looked) = (0, 0);
        for (&middle, [start, end]) in own.iter().zip(seen).rev() {
            let row = self.graph.neighbours.of(middle);
            if row.len() < 2 {
                continue;
            }
            let row = match goes_up {
                true => {
                    let rest = &row[*end as usize..];
                    let part = &rest[..ranks_before(rest, tile.end)];
                    *end += part.len() as u32;
                    part
                }
                false => {
                    let rest = &row[..*start as usize];
                    *start = ranks_before(rest, tile.start) as u32;
                    &rest[*start as usize..]
                }
            };
            let weight = self.by.weight(self.graph.neighbours.degree(middle));
            for &other in row {
                let sum = &mut of_rank[other as usize];
                reached[number] = other;
                number += usize::from(*sum == nothing);
                *sum += weight;
            }
            looked += row.len();
            if looked > PATIENCE {
                looked = 0;
                context.cancel().check()?;
            }
        }
        Ok(number)
    }

    /// Takes the pairs of a rank with those that were reached, and leaves no sums.
    fn take_tile(&self, rank: u32, number: usize, sums: &mut Sums<M::Sum>, best: &mut Best) {
        let (neighbours, vertices) = (&self.graph.neighbours, &self.graph.vertex_of_rank);
        let degree = neighbours.degree(rank);
        let least = self.by.least_sum(best.bar, degree);
        let Sums { of_rank, reached, .. } = sums;
        for &other in &reached[..number] {
            let sum = std::mem::take(&mut of_rank[other as usize]);
            if sum < least {
                continue;
            }
            let score = self.by.score(sum, [degree, neighbours.degree(other)]);
            if score >= best.bar && self.is_pair(rank, other) {
                let ends = [rank, other].map(|rank| vertices[rank as usize]);
                best.add(SimilarPair { ends, score });
            }
        }
        best.shorten();
    }

    /// Whether two ranks are a pair that is wanted.
    fn is_pair(&self, rank: u32, other: u32) -> bool {
        let WantedPairs { top, without_edges, vertex, .. } = self.wanted;
        let vertices = &self.graph.vertex_of_rank;
        let is_first =
            top.is_some() || vertex.is_some() || vertices[rank as usize] < vertices[other as usize];
        let has_edge = || self.graph.neighbours.of(rank).binary_search(&other).is_ok();
        rank != other && is_first && !(without_edges && has_edge())
    }
}

/// The first rank of each tile of at most `most` ranks, and the end of the last: ranks whose degrees have the same number of bits.
fn tiles(neighbours: &RankNeighbours, most: usize) -> Vec<u32> {
    let mut firsts = vec![0];
    for rank in 0..neighbours.ranks() {
        let (degree, first) = (neighbours.degree(rank), firsts[firsts.len() - 1]);
        let bits = degree.leading_zeros();
        let is_full = (rank - first) as usize == most;
        if is_full || bits > neighbours.degree(first).leading_zeros() {
            firsts.push(rank);
        }
        if degree == 0 {
            return firsts;
        }
    }
    if firsts[firsts.len() - 1] < neighbours.ranks() {
        firsts.push(neighbours.ranks());
    }
    firsts
}

/// How many of some ascending ranks are below a bound.
fn ranks_before(ranks: &[u32], bound: u32) -> usize {
    // Most lists are short, and most of their ranks are on one side.
    match ranks.len() < 16 {
        true => ranks.iter().take_while(|&&rank| rank < bound).count(),
        false => ranks.partition_point(|&rank| rank < bound),
    }
}

/// The first of some ranks for which a condition holds that holds for all that follow; their end where it holds for none.
fn first_in(ranks: Range<u32>, holds: impl Fn(u32) -> bool) -> u32 {
    let (mut start, mut end) = (ranks.start, ranks.end);
    while start < end {
        let middle = start + (end - start) / 2;
        match holds(middle) {
            true => end = middle,
            false => start = middle + 1,
        }
    }
    end
}

/// Blocks of consecutive vertices of about [`STEPS`] steps. A vertex of more than `many` is a block of its own.
struct Blocks<'s> {
    steps: &'s [u64],
    rest: Range<usize>,
    many: u64,
}

impl Iterator for Blocks<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.rest.start;
        let mut sum = 0;
        for vertex in self.rest.by_ref() {
            sum += self.steps[vertex];
            let next = self.steps.get(vertex + 1).copied().unwrap_or(0);
            if sum >= STEPS.min(self.many) || next > self.many || vertex + 1 - start == par::BLOCK {
                break;
            }
        }
        (start < self.rest.start).then_some(start..self.rest.start)
    }
}

/// The best pairs of a vertex so far.
struct Best {
    top: Option<usize>,
    kept: Vec<SimilarPair>,
    /// The score that a pair needs: that of the last of the best, once there are enough of them.
    bar: f64,
}

impl Best {
    fn of(wanted: &WantedPairs) -> Best {
        Best { top: wanted.top, kept: Vec::new(), bar: wanted.least }
    }

    fn add(&mut self, pair: SimilarPair) {
        self.kept.push(pair);
        if self.top.is_some_and(|top| self.kept.len() / 2 >= top.max(32)) {
            self.shorten();
        }
    }

    /// Keeps the best alone, and raises the bar where there are enough of them.
    fn shorten(&mut self) {
        let Some(top) = self.top.filter(|&top| self.kept.len() >= top) else { return };
        if top > 0 {
            let (_, last, _) = self.kept.select_nth_unstable_by(top - 1, by_score);
            self.bar = self.bar.max(last.score);
        }
        self.kept.truncate(top);
    }

    /// Adds the best pairs to `to`, in their order.
    fn into_sorted(mut self, to: &mut Vec<SimilarPair>) {
        self.shorten();
        match self.top {
            Some(_) => self.kept.sort_unstable_by(by_score),
            None => self.kept.sort_unstable_by_key(|pair| pair.ends[1]),
        }
        to.append(&mut self.kept);
    }
}

/// The order of a vertex's pairs: the most similar first, and of equal ones the smaller vertex.
fn by_score(one: &SimilarPair, other: &SimilarPair) -> Ordering {
    other.score.total_cmp(&one.score).then(one.ends[1].cmp(&other.ends[1]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use tribin_cpu::prepare::prepare;

    fn jaccard(common: u32, [u, v]: [u32; 2]) -> f64 {
        f64::from(common) / f64::from(u + v - common)
    }

    fn overlap(common: u32, [u, v]: [u32; 2]) -> f64 {
        f64::from(common) / f64::from(u.min(v))
    }

    fn allocation(degree: u32) -> f64 {
        1.0 / f64::from(degree)
    }

    const BOUND: u32 = 30;

    fn brute_force(edges: &[[u32; 2]], measure: Measure<'_>, [u, v]: [u32; 2]) -> f64 {
        let joined =
            |a: u32, b: u32| a != b && edges.iter().any(|&ends| ends == [a, b] || ends == [b, a]);
        let degree = |a: u32| (0..BOUND).filter(|&b| joined(a, b)).count() as u32;
        let common = (0..BOUND).filter(|&w| joined(u, w) && joined(v, w));
        match measure {
            Measure::Common(score) => score(common.count() as u32, [degree(u), degree(v)]),
            Measure::Summed(weight) => {
                // In the order of the ranks, the last first: doubles are added in that order.
                let mut common: Vec<_> = common.map(|w| (degree(w), BOUND - w)).collect();
                common.sort_unstable();
                common.iter().map(|&(degree, _)| weight(degree)).sum()
            }
        }
    }

    fn expected(edges: &[[u32; 2]], measure: Measure<'_>, wanted: WantedPairs) -> Vec<SimilarPair> {
        let has_edge = |u, v| edges.iter().any(|&ends| ends == [u, v] || ends == [v, u]);
        let mut all = Vec::new();
        for u in (0..BOUND).filter(|&u| wanted.vertex.is_none_or(|only| only == u)) {
            let others = (0..BOUND).filter(|&v| v != u && (wanted.top.is_some() || v > u));
            let mut of_vertex: Vec<_> = others
                .filter(|&v| !(wanted.without_edges && has_edge(u, v)))
                .map(|v| SimilarPair { ends: [u, v], score: brute_force(edges, measure, [u, v]) })
                .filter(|pair| pair.score > 0.0 && pair.score >= wanted.least)
                .collect();
            if let Some(top) = wanted.top {
                of_vertex.sort_unstable_by(by_score);
                of_vertex.truncate(top);
            }
            all.append(&mut of_vertex);
        }
        all
    }

    proptest! {
        /// Pairs of any graph are those of brute force, with and without tasks for parts of the ranks.
        #[test]
        fn pairs_are_those_of_brute_force(
            edges in prop::collection::vec(prop::array::uniform2(0..BOUND), 0..160),
            top in prop::option::of(0usize..6),
            least in prop::sample::select(vec![f64::NEG_INFINITY, 0.0, 0.2, 0.5, 1.0]),
            without_edges in any::<bool>(),
            measure in 0usize..3,
            many in prop::sample::select(vec![0, 20, u64::MAX]),
        ) {
            let graph = prepare(&edges, BOUND as usize).oriented;
            let two_steps = TwoSteps::new(&graph);
            let (by_jaccard, by_overlap) = (ByCommon(&jaccard), ByCommon(&overlap));
            let by_sum = BySum(allocation);
            let wanted = WantedPairs { top, least, without_edges, vertex: None };
            let (mut found, context) = (Vec::new(), Context::silent());
            let take = &mut |blocks: Vec<Vec<SimilarPair>>| {
                found.extend(blocks.into_iter().flatten());
                Ok(true)
            };
            let graph = &two_steps;
            let measure = match measure {
                0 => {
                    PairFinder { graph, wanted, by: &by_jaccard, many }.run(&context, take).unwrap();
                    Measure::Common(&jaccard)
                }
                1 => {
                    PairFinder { graph, wanted, by: &by_overlap, many }.run(&context, take).unwrap();
                    Measure::Common(&overlap)
                }
                _ => {
                    PairFinder { graph, wanted, by: &by_sum, many }.run(&context, take).unwrap();
                    Measure::Summed(allocation)
                }
            };
            prop_assert_eq!(&found, &expected(&edges, measure, wanted));
            let pairs: Vec<[u32; 2]> = found.iter().map(|pair| pair.ends).collect();
            let scores: Vec<f64> = found.iter().map(|pair| pair.score).collect();
            prop_assert_eq!(two_steps.among(&pairs, measure, &context).unwrap(), scores);
        }
    }

    /// Bars are raised in a graph with many paths, and change nothing.
    #[test]
    fn bars_leave_the_best_pairs() {
        let mut random = fastrand::Rng::with_seed(5);
        // Degrees differ, since small numbers are drawn more often.
        let mut end = || {
            let bound = random.u32(1..=600);
            random.u32(..bound)
        };
        let edges: Vec<[u32; 2]> = (0..6_000).map(|_| [end(), end()]).collect();
        let graph = TwoSteps::new(&prepare(&edges, 600).oriented);
        let found = |top, measure| {
            let (mut found, context) = (Vec::new(), Context::silent());
            let wanted =
                WantedPairs { top, least: f64::NEG_INFINITY, without_edges: false, vertex: None };
            let mut take = |blocks: Vec<Vec<SimilarPair>>| {
                found.extend(blocks.into_iter().flatten());
                Ok(true)
            };
            graph.each_pair(wanted, measure, &context, &mut take).unwrap();
            found
        };
        for measure in
            [Measure::Common(&jaccard), Measure::Common(&overlap), Measure::Summed(allocation)]
        {
            let mut all = found(Some(600), measure);
            let mut taken = vec![0; 600];
            all.retain(|pair| {
                let taken: &mut usize = &mut taken[pair.ends[0] as usize];
                *taken += 1;
                *taken <= 3
            });
            assert_eq!(found(Some(3), measure), all);
        }
    }
}
