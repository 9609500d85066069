//! Sums over triangles and edges of doubles, which are the same for any number of threads.
//!
//! A sum of doubles depends on its order. Each row is visited by one thread, and what its triangles add to the
//! row's vertices is kept by the row's edges. The sums of the vertices are then taken along the edges in their
//! order.

mod dense;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::ends::of_edges;
use crate::Result;
use crate::control::{Context, memory};
use crate::graph::{OrientedGraph, RowRange};
use tribin_base::par;
use tribin_cpu::forward::{Sink, Visitor};

/// The sum at each place of the products of the numbers of the triangles' edges, over the triangles whose largest rank
/// is its tail; `numbers` has one by place.
///
/// O(m^1.5) work at worst. Memory beside the result: that of [`triangles`](super::support::triangles), or at most 40
/// bytes for each edge where the graph is dense.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub fn by_edge(graph: &OrientedGraph, numbers: &[f64], context: &Context) -> Result<Vec<f64>> {
    // The bits of sums: those of 0.0 are zeros.
    let by_edge: Vec<AtomicU64> = memory::zeroed(graph.heads.len())?;
    let is_dense = dense::is_dense(graph.vertices(), graph.heads.len());
    if !is_dense || dense::by_edge(graph, numbers, &by_edge, context)?.is_none() {
        by_triangle(graph, numbers, &by_edge, context)?;
    }
    context.cancel().check()?;
    // In the same memory.
    Ok(by_edge.into_iter().map(|bits| f64::from_bits(bits.into_inner())).collect())
}

/// The sum at each rank over its triangles of the product of the numbers of the three edges, from the sums
/// [by edge](by_edge). O(n + m) work; memory: 16 bytes for each vertex.
///
/// Where no number is negative, the relative error is at most (√(2m) + 8) · 2⁻⁵³. A row has at most √(2m) entries, and
/// a sum along it loses one rounding for each.
pub fn by_rank(graph: &OrientedGraph, by_edge: &[f64]) -> Vec<f64> {
    // Each triangle of a row is there twice: at its edge to the middle rank, and at that to the least.
    at_ends(graph, |place| by_edge[place] / 2.0, |place| by_edge[place])
}

/// What the triangles add at each edge, one triangle after the other.
fn by_triangle(
    graph: &OrientedGraph,
    numbers: &[f64],
    by_edge: &[AtomicU64],
    context: &Context,
) -> Result<()> {
    Visitor::new(graph).visit_all(context, || ProductSink {
        numbers,
        by_edge,
        in_row: Vec::new(),
        start: 0,
        at_edge: 0,
        p: 0,
        of_edge: 0.0,
        sum: 0.0,
    })?;
    Ok(())
}

struct ProductSink<'a> {
    numbers: &'a [f64],
    /// Bits of doubles.
    by_edge: &'a [AtomicU64],
    /// What the row's triangles add at each head.
    in_row: Vec<f64>,
    start: usize,
    at_edge: usize,
    p: usize,
    /// The number of the edge u – a, and the sum of its triangles.
    of_edge: f64,
    sum: f64,
}

impl Sink for ProductSink<'_> {
    #[inline(always)]
    fn begin_row(&mut self, graph: &RowRange, u: u32) {
        self.start = graph.offsets[u as usize] as usize;
        self.in_row.clear();
        self.in_row.resize(graph.row(u).len(), 0.0);
        (self.p, self.sum) = (0, 0.0);
    }

    #[inline(always)]
    fn begin_edge(&mut self, graph: &RowRange, p: usize, a: u32) {
        self.in_row[self.p] += self.sum;
        self.at_edge = graph.offsets[a as usize] as usize;
        (self.p, self.sum) = (p, 0.0);
        self.of_edge = self.numbers[self.start + p];
    }

    #[inline(always)]
    fn triangle(&mut self, q: usize, r: usize) {
        let product = self.of_edge * self.numbers[self.start + q] * self.numbers[self.at_edge + r];
        self.in_row[q] += product;
        self.sum += product;
    }

    #[inline(always)]
    fn end_row(&mut self, _: &RowRange, _: u32) {
        self.in_row[self.p] += self.sum;
        for (slot, sum) in self.by_edge[self.start..].iter().zip(&self.in_row) {
            slot.store(sum.to_bits(), Relaxed);
        }
    }
}

/// The sum at each rank over its edges of a number, which is given by place, and differs for the two ends. The
/// sums are compensated, so that they lose two roundings whatever their length. O(n + m) work, and O(n) more for each
/// thread.
pub fn at_ends(
    graph: &OrientedGraph,
    at_tail: impl Fn(usize) -> f64 + Sync,
    at_head: impl Fn(usize) -> f64 + Sync,
) -> Vec<f64> {
    let sums: Vec<CompensatedSum> = of_edges(
        graph,
        |sum: &mut CompensatedSum, place| sum.add(at_tail(place)),
        |sum, place| sum.add(at_head(place)),
    );
    par::tabulate(sums.len(), |rank| sums[rank].value + sums[rank].lost)
}

/// A sum, and what rounding took from it. Source: Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
/// endlicher Summen", ZAMM 54, 1974.
#[derive(Clone, Copy, Default)]
struct CompensatedSum {
    value: f64,
    lost: f64,
}

impl CompensatedSum {
    #[inline]
    fn add(&mut self, term: f64) {
        let sum = self.value + term;
        self.lost += match self.value.abs() >= term.abs() {
            true => (self.value - sum) + term,
            false => (term - sum) + self.value,
        };
        self.value = sum;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use tribin_cpu::prepare::prepare;

    fn loaded(by_edge: Vec<AtomicU64>) -> Vec<f64> {
        by_edge.into_iter().map(|bits| f64::from_bits(bits.into_inner())).collect()
    }

    fn cells(edges: usize) -> Vec<AtomicU64> {
        (0..edges).map(|_| AtomicU64::new(0)).collect()
    }

    proptest! {
        /// The matrix and the triangles add the same, of numbers whose sums are exact in any order.
        #[test]
        fn the_matrix_adds_what_the_triangles_add(
            edges in prop::collection::vec(prop::array::uniform2(0u32..60), 0..1_500),
            seed in any::<u64>(),
        ) {
            let graph = prepare(&edges, 60).oriented;
            let mut rng = fastrand::Rng::with_seed(seed);
            let numbers: Vec<f64> =
                graph.heads.iter().map(|_| f64::from(rng.i32(-4..64)) / 16.0).collect();
            let context = Context::silent();
            let (of_matrix, of_triangles) = (cells(numbers.len()), cells(numbers.len()));
            prop_assert!(dense::by_edge(&graph, &numbers, &of_matrix, &context).unwrap().is_some());
            by_triangle(&graph, &numbers, &of_triangles, &context).unwrap();
            prop_assert_eq!(loaded(of_matrix), loaded(of_triangles));
        }
    }

    /// Results do not depend on the number of threads.
    #[test]
    fn any_number_of_threads_rounds_alike() {
        let edges: Vec<[u32; 2]> = (1..300).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
        let graph = prepare(&edges, 300).oriented;
        let numbers: Vec<f64> = (1..=graph.heads.len()).map(|k| (k as f64).cbrt()).collect();
        let with = |threads| {
            let pool = par::Pool::start(threads, "test").unwrap();
            pool.install(|| {
                let by_edge = by_edge(&graph, &numbers, &Context::silent()).unwrap();
                by_rank(&graph, &by_edge)
            })
        };
        assert!(with(1) == with(2) && with(1) == with(7));
    }
}
