//! Triangles on every edge by the signs of their three edges, on all CPU cores.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::Result;
use crate::control::{Context, memory};
use crate::graph::{DOWN, OrientedGraph, UP};
use tribin_cpu::forward::{Sink, Visitor};

/// Triangles by the number of their negative edges, from none to three.
pub type ByNegatives<N> = [N; 4];

/// How many of the three edges of a triangle are negative; `None` where one has no sign. A sign is [`DOWN`] of a positive edge, [`UP`] of
/// a negative one, and anything else of one without.
#[inline(always)]
pub fn negative_edges(signs: [u8; 3]) -> Option<usize> {
    let has_sign = |sign: &u8| *sign == DOWN || *sign == UP;
    signs.iter().all(has_sign).then(|| signs.iter().filter(|&&sign| sign == UP).count())
}

/// The triangles on the edge at each place, by the number of their negative edges. `signs` has the sign at each
/// place, as [`negative_edges`] takes it. Triangles of an edge without a sign are in none of the numbers.
///
/// O(m^1.5) work at worst. Memory: 16 bytes for each edge.
///
/// An edge is on at most n - 2 triangles, which is below 2³²: no counter overflows.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub fn on_edges(
    graph: &OrientedGraph,
    signs: &[u8],
    context: &Context,
) -> Result<Vec<ByNegatives<u32>>> {
    let zeros: Vec<ByNegatives<u32>> = memory::zeroed(graph.heads.len())?;
    // In the same memory, as below.
    let shared: Vec<ByNegatives<AtomicU32>> =
        zeros.into_iter().map(|counts| counts.map(AtomicU32::new)).collect();
    Visitor::new(graph).visit_all(context, || SignSink {
        signs,
        shared: &shared,
        in_row: Vec::new(),
        start: 0,
        at_edge: 0,
        p: 0,
    })?;
    Ok(shared.into_iter().map(|counts| counts.map(AtomicU32::into_inner)).collect())
}

struct SignSink<'a> {
    signs: &'a [u8],
    shared: &'a [ByNegatives<AtomicU32>],
    /// The counters of the row's own edges.
    in_row: Vec<ByNegatives<u32>>,
    start: usize,
    at_edge: usize,
    p: usize,
}

impl Sink for SignSink<'_> {
    #[inline(always)]
    fn begin_row(&mut self, graph: &OrientedGraph, u: u32) {
        self.start = graph.offsets[u as usize] as usize;
        self.in_row.clear();
        self.in_row.resize(graph.row(u).len(), [0; 4]);
    }

    #[inline(always)]
    fn begin_edge(&mut self, graph: &OrientedGraph, p: usize, a: u32) {
        self.at_edge = graph.offsets[a as usize] as usize;
        self.p = p;
    }

    #[inline(always)]
    fn triangle(&mut self, q: usize, r: usize) {
        let third = self.at_edge + r;
        let signs = [self.start + self.p, self.start + q, third].map(|place| self.signs[place]);
        let Some(negative) = negative_edges(signs) else { return };
        self.in_row[self.p][negative] += 1;
        self.in_row[q][negative] += 1;
        self.shared[third][negative].fetch_add(1, Relaxed);
    }

    #[inline(always)]
    fn end_row(&mut self, _: &OrientedGraph, _: u32) {
        // Rows that come later add to these edges too.
        for (shared, counts) in self.shared[self.start..].iter().zip(&self.in_row) {
            for (shared, &count) in shared.iter().zip(counts) {
                if count > 0 {
                    shared.fetch_add(count, Relaxed);
                }
            }
        }
    }
}
