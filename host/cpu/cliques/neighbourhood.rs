//! The graph that the heads of one row induce, as bits.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::forward::{Piece, Sink, Visitor};
use crate::graph::RowRange;

/// The graph that the heads of a row induce. A head is called by its place in the row, and a bit says of two places whether their
/// heads are joined.
///
/// Memory: d²/8 bytes for a row of d heads, which are m/4 bytes at most in a graph of m edges, because no row is longer than √(2m).
/// Where edges are numbered it takes 16 bytes more for each triangle of the row.
#[derive(Default)]
pub(super) struct Neighbourhood {
    /// The rank whose row it is.
    pub tail: u32,
    /// The ranks in the row, ascending.
    pub heads: Vec<u32>,
    /// Words of a row of bits.
    words: usize,
    /// Row p has bit q for q < p, and where the search needs both directions for q > p as well.
    bits: Vec<u64>,
    /// The cliques that hold each head, found so far.
    pub at: Vec<AtomicU64>,
    /// The number of edges from a larger place to a smaller that stand before each word of bits.
    before: Vec<u32>,
    /// The place of each of these edges among all edges of the graph.
    pub places: Vec<u32>,
    /// The cliques that hold each of these edges, found so far.
    pub on: Vec<AtomicU64>,
    /// Whether several threads add to the numbers.
    pub is_shared: bool,
}

/// The facts of a neighbourhood that a search needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Needs {
    /// A bit for each direction of an edge.
    pub both_directions: bool,
    /// A number for each edge.
    pub numbers_of_edges: bool,
}

impl Neighbourhood {
    /// The number of places.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Words of a set of all places.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The places that a place is joined to: the smaller ones, or all.
    #[inline(always)]
    pub fn row(&self, place: usize) -> &[u64] {
        &self.bits[place * self.words..][..self.words]
    }

    /// Adds to a number.
    #[inline(always)]
    pub fn add(&self, to: &AtomicU64, cliques: u64) {
        // A sum that does not fit is found out at the end, by the number of all cliques.
        match self.is_shared {
            true => _ = to.fetch_add(cliques, Relaxed),
            false => to.store(to.load(Relaxed).wrapping_add(cliques), Relaxed),
        }
    }

    /// The places smaller than this one that it may be joined to.
    pub fn row_mut(&mut self, place: usize) -> &mut [u64] {
        &mut self.bits[place * self.words..][..place.div_ceil(64)]
    }

    /// The counter of the edge between two places.
    #[inline(always)]
    pub fn edge(&self, x: usize, y: usize) -> &AtomicU64 {
        let (x, y) = (x.max(y), x.min(y));
        let word = x * self.words + y / 64;
        let smaller = self.bits[word] & ((1 << (y % 64)) - 1);
        &self.on[self.before[word] as usize + smaller.count_ones() as usize]
    }

    /// Makes this the neighbourhood of a row, without any edge so far.
    pub fn begin(&mut self, tail: u32, row: &[u32]) {
        self.tail = tail;
        self.heads.clear();
        self.heads.extend_from_slice(row);
        self.words = row.len().div_ceil(64);
        self.bits.clear();
        self.bits.resize(row.len() * self.words, 0);
        self.places.clear();
        self.is_shared = false;
    }

    /// Makes what the numbers need, once all edges are there.
    pub fn end(&mut self, needs: Needs) {
        let zeros = |counters: &mut Vec<AtomicU64>, len: usize| {
            counters.clear();
            counters.resize_with(len, AtomicU64::default);
        };
        zeros(&mut self.at, if needs.both_directions { self.heads.len() } else { 0 });
        if needs.numbers_of_edges {
            zeros(&mut self.on, self.places.len());
            self.before.clear();
            let mut edges = 0;
            self.before.extend(self.bits.iter().map(|word| {
                let before = edges;
                edges += word.count_ones();
                before
            }));
        }
        if needs.both_directions {
            self.mirror();
        }
    }

    /// Sets the bit of each edge's other direction. `before` counts the first direction alone, and what is looked up in it has no
    /// bits of the second below it.
    fn mirror(&mut self) {
        for x in 0..self.heads.len() {
            for word in 0..=x / 64 {
                let mut smaller = self.bits[x * self.words + word];
                if word == x / 64 {
                    smaller &= (1 << (x % 64)) - 1;
                }
                while smaller != 0 {
                    let y = word * 64 + smaller.trailing_zeros() as usize;
                    self.bits[y * self.words + x / 64] |= 1 << (x % 64);
                    smaller &= smaller - 1;
                }
            }
        }
    }
}

/// Where the neighbourhoods of rows come from.
pub(super) trait Neighbourhoods: Sync {
    /// Fills a neighbourhood with each of some rows that has `least` heads or more, and hands it to `then`.
    fn each(
        &self,
        rows: Range<u32>,
        needed: (Needs, usize),
        neighbourhood: &mut Neighbourhood,
        then: &mut dyn FnMut(&mut Neighbourhood),
    );
}

impl Neighbourhoods for Visitor<'_> {
    fn each(
        &self,
        rows: Range<u32>,
        (needs, least): (Needs, usize),
        neighbourhood: &mut Neighbourhood,
        then: &mut dyn FnMut(&mut Neighbourhood),
    ) {
        let mut fill = Fill { neighbourhood, needs, least, then, p: 0, at_edge: 0 };
        self.visit(Piece::rows(rows), &mut fill);
    }
}

/// Fills a neighbourhood with each row whose triangles are visited, and hands it on.
struct Fill<'n> {
    neighbourhood: &'n mut Neighbourhood,
    needs: Needs,
    /// The fewest heads of a row that is handed on.
    least: usize,
    then: &'n mut dyn FnMut(&mut Neighbourhood),
    p: usize,
    /// The first edge of the row of the head at place `p`.
    at_edge: usize,
}

impl Sink for Fill<'_> {
    #[inline(always)]
    fn begin_row(&mut self, graph: &RowRange, u: u32) {
        self.neighbourhood.begin(u, graph.row(u));
    }

    #[inline(always)]
    fn begin_edge(&mut self, graph: &RowRange, p: usize, a: u32) {
        self.p = p;
        self.at_edge = graph.offsets[a as usize] as usize;
    }

    /// Triangles of an edge come with q ascending, so that edges are numbered in the order of their bits.
    #[inline(always)]
    fn triangle(&mut self, q: usize, r: usize) {
        let n = &mut *self.neighbourhood;
        n.bits[self.p * n.words + q / 64] |= 1 << (q % 64);
        if self.needs.numbers_of_edges {
            n.places.push((self.at_edge + r) as u32);
        }
    }

    fn end_row(&mut self, _: &RowRange, _: u32) {
        if self.neighbourhood.len() >= self.least {
            self.neighbourhood.end(self.needs);
            (self.then)(self.neighbourhood);
        }
    }
}
