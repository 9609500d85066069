//! Triangles on every edge by the signs of their three edges, on all CPU cores.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::directed::{CodeSink, visit_all};
use crate::Result;
use crate::control::{Context, memory};
use crate::graph::{DOWN, OrientedGraph, UP};

/// Triangles by the number of their negative edges, from none to three.
pub type ByNegatives<N> = [N; 4];

/// How many edges are negative of a triangle with this code of signs; `None` where one has no sign. A sign is [`DOWN`] of a positive
/// edge, [`UP`] of a negative one, and anything else of one without.
#[inline(always)]
pub fn negative_edges(code: usize) -> Option<usize> {
    let signs = [0, 2, 4].map(|shift| (code >> shift & 0b11) as u8);
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
    let shared: Vec<ByNegatives<AtomicU32>> = memory::zeroed(graph.heads.len())?;
    visit_all(graph, signs, context, || SignSink { graph, shared: &shared, in_row: Vec::new() })?;
    // In the same memory.
    Ok(shared.into_iter().map(|counts| counts.map(AtomicU32::into_inner)).collect())
}

struct SignSink<'a> {
    graph: &'a OrientedGraph,
    shared: &'a [ByNegatives<AtomicU32>],
    /// The counters of the row's own edges.
    in_row: Vec<ByNegatives<u32>>,
}

impl CodeSink for SignSink<'_> {
    #[inline(always)]
    fn begin_row(&mut self, heads: usize) {
        self.in_row.clear();
        self.in_row.resize(heads, [0; 4]);
    }

    #[inline(always)]
    fn triangle(&mut self, code: usize, p: usize, q: usize, third: usize) {
        let Some(negative) = negative_edges(code) else { return };
        self.in_row[p][negative] += 1;
        self.in_row[q][negative] += 1;
        self.shared[third][negative].fetch_add(1, Relaxed);
    }

    #[inline(always)]
    fn end_row(&mut self, u: u32, _: &[u32]) {
        let start = self.graph.offsets[u as usize] as usize;
        // Rows that come later add to these edges too.
        for (shared, counts) in self.shared[start..].iter().zip(&self.in_row) {
            for (shared, &count) in shared.iter().zip(counts) {
                if count > 0 {
                    shared.fetch_add(count, Relaxed);
                }
            }
        }
    }
}
