//! Triangles by the directions of their edges, on all CPU cores.
//!
//! Each triangle of the undirected simple graph is visited once, as in [`support`](super::support). The directions
//! of its three edges are six bits, and tables say what they are.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::ends::of_edges;
use crate::Result;
use crate::control::Context;
use crate::control::memory::{self, NoMemory};
use crate::graph::{DOWN, Directions, OrientedGraph, RowRange, UP};
use tribin_cpu::forward::{Sink, Visitor};

/// The kinds of directed triangles that a vertex is a corner of: a cycle, a middleman's, an in- and an out-triangle.
pub const KINDS: usize = 4;

/// Triangles of ranks `b < a < u` are told apart by a code: two bits each of the edges u – a, u – b and a – b.
pub const CODES: usize = 1 << 6;

/// Which arcs a code has, by the places of `u`, `a` and `b` in `[u, a, b]`.
pub const fn has_arc(code: usize, from: usize, to: usize) -> bool {
    let (tail, head) = if from < to { (from, to) } else { (to, from) };
    let shift = 2 * (tail + head - 1);
    let bit = if from < to { DOWN } else { UP };
    code >> shift & bit as usize != 0
}

/// Numbers that a triangle of each code adds at each of its corners `u`, `a` and `b`.
pub type CornerTable<const N: usize> = [[[u32; N]; 3]; CODES];

/// How many directed triangles of each kind a code has at each of its corners.
pub static TRIANGLES: CornerTable<KINDS> = {
    let mut table = [[[0; KINDS]; 3]; CODES];
    let mut code = 0;
    while code < CODES {
        let mut x = 0;
        while x < 3 {
            let mut turned = 0;
            while turned < 2 {
                // The other two corners in either order.
                let (y, z) = ((x + 1 + turned) % 3, (x + 2 - turned) % 3);
                let kinds = &mut table[code][x];
                if has_arc(code, y, z) {
                    let (to_y, to_z) = (has_arc(code, x, y), has_arc(code, x, z));
                    let (of_y, of_z) = (has_arc(code, y, x), has_arc(code, z, x));
                    kinds[0] += (to_y && of_z) as u32;
                    kinds[1] += (of_y && to_z) as u32;
                    kinds[2] += (of_y && of_z) as u32;
                    kinds[3] += (to_y && to_z) as u32;
                }
                turned += 1;
            }
            x += 1;
        }
        code += 1;
    }
    table
};

/// How many arcs a code has between the other two of its corners.
pub static ARCS: CornerTable<1> = {
    let mut table = [[[0]; 3]; CODES];
    let mut code = 0;
    while code < CODES {
        let mut x = 0;
        while x < 3 {
            let (y, z) = ((x + 1) % 3, (x + 2) % 3);
            table[code][x][0] = has_arc(code, y, z) as u32 + has_arc(code, z, y) as u32;
            x += 1;
        }
        code += 1;
    }
    table
};

/// A consumer of triangles by the directions of their edges.
pub trait CodeSink {
    /// The triangles of a row with this many heads come next.
    fn begin_row(&mut self, _heads: usize) {}

    /// A triangle of this code, of the heads at the places p and q of the row. `third` is the place of the edge between these.
    fn triangle(&mut self, code: usize, p: usize, q: usize, third: usize);

    /// The triangles of the row of `u`, which has these heads, are all there.
    fn end_row(&mut self, _u: u32, _heads: &[u32]) {}
}

/// Tells triangles apart by the directions of their edges.
pub struct ByCode<'a, S> {
    /// The directions of the rows of `u`.
    of_tails: &'a [u8],
    /// The directions of the rows of `a`.
    of_heads: &'a [u8],
    /// The first edge of the row, and of the row of `a`.
    start: usize,
    at_edge: usize,
    p: usize,
    /// The bits of the edge u – a.
    code: usize,
    /// What takes the triangles.
    pub sink: S,
}

impl<'a, S> ByCode<'a, S> {
    /// Hands triangles to a sink. The directions are those of the rows of `u`, and those of the rows of `a`.
    pub fn new([of_tails, of_heads]: [&'a [u8]; 2], sink: S) -> ByCode<'a, S> {
        ByCode { of_tails, of_heads, start: 0, at_edge: 0, p: 0, code: 0, sink }
    }
}

impl<S: CodeSink> Sink for ByCode<'_, S> {
    #[inline(always)]
    fn begin_row(&mut self, tails: &RowRange, u: u32) {
        self.start = tails.first_place(u);
        self.sink.begin_row(tails.row(u).len());
    }

    #[inline(always)]
    fn begin_edge(&mut self, heads: &RowRange, p: usize, a: u32) {
        self.at_edge = heads.first_place(a);
        self.p = p;
        self.code = self.of_tails[self.start + p].into();
    }

    #[inline(always)]
    fn triangle(&mut self, q: usize, r: usize) {
        let third = self.at_edge + r;
        let (ub, ab) = (self.of_tails[self.start + q], self.of_heads[third]);
        let code = self.code | usize::from(ub) << 2 | usize::from(ab) << 4;
        self.sink.triangle(code % CODES, self.p, q, third);
    }

    #[inline(always)]
    fn end_row(&mut self, tails: &RowRange, u: u32) {
        self.sink.end_row(u, tails.row(u));
    }
}

/// Numbers at every rank, to which the corners of triangles add.
///
/// An edge has at most two directed triangles of a kind for each triangle on it, and a row has less than 2²²
/// entries while a graph has less than 2⁴³ edges: counters of a row do not overflow. A vertex has fewer triangles
/// than the graph has edges, and at most eight directed ones for each: sums of 64 bits do not overflow.
pub struct CornerCounters<const N: usize> {
    table: &'static CornerTable<N>,
    shared: Vec<[AtomicU64; N]>,
}

impl<const N: usize> CornerCounters<N> {
    /// Zeros at this many ranks.
    ///
    /// # Errors
    /// No memory for them.
    pub fn new(table: &'static CornerTable<N>, ranks: usize) -> Result<Self, NoMemory> {
        let mut shared = memory::with_capacity(ranks)?;
        shared.resize_with(ranks, || [const { AtomicU64::new(0) }; N]);
        Ok(CornerCounters { table, shared })
    }

    /// What adds to them, in one thread.
    pub fn sink(&self) -> CornerSink<'_, N> {
        CornerSink { counters: self, in_row: Vec::new(), own: [0; N] }
    }

    /// The numbers at each rank. O(n), in the same memory.
    pub fn into_numbers(self) -> Vec<[u64; N]> {
        self.shared.into_iter().map(|counters| counters.map(AtomicU64::into_inner)).collect()
    }
}

/// Adds to the counters of a triangle's corners.
pub struct CornerSink<'a, const N: usize> {
    counters: &'a CornerCounters<N>,
    /// Counters of the heads of the row that is being visited.
    in_row: Vec<[u32; N]>,
    /// Counters of the row's tail.
    own: [u64; N],
}

#[inline(always)]
fn add<T: Copy + Into<S>, S: std::ops::AddAssign, const N: usize>(
    sums: &mut [S; N],
    terms: [T; N],
) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term.into());
}

impl<const N: usize> CodeSink for CornerSink<'_, N> {
    #[inline(always)]
    fn begin_row(&mut self, heads: usize) {
        self.in_row.clear();
        self.in_row.resize(heads, [0; N]);
        self.own = [0; N];
    }

    #[inline(always)]
    fn triangle(&mut self, code: usize, p: usize, q: usize, _: usize) {
        let [at_u, at_a, at_b] = self.counters.table[code];
        add(&mut self.own, at_u);
        add(&mut self.in_row[p], at_a);
        add(&mut self.in_row[q], at_b);
    }

    #[inline(always)]
    fn end_row(&mut self, u: u32, heads: &[u32]) {
        let flush = |rank: u32, numbers: [u64; N]| {
            for (shared, number) in self.counters.shared[rank as usize].iter().zip(numbers) {
                if number > 0 {
                    shared.fetch_add(number, Relaxed);
                }
            }
        };
        for (&a, numbers) in heads.iter().zip(&self.in_row) {
            flush(a, numbers.map(u64::from));
        }
        flush(u, self.own);
    }
}

/// The number of triangles of each code.
impl CodeSink for [u64; CODES] {
    #[inline(always)]
    fn triangle(&mut self, code: usize, _: usize, _: usize, _: usize) {
        self[code] += 1;
    }
}

/// Hands all triangles to sinks, and returns these. `bits` are the directions at each place.
pub(super) fn visit_all<S: CodeSink + Send>(
    graph: &OrientedGraph,
    bits: &[u8],
    context: &Context,
    sink: impl Fn() -> S + Sync,
) -> Result<Vec<S>> {
    let sinks = Visitor::new(graph).visit_all(context, || ByCode::new([bits, bits], sink()))?;
    Ok(sinks.into_iter().map(|by_code| by_code.sink).collect())
}

/// The sums of a table's numbers over the triangles at each rank: [`TRIANGLES`] gives the directed triangles of each kind, and
/// [`ARCS`] the arcs among the neighbours.
///
/// O(m^1.5) work at worst. Memory beside the result: that of [`triangles`](super::support::triangles).
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub fn at_corners<const N: usize>(
    graph: &OrientedGraph,
    directions: &Directions,
    table: &'static CornerTable<N>,
    context: &Context,
) -> Result<Vec<[u64; N]>> {
    let counters = CornerCounters::new(table, graph.vertices())?;
    visit_all(graph, &directions.bits, context, || counters.sink())?;
    Ok(counters.into_numbers())
}

/// The number of triangles of each code. O(m^1.5) work at worst.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub fn codes(
    graph: &OrientedGraph,
    directions: &Directions,
    context: &Context,
) -> Result<[u64; CODES]> {
    let sinks = visit_all(graph, &directions.bits, context, || [0; CODES])?;
    Ok(sinks.into_iter().reduce(sum_of_codes).unwrap_or([0; CODES]))
}

/// The number of triangles of each code in two graphs together.
pub fn sum_of_codes(mut sums: [u64; CODES], terms: [u64; CODES]) -> [u64; CODES] {
    add(&mut sums, terms);
    sums
}

/// How many neighbours of a vertex there are of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// An arc leads to them, and none back.
    pub out: u32,
    /// An arc comes from them, and none goes there.
    pub into: u32,
    /// Both.
    pub mutual: u32,
}

/// The neighbours of each rank. O(n + m) work, and O(n) more for each thread.
pub fn neighbours(graph: &OrientedGraph, directions: &Directions) -> Vec<Neighbours> {
    let add = |neighbours: &mut Neighbours, bits: u8, [down, up]: [u8; 2]| {
        neighbours.out += u32::from(bits == down);
        neighbours.into += u32::from(bits == up);
        neighbours.mutual += u32::from(bits == down | up);
    };
    of_edges(
        graph,
        |neighbours, place| add(neighbours, directions.bits[place], [DOWN, UP]),
        // Seen from the head, down is up.
        |neighbours, place| add(neighbours, directions.bits[place], [UP, DOWN]),
    )
}
