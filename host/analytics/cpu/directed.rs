//! Triangles by the directions of their edges, on all CPU cores.
//!
//! Each triangle of the undirected simple graph is visited once, as in [`support`](super::support). The directions
//! of its three edges are six bits, and tables say what they are.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::ends::of_edges;
use crate::Result;
use crate::control::Context;
use crate::graph::{DOWN, Directions, OrientedGraph, UP};
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

/// How many directed triangles of each kind a code has at each of its corners `u`, `a` and `b`.
static TRIANGLES: [[[u32; KINDS]; 3]; CODES] = {
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

/// The numbers of directed triangles at each rank, by kind.
///
/// O(m^1.5) work at worst. Memory beside the result: that of [`triangles`](super::support::triangles).
///
/// An edge has at most two directed triangles of a kind for each triangle on it, and a row has less than 2²²
/// entries while a graph has less than 2⁴³ edges: counters of a row do not overflow. A vertex has fewer triangles
/// than the graph has edges, and at most eight directed ones for each: sums of 64 bits do not overflow.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub fn kinds(
    graph: &OrientedGraph,
    directions: &Directions,
    context: &Context,
) -> Result<Vec<[u64; KINDS]>> {
    let zeros = vec![[0; KINDS]; graph.vertices()];
    // In the same memory, as below.
    let shared: Vec<[AtomicU64; KINDS]> =
        zeros.into_iter().map(|kinds| kinds.map(AtomicU64::new)).collect();
    Visitor::new(graph).visit_all(context, || KindSink {
        bits: &directions.bits,
        shared: &shared,
        in_row: Vec::new(),
        own: [0; KINDS],
        start: 0,
        at_edge: 0,
        p: 0,
        code: 0,
    })?;
    Ok(shared.into_iter().map(|kinds| kinds.map(AtomicU64::into_inner)).collect())
}

struct KindSink<'a> {
    bits: &'a [u8],
    shared: &'a [[AtomicU64; KINDS]],
    /// Counters of the heads of the row that is being visited.
    in_row: Vec<[u32; KINDS]>,
    /// Counters of the row's tail.
    own: [u64; KINDS],
    /// The first edge of the row, and of the row of `a`.
    start: usize,
    at_edge: usize,
    p: usize,
    /// The bits of the edge u – a.
    code: usize,
}

#[inline(always)]
fn add<T: Copy + Into<S>, S: std::ops::AddAssign>(sums: &mut [S; KINDS], terms: [T; KINDS]) {
    sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term.into());
}

impl Sink for KindSink<'_> {
    #[inline(always)]
    fn begin_row(&mut self, graph: &OrientedGraph, u: u32) {
        self.start = graph.offsets[u as usize] as usize;
        self.in_row.clear();
        self.in_row.resize(graph.row(u).len(), [0; KINDS]);
        self.own = [0; KINDS];
    }

    #[inline(always)]
    fn begin_edge(&mut self, graph: &OrientedGraph, p: usize, a: u32) {
        self.at_edge = graph.offsets[a as usize] as usize;
        self.p = p;
        self.code = self.bits[self.start + p].into();
    }

    #[inline(always)]
    fn triangle(&mut self, q: usize, r: usize) {
        let (ub, ab) = (self.bits[self.start + q], self.bits[self.at_edge + r]);
        let code = self.code | usize::from(ub) << 2 | usize::from(ab) << 4;
        let [at_u, at_a, at_b] = TRIANGLES[code % CODES];
        add(&mut self.own, at_u);
        add(&mut self.in_row[self.p], at_a);
        add(&mut self.in_row[q], at_b);
    }

    #[inline(always)]
    fn end_row(&mut self, graph: &OrientedGraph, u: u32) {
        let flush = |rank: u32, kinds: [u64; KINDS]| {
            for (shared, count) in self.shared[rank as usize].iter().zip(kinds) {
                if count > 0 {
                    shared.fetch_add(count, Relaxed);
                }
            }
        };
        for (&a, kinds) in graph.row(u).iter().zip(&self.in_row) {
            flush(a, kinds.map(u64::from));
        }
        flush(u, self.own);
    }
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
    let sinks = Visitor::new(graph).visit_all(context, || CodeSink {
        bits: &directions.bits,
        found: [0; CODES],
        start: 0,
        at_edge: 0,
        code: 0,
    })?;
    let mut all = [0; CODES];
    for sink in sinks {
        all.iter_mut().zip(sink.found).for_each(|(sum, found)| *sum += found);
    }
    Ok(all)
}

struct CodeSink<'a> {
    bits: &'a [u8],
    found: [u64; CODES],
    start: usize,
    at_edge: usize,
    code: usize,
}

impl Sink for CodeSink<'_> {
    #[inline(always)]
    fn begin_row(&mut self, graph: &OrientedGraph, u: u32) {
        self.start = graph.offsets[u as usize] as usize;
    }

    #[inline(always)]
    fn begin_edge(&mut self, graph: &OrientedGraph, p: usize, a: u32) {
        self.at_edge = graph.offsets[a as usize] as usize;
        self.code = self.bits[self.start + p].into();
    }

    #[inline(always)]
    fn triangle(&mut self, q: usize, r: usize) {
        let (ub, ab) = (self.bits[self.start + q], self.bits[self.at_edge + r]);
        self.found[(self.code | usize::from(ub) << 2 | usize::from(ab) << 4) % CODES] += 1;
    }

    #[inline(always)]
    fn end_row(&mut self, _: &OrientedGraph, _: u32) {}
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
