//! A number for every edge.

use std::collections::BTreeMap;
use std::ops::Range;

use super::edge_order::in_order;
use crate::Result;
use crate::control::Context;
use crate::graph::OrientedGraph;
use tribin_base::par;

/// A number for every edge: its support, its trussness, …
///
/// The edges are pairs of vertex indexes, the smaller first, ascending. Edge i is `edges()[i]`, and its
/// number `values()[i]`.
///
/// ```
/// # use tribin::{Graph, Options, Session};
/// // Two triangles that share an edge.
/// let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3], [3, 0]]);
/// let support = Session::open(Options::default())?.prepare(&graph)?.support()?;
/// assert_eq!(support.edges()[1], [0, 2]);
/// assert_eq!(support.values()[1], 2);
/// assert_eq!((support.get(2, 0), support.get(1, 3)), (Some(2), None));
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EdgeValues<N = u32> {
    edges: Vec<[u32; 2]>,
    values: Vec<N>,
}

impl EdgeValues {
    /// Puts what was found in the order of the rows (entry i is of `graph.heads[i]`) in the order of the
    /// edges, for those that `keep` holds on to (`edge_order`). O(n + m log d) work, 8 bytes an edge and 8 a vertex beside
    /// the result.
    ///
    /// # Errors
    /// [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn new(
        graph: &OrientedGraph,
        value: impl Fn(usize) -> u32 + Sync,
        keep: impl Fn(usize) -> bool + Sync,
        context: &Context,
    ) -> Result<EdgeValues> {
        let (edges, values) = in_order(graph, value, keep, context)?;
        Ok(EdgeValues { edges, values })
    }

    /// Edges in their order, and the number of each.
    #[doc(hidden)]
    pub fn of_rows(edges: Vec<[u32; 2]>, values: Vec<u32>) -> EdgeValues {
        assert_eq!(edges.len(), values.len(), "one number for each edge");
        EdgeValues { edges, values }
    }

    /// Hands all edges to `take`, some blocks at a time, until it says `false`: the vertices of each, and its number. O(m).
    ///
    /// # Errors
    /// The errors of `take`.
    #[doc(hidden)]
    pub fn each_block(
        &self,
        take: &mut (dyn FnMut(Vec<Vec<[u32; 3]>>) -> Result<bool> + Send),
    ) -> Result<()> {
        let rows = |range: Range<usize>| -> Vec<[u32; 3]> {
            let edges = self.edges[range.clone()].iter();
            edges.zip(&self.values[range]).map(|(&[u, v], &number)| [u, v, number]).collect()
        };
        let blocks: Vec<Range<usize>> = par::blocks(self.len(), par::BLOCK).collect();
        for batch in blocks.chunks(2 * par::threads()) {
            if !take(par::map(batch, |range| rows(range.clone())))? {
                break;
            }
        }
        Ok(())
    }

    /// Each number and how many edges have it, ascending. O(m log m) on all threads. Memory: 4 bytes for each edge.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let support = Session::open(Options::default())?.prepare(&tailed)?.support()?;
    /// assert_eq!(support.histogram(), [(0, 1), (1, 3)].into());
    /// # Ok::<(), tribin::Error>(())
    /// ```
    pub fn histogram(&self) -> BTreeMap<u32, u64> {
        let mut sorted = self.values.clone();
        par::sort_unstable(&mut sorted);
        let runs = sorted.chunk_by(|one, other| one == other);
        runs.map(|run| (run[0], run.len() as u64)).collect()
    }
}

impl<N: Copy> EdgeValues<N> {
    /// The edges of this with other numbers, each made of the number that an edge has here.
    pub fn map<M>(self, number: impl Fn(N) -> M) -> EdgeValues<M> {
        let EdgeValues { edges, values } = self;
        EdgeValues { edges, values: values.into_iter().map(number).collect() }
    }

    /// The edges, ascending.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Each edge's number.
    pub fn values(&self) -> &[N] {
        &self.values
    }

    /// Number of edges.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether there are no edges.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The number of the edge that joins two vertices, in O(log m); `None` where none does.
    pub fn get(&self, u: u32, v: u32) -> Option<N> {
        let place = self.edges.binary_search(&[u.min(v), u.max(v)]).ok()?;
        Some(self.values[place])
    }

    /// The edges alone.
    pub fn into_edges(self) -> Vec<[u32; 2]> {
        self.edges
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use tribin_cpu::prepare::prepare;

    #[test]
    fn small_and_large_numbers_are_in_the_histogram() {
        assert_eq!(EdgeValues::default().histogram(), BTreeMap::new());
        let numbers = (0..200_000).map(|i| [7, 0, u32::MAX, 4096][i % 4]).collect();
        let values = EdgeValues::of_rows(vec![[0, 1]; 200_000], numbers);
        let times = 50_000;
        let expected = [(0, times), (7, times), (4096, times), (u32::MAX, times)];
        assert_eq!(values.histogram(), expected.into());
    }

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
                    let mut edge = [u, v].map(|rank| graph.vertex_of_rank()[rank as usize]);
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
