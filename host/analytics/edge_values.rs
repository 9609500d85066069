//! A number for every edge.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::histogram::histogram;
use crate::Result;
use crate::control::Context;
use crate::graph::OrientedGraph;

/// A number for every edge: its support, its trussness, …
///
/// The edges are pairs of vertex indexes, the smaller first, ascending. Edge i is `edges()[i]`, and its
/// number `values()[i]`.
///
/// ```
/// # use tribin::{Graph, Options, Session};
/// // Two triangles that share an edge.
/// let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3], [3, 0]]);
/// let support = Session::new(Options::default())?.prepare(&graph)?.support()?;
/// assert_eq!(support.edges()[1], [0, 2]);
/// assert_eq!(support.values()[1], 2);
/// assert_eq!((support.get(2, 0), support.get(1, 3)), (Some(2), None));
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EdgeValues {
    edges: Vec<[u32; 2]>,
    values: Vec<u32>,
}

impl EdgeValues {
    /// Puts what was found in the order of the rows (entry i is of `graph.heads[i]`) in the order of the
    /// edges, for those that `keep` holds on to. O(n + m log d) work, 12 bytes an edge and 20 a vertex
    /// beside the result.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub(crate) fn new(
        graph: &OrientedGraph,
        value: impl Fn(usize) -> u32 + Sync,
        keep: impl Fn(usize) -> bool + Sync,
        context: &Context,
    ) -> Result<EdgeValues> {
        let counts: Vec<AtomicU64> =
            (0..=graph.vertices()).into_par_iter().map(|_| AtomicU64::new(0)).collect();
        for_each_edge(graph, &keep, context, |edge, _| {
            counts[edge[0] as usize].fetch_add(1, Relaxed);
        })?;
        let mut total = 0;
        let mut rows = Vec::with_capacity(graph.vertices());
        for count in &counts {
            // From here on where the vertex's next edge goes.
            let count = count.swap(total, Relaxed);
            rows.push(count as usize);
            total += count;
        }
        let words: Vec<AtomicU64> = (0..total).into_par_iter().map(|_| AtomicU64::new(0)).collect();
        for_each_edge(graph, &keep, context, |[u, v], i| {
            let place = counts[u as usize].fetch_add(1, Relaxed);
            words[place as usize].store(u64::from(v) << 32 | u64::from(value(i)), Relaxed);
        })?;
        let mut words: Vec<u64> = words.into_par_iter().map(AtomicU64::into_inner).collect();

        let mut edges = vec![[0; 2]; words.len()];
        let mut values = vec![0; words.len()];
        let (mut rest_words, mut rest_edges, mut rest_values) =
            (words.as_mut_slice(), edges.as_mut_slice(), values.as_mut_slice());
        let mut parts = Vec::new();
        for (vertex, &length) in rows.iter().enumerate().filter(|(_, length)| **length > 0) {
            parts.push((
                vertex as u32,
                rest_words.split_off_mut(..length).expect("as long as all rows"),
                rest_edges.split_off_mut(..length).expect("as long as all rows"),
                rest_values.split_off_mut(..length).expect("as long as all rows"),
            ));
        }
        parts.into_par_iter().for_each(|(u, words, edges, values)| {
            words.sort_unstable();
            for ((&mut word, edge), value) in words.iter_mut().zip(edges).zip(values) {
                *edge = [u, (word >> 32) as u32];
                *value = word as u32;
            }
        });
        context.cancel().check()?;
        Ok(EdgeValues { edges, values })
    }

    /// The edges, ascending.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Each edge's number.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// Number of edges.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there is no edge.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The number of the edge that joins two vertices, in O(log m); `None` where none does.
    pub fn get(&self, u: u32, v: u32) -> Option<u32> {
        let place = self.edges.binary_search(&[u.min(v), u.max(v)]).ok()?;
        Some(self.values[place])
    }

    /// Each number and how many edges have it, ascending.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let support = Session::new(Options::default())?.prepare(&tailed)?.support()?;
    /// assert_eq!(support.histogram(), [(0, 1), (1, 3)]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    pub fn histogram(&self) -> Vec<(u32, u64)> {
        histogram(&self.values)
    }

    /// The edges alone.
    pub(crate) fn into_edges(self) -> Vec<[u32; 2]> {
        self.edges
    }
}

/// Every kept edge as vertices, the smaller first, and its place in the rows; side by side.
fn for_each_edge(
    graph: &OrientedGraph,
    keep: &(impl Fn(usize) -> bool + Sync),
    context: &Context,
    each: impl Fn([u32; 2], usize) + Sync,
) -> Result<()> {
    (0..graph.vertices()).into_par_iter().with_min_len(1 << 10).try_for_each(|u| {
        context.cancel().check()?;
        let start = graph.offsets[u] as usize;
        let tail = graph.vertex_of_rank[u];
        for (i, &head) in graph.row(u as u32).iter().enumerate() {
            if keep(start + i) {
                let head = graph.vertex_of_rank[head as usize];
                each([tail.min(head), tail.max(head)], start + i);
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::prepare::cpu::prepare;

    proptest! {
        #[test]
        fn every_kept_edge_comes_once_in_order_with_its_value(
            edges in prop::collection::vec(prop::array::uniform2(0u32..40), 0..300),
            modulus in 1usize..4,
        ) {
            let graph = prepare(&edges, 44).oriented;
            let mut expected = BTreeMap::new();
            let mut i = 0;
            for u in 0..44 {
                for &v in graph.row(u) {
                    let mut edge = [u, v].map(|rank| graph.vertex_of_rank[rank as usize]);
                    edge.sort();
                    if i % modulus == 0 {
                        expected.insert(edge, u32::MAX - i as u32);
                    }
                    i += 1;
                }
            }
            let found = EdgeValues::new(&graph, |i| u32::MAX - i as u32, |i| i % modulus == 0, &Context::silent());
            let found = found.unwrap();
            prop_assert_eq!(found.edges(), Vec::from_iter(expected.keys().copied()));
            prop_assert_eq!(found.values(), Vec::from_iter(expected.values().copied()));
            for u in 0..44 {
                for v in 0..44 {
                    let expected = expected.get(&[u.min(v), u.max(v)]).copied();
                    prop_assert_eq!(found.get(u, v), expected);
                }
            }
        }
    }
}
