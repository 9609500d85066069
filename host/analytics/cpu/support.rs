//! Triangles at every edge and at every vertex, on all CPU cores.
//!
//! The triangles are those that [`forward::cpu`](crate::methods::forward::cpu) counts, visited one by one. What a
//! triangle adds is kept where it is cheap: for the two edges (or vertices) in the row that is being
//! visited, in counters as long as that row; for the third edge, in counters of the thread where it is a
//! hub's, and in counters of all threads elsewhere.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::Result;
use crate::control::Context;
use crate::graph::{OrientedGraph, Rows};
use crate::methods::forward::cpu::{Sink, Visitor};

/// Edges of which each thread has counters of its own, 4 bytes each: the rows of the hubs, which stand
/// first, are the ends of most triangles of a skewed graph.
const PRIVATE: usize = 1 << 20;

/// The number of triangles on each edge; entry i is of `graph.heads[i]`.
///
/// O(m^1.5) work at worst, and O(1) for each triangle. Memory beside the result: that of
/// [`triangles`], and 4 MB for each thread.
///
/// An edge is on at most n - 2 triangles, which is below 2³²: no counter overflows, and neither does
/// any sum of private counters, which is part of an edge's number.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub fn support(graph: &OrientedGraph, context: &Context) -> Result<Vec<u32>> {
    with_private(graph, PRIVATE, context)
}

fn with_private(graph: &OrientedGraph, private: usize, context: &Context) -> Result<Vec<u32>> {
    let shared: Vec<AtomicU32> =
        (0..graph.heads.len()).into_par_iter().map(|_| AtomicU32::new(0)).collect();
    let private = private.min(graph.heads.len());
    let sinks = Visitor::new(graph).visit_all(context, || SupportSink {
        shared: &shared,
        private: vec![0; private],
        in_row: Vec::new(),
        at_edge: 0,
        p: 0,
    })?;
    let privates: Vec<Vec<u32>> = sinks.into_iter().map(|sink| sink.private).collect();
    let mut support: Vec<u32> = shared.into_par_iter().map(AtomicU32::into_inner).collect();
    for terms in &privates {
        let sums = support[..private].par_iter_mut().zip(terms).with_min_len(1 << 14);
        sums.for_each(|(sum, term)| *sum += term);
    }
    Ok(support)
}

struct SupportSink<'a> {
    shared: &'a [AtomicU32],
    private: Vec<u32>,
    /// Triangles on the edges of the row that is being visited.
    in_row: Vec<u32>,
    /// The first edge of the row of `a`.
    at_edge: usize,
    p: usize,
}

impl Sink for SupportSink<'_> {
    #[inline(always)]
    fn begin_row(&mut self, graph: &OrientedGraph, u: u32) {
        self.in_row.clear();
        self.in_row.resize(graph.row(u).len(), 0);
    }

    #[inline(always)]
    fn begin_edge(&mut self, graph: &OrientedGraph, p: usize, a: u32) {
        self.at_edge = graph.offsets[a as usize] as usize;
        self.p = p;
    }

    #[inline(always)]
    fn triangle(&mut self, q: usize, r: usize) {
        self.in_row[q] += 1;
        self.in_row[self.p] += 1;
        match self.private.get_mut(self.at_edge + r) {
            Some(count) => *count += 1,
            None => _ = self.shared[self.at_edge + r].fetch_add(1, Relaxed),
        }
    }

    #[inline(always)]
    fn end_row(&mut self, graph: &OrientedGraph, u: u32) {
        let start = graph.offsets[u as usize] as usize;
        for (shared, &count) in self.shared[start..].iter().zip(&self.in_row) {
            if count > 0 {
                shared.fetch_add(count, Relaxed);
            }
        }
    }
}

/// The number of triangles at each rank.
///
/// O(m^1.5) work at worst. Memory beside the result: a bitmap of at most 1.5 MB for each thread, and
/// the hubs' bits, at most 24 bytes for each edge (on Graph500 graphs about 3).
///
/// A vertex of degree d has at most d(d-1)/2 triangles, which is below 2⁶³.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub fn triangles(graph: &OrientedGraph, context: &Context) -> Result<Vec<u64>> {
    let shared: Vec<AtomicU64> =
        (0..graph.vertices()).into_par_iter().map(|_| AtomicU64::new(0)).collect();
    let sink = || VertexSink::new(&shared);
    Visitor::new(graph).visit_all(context, sink)?;
    Ok(shared.into_par_iter().map(AtomicU64::into_inner).collect())
}

pub(crate) struct VertexSink<'a> {
    shared: &'a [AtomicU64],
    /// Triangles on the edges of the row that is being visited.
    in_row: Vec<u64>,
    p: usize,
}

impl<'a> VertexSink<'a> {
    /// A sink that adds to a counter of each rank.
    pub fn new(shared: &'a [AtomicU64]) -> VertexSink<'a> {
        VertexSink { shared, in_row: Vec::new(), p: 0 }
    }
}

impl<T: Rows, H> Sink<T, H> for VertexSink<'_> {
    #[inline(always)]
    fn begin_row(&mut self, tails: &T, u: u32) {
        self.in_row.clear();
        self.in_row.resize(tails.row(u).len(), 0);
    }

    #[inline(always)]
    fn begin_edge(&mut self, _: &H, p: usize, _: u32) {
        self.p = p;
    }

    #[inline(always)]
    fn triangle(&mut self, q: usize, _: usize) {
        self.in_row[q] += 1;
        self.in_row[self.p] += 1;
    }

    #[inline(always)]
    fn end_row(&mut self, tails: &T, u: u32) {
        let mut twice = 0;
        for (&a, &count) in tails.row(u).iter().zip(&self.in_row) {
            if count > 0 {
                self.shared[a as usize].fetch_add(count, Relaxed);
                twice += count;
            }
        }
        self.shared[u as usize].fetch_add(twice / 2, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::prepare::cpu::prepare;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn any_multigraph_as_by_trying_all_triples(
            edges in prop::collection::vec(prop::array::uniform2(0u32..40), 0..500),
            private in prop_oneof![Just(0usize), 1usize..300, Just(PRIVATE)],
        ) {
            let graph = prepare(&edges, 45).oriented;
            let mut at_edge = vec![0; graph.heads.len()];
            let mut at_vertex = vec![0; 45];
            let edge = |u: u32, v: u32| {
                let place = graph.row(u).binary_search(&v).ok()?;
                Some(graph.offsets[u as usize] as usize + place)
            };
            for u in 0..45 {
                for a in 0..u {
                    for b in 0..a {
                        if let (Some(ua), Some(ub), Some(ab)) = (edge(u, a), edge(u, b), edge(a, b)) {
                            for e in [ua, ub, ab] {
                                at_edge[e] += 1;
                            }
                            for v in [u, a, b] {
                                at_vertex[v as usize] += 1;
                            }
                        }
                    }
                }
            }
            prop_assert_eq!(with_private(&graph, private, &Context::silent()).unwrap(), at_edge);
            prop_assert_eq!(triangles(&graph, &Context::silent()).unwrap(), at_vertex);
        }
    }
}
