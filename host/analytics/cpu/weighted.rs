//! Sums over triangles and edges of doubles, which are the same for any number of threads.
//!
//! A sum of doubles depends on its order. Each row is visited by one thread, and what its triangles add to the
//! row's vertices is kept by the row's edges. The sums of the vertices are then taken along the edges in their
//! order.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use crate::Result;
use crate::control::Context;
use crate::graph::OrientedGraph;
use crate::methods::forward::cpu::{Sink, Visitor};

/// For each rank the sum over its triangles of the product of the numbers of the three edges, which are given by
/// place.
///
/// O(m^1.5) work at worst; the last O(n + m) on one thread. Memory beside the result: 8 bytes for each edge and for
/// each vertex, and that of [`triangles`](super::support::triangles).
///
/// Where no number is negative, the relative error is at most (√(2m) + 8) · 2⁻⁵³: a row has at most √(2m) entries,
/// and sums along rows lose one rounding for each.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub(crate) fn products(
    graph: &OrientedGraph,
    numbers: &[f64],
    context: &Context,
) -> Result<Vec<f64>> {
    let by_edge: Vec<AtomicU64> =
        (0..graph.heads.len()).into_par_iter().map(|_| AtomicU64::new(0)).collect();
    Visitor::new(graph).visit_all(context, || ProductSink {
        numbers,
        by_edge: &by_edge,
        in_row: Vec::new(),
        start: 0,
        at_edge: 0,
        p: 0,
        of_edge: 0.0,
        sum: 0.0,
    })?;
    context.cancel().check()?;
    let of = |place: usize| f64::from_bits(by_edge[place].load(Relaxed));
    // Each triangle of a row is there twice: at its edge to the middle rank, and at that to the least.
    Ok(at_ends(graph, |place| of(place) / 2.0, of))
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
    fn begin_row(&mut self, graph: &OrientedGraph, u: u32) {
        self.start = graph.offsets[u as usize] as usize;
        self.in_row.clear();
        self.in_row.resize(graph.row(u).len(), 0.0);
        (self.p, self.sum) = (0, 0.0);
    }

    #[inline(always)]
    fn begin_edge(&mut self, graph: &OrientedGraph, p: usize, a: u32) {
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
    fn end_row(&mut self, _: &OrientedGraph, _: u32) {
        self.in_row[self.p] += self.sum;
        for (slot, sum) in self.by_edge[self.start..].iter().zip(&self.in_row) {
            slot.store(sum.to_bits(), Relaxed);
        }
    }
}

/// For each rank the sum over its edges of a number, which is given by place, and differs for the two ends. The
/// sums are compensated, so that they lose two roundings whatever their length. O(n + m) on one thread.
pub(crate) fn at_ends(
    graph: &OrientedGraph,
    at_tail: impl Fn(usize) -> f64,
    at_head: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let mut sums = vec![Sum::default(); graph.vertices()];
    for tail in 0..graph.vertices() {
        let places = graph.offsets[tail] as usize..graph.offsets[tail + 1] as usize;
        let mut own = sums[tail];
        for (place, &head) in places.clone().zip(&graph.heads[places]) {
            own.add(at_tail(place));
            sums[head as usize].add(at_head(place));
        }
        sums[tail] = own;
    }
    sums.into_iter().map(|sum| sum.value + sum.lost).collect()
}

/// A sum, and what rounding took from it. Source: Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
/// endlicher Summen", ZAMM 54, 1974.
#[derive(Clone, Copy, Default)]
struct Sum {
    value: f64,
    lost: f64,
}

impl Sum {
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
