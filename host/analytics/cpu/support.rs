//! Triangles at every edge and at every vertex, on all CPU cores.
//!
//! The triangles are those that [`forward::cpu`](tribin_cpu::forward) counts. With AVX-512 they are found in the same
//! steps: the triangles of a row u come as one number for each of its edges (`PlaceCounter`). What the third edges a → b
//! have comes with them where it is wanted. Other processors visit them one by one. Hubs are corners and ends of most triangles
//! of a skewed graph, and have the lowest ranks: each thread has counters of its own for those, and shares the others.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::Result;
use crate::control::{Context, memory};
use crate::graph::{OrientedGraph, RowRange};
use tribin_base::par;
use tribin_cpu::forward::{ByRow, PlaceCounter, RowSink, Thirds, Visitor};

/// Edges of which each thread has the lowest byte of a counter: the rows of the hubs stand first. A quarter of them makes
/// support on a Graph500 graph of scale 20 take 1.3 times as long, and four times as many 1.1 times.
const PRIVATE_EDGES: usize = 1 << 22;

/// Ranks of which each thread has counters of its own, 8 bytes each: they stay in a core's second-level cache.
const PRIVATE_RANKS: usize = 1 << 14;

/// The number of triangles on each edge; entry i is of `graph.heads[i]`.
///
/// O(m^1.5) work at worst. Memory beside the result: that of [`triangles`], a sixteenth more for the hubs' bits, and 4 MB for
/// each thread.
///
/// An edge is on at most n - 2 triangles, which is below 2³²: no counter overflows. A byte of a thread that overflows goes on to
/// the edge's shared counter, and what is left in the bytes at the end is part of the edge's number too.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub fn support(graph: &OrientedGraph, context: &Context) -> Result<Vec<u32>> {
    with_private(graph, PRIVATE_EDGES, PlaceCounter::is_faster(), context)
}

/// Hands the triangles to a sink for each thread: as numbers of the edges of a row, or one by one where that is faster.
fn each_row<S: RowSink + Send>(
    graph: &OrientedGraph,
    by_row: bool,
    context: &Context,
    sink: impl Fn() -> S + Sync,
) -> Result<Vec<S>> {
    if by_row {
        return PlaceCounter::new(graph, S::Thirds::WANTED)?.count_all(context, sink);
    }
    let sinks = Visitor::new(graph).visit_all(context, || ByRow::new(sink()))?;
    Ok(sinks.into_iter().map(|by_row| by_row.sink).collect())
}

/// Finds the support, with counters of each thread's own for the first edges.
fn with_private(
    graph: &OrientedGraph,
    private: usize,
    by_row: bool,
    context: &Context,
) -> Result<Vec<u32>> {
    let edges = graph.heads.len();
    let shared: Vec<AtomicU32> = memory::zeroed(edges)?;
    let private = private.min(edges);
    let sinks = each_row(graph, by_row, context, || EdgeCounters {
        shared: &shared,
        // Without memory for them, all counters are shared.
        private: memory::zeroed(private).unwrap_or_default(),
    })?;
    let privates: Vec<Vec<u8>> = sinks.into_iter().map(|sink| sink.private).collect();
    // In the same memory.
    let mut support: Vec<u32> = shared.into_iter().map(AtomicU32::into_inner).collect();
    for terms in privates {
        let blocks = support.chunks_mut(par::BLOCK).zip(terms.chunks(par::BLOCK));
        par::for_each(blocks, |(sums, terms)| {
            sums.iter_mut().zip(terms).for_each(|(sum, &term)| *sum += u32::from(term));
        });
    }
    Ok(support)
}

/// A counter of each edge.
pub struct EdgeCounters<'a> {
    shared: &'a [AtomicU32],
    /// The lowest bits of those of the first edges, of this thread alone.
    private: Vec<u8>,
}

impl<'a> EdgeCounters<'a> {
    /// Counters that all threads share.
    pub fn new(shared: &'a [AtomicU32]) -> EdgeCounters<'a> {
        EdgeCounters { shared, private: Vec::new() }
    }
}

impl Thirds for EdgeCounters<'_> {
    const WANTED: bool = true;

    #[inline(always)]
    fn add(&mut self, edge: usize) {
        let Some(count) = self.private.get_mut(edge) else {
            self.shared[edge].fetch_add(1, Relaxed);
            return;
        };
        *count = count.wrapping_add(1);
        if *count == 0 {
            self.carry(edge);
        }
    }

    #[inline(always)]
    fn lowest(&mut self) -> &mut [u8] {
        &mut self.private
    }

    #[inline(always)]
    fn carry(&mut self, edge: usize) {
        self.shared[edge].fetch_add(1 << u8::BITS, Relaxed);
    }
}

impl RowSink for EdgeCounters<'_> {
    type Thirds = Self;

    #[inline(always)]
    fn thirds(&mut self) -> &mut Self {
        self
    }

    #[inline(always)]
    fn row(&mut self, graph: &RowRange, u: u32, counts: &[u32]) {
        for (shared, &count) in self.shared[graph.first_place(u)..].iter().zip(counts) {
            if count > 0 {
                shared.fetch_add(count, Relaxed);
            }
        }
    }
}

/// The number of triangles at each rank.
///
/// O(m^1.5) work at worst. Beside the result each thread takes a bitmap of at most 1.5 MB and 128 KB of counters. The hubs' bits
/// take at most 16 bytes for each edge, on Graph500 graphs about 2. Where triangles are visited they take half as much
/// again.
///
/// A vertex of degree d has at most d(d-1)/2 triangles, which is below 2⁶³.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub fn triangles(graph: &OrientedGraph, context: &Context) -> Result<Vec<u64>> {
    at_ranks(graph, PRIVATE_RANKS, PlaceCounter::is_faster(), context)
}

fn at_ranks(
    graph: &OrientedGraph,
    private: usize,
    by_row: bool,
    context: &Context,
) -> Result<Vec<u64>> {
    let shared: Vec<AtomicU64> = memory::zeroed(graph.vertices())?;
    let sinks = each_row(graph, by_row, context, || RankSink::with(&shared, private))?;
    sinks.into_iter().for_each(RankSink::finish);
    Ok(shared.into_iter().map(AtomicU64::into_inner).collect())
}

/// Adds up the triangles at each rank.
pub struct RankSink<'a> {
    shared: &'a [AtomicU64],
    /// Counters of the first ranks, of this thread alone.
    private: Vec<u64>,
    thirds: (),
}

impl<'a> RankSink<'a> {
    /// Adds to these counters, which have the rest once all sinks are finished.
    pub fn new(shared: &'a [AtomicU64]) -> RankSink<'a> {
        RankSink::with(shared, PRIVATE_RANKS)
    }

    fn with(shared: &'a [AtomicU64], private: usize) -> RankSink<'a> {
        let private = vec![0; private.min(shared.len())];
        RankSink { shared, private, thirds: () }
    }

    /// Adds what this thread has of its own.
    pub fn finish(self) {
        for (shared, private) in self.shared.iter().zip(self.private) {
            shared.fetch_add(private, Relaxed);
        }
    }
}

impl RowSink for RankSink<'_> {
    type Thirds = ();

    #[inline(always)]
    fn thirds(&mut self) -> &mut () {
        &mut self.thirds
    }

    #[inline(always)]
    fn row(&mut self, tails: &RowRange, u: u32, counts: &[u32]) {
        let mut twice = 0;
        for (&a, &count) in tails.row(u).iter().zip(counts) {
            let count = u64::from(count);
            twice += count;
            match self.private.get_mut(a as usize) {
                Some(private) => *private += count,
                None if count > 0 => _ = self.shared[a as usize].fetch_add(count, Relaxed),
                None => {}
            }
        }
        if twice > 0 {
            self.shared[u as usize].fetch_add(twice / 2, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use testkit::oracle::Simple;

    use super::*;
    use tribin_cpu::prepare::prepare;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn any_multigraph_as_by_the_oracle(
            edges in prop::collection::vec(prop::array::uniform2(0u32..40), 0..500),
            private in prop_oneof![Just(0usize), 1usize..300, Just(PRIVATE_EDGES)],
        ) {
            let graph = prepare(&edges, 45).oriented;
            let oracle = Simple::with_vertices(&edges, 45);
            let vertex = |rank: u32| graph.vertex_of_rank()[rank as usize];
            let of_vertices = oracle.triangles_of_vertices();
            let at_vertex: Vec<u64> = (0..45).map(|u| of_vertices[vertex(u) as usize]).collect();
            let of_edges = oracle.support();
            let at_edge: Vec<u32> = (0..45)
                .flat_map(|u| graph.row(u).iter().map(move |&v| [vertex(u), vertex(v)]))
                .map(|[u, v]| of_edges[&[u.min(v), u.max(v)]])
                .collect();
            let context = Context::silent();
            for by_row in [true, false] {
                let found = with_private(&graph, private, by_row, &context).unwrap();
                prop_assert_eq!(&found, &at_edge);
                let found = at_ranks(&graph, private, by_row, &context).unwrap();
                prop_assert_eq!(&found, &at_vertex);
            }
            prop_assert_eq!(support(&graph, &Context::silent()).unwrap(), at_edge);
            prop_assert_eq!(triangles(&graph, &Context::silent()).unwrap(), at_vertex);
        }
    }
}
