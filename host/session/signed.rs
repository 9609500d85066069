//! Triangles by the signs of their edges.

use std::ops::Range;

use super::PreparedGraph;
use super::resident::by_vertex;
use super::weighted::fault;
use crate::Result;
use crate::analytics::{ByNegatives, EdgeValues, SignedTriangles, ZeroSign};
use crate::graph::{Directions, OrientedGraph};
use tribin_analytics::cpu::{ends, signed};
use tribin_base::par;

impl PreparedGraph {
    /// How many triangles have which signs, where the sign of an edge is that of its weight, and the share that is balanced.
    ///
    /// A triangle has one of eight patterns of signs, as it has one of 64 of directions: they are counted in the same way, on a GPU where
    /// the graph is on one. O(m^1.5) work; memory beside the graph and its weights: 1 byte an edge, and what counting takes.
    ///
    /// ```
    /// use tribin::analytics::ZeroSign;
    /// use tribin::{Graph, Options, Session};
    ///
    /// let edges = [[0, 1], [1, 2], [2, 0], [2, 3], [3, 0]];
    /// let graph = Graph::from_edges(edges).with_weights(vec![1.0, -2.0, -0.5, 1.0, 3.0])?;
    /// let signed = Session::open(Options::default())?.prepare(&graph)?.signed_triangles(ZeroSign::Error)?;
    /// assert_eq!((signed.two_negative, signed.one_negative), (1, 1));
    /// assert_eq!(signed.balanced, Some(0.5));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) where the graph has no weights, or directions; [`Error::Input`](crate::Error::Input) where an edge has the weight 0, and `zero` does
    /// not say what that is; what the device reports, and [`Error::Cancelled`](crate::Error::Cancelled).
    pub fn signed_triangles(&self, zero: ZeroSign) -> Result<SignedTriangles> {
        self.with_signs(zero, |_, signs| {
            let signs = Directions { bits: signs, loops: Vec::new() };
            Ok(SignedTriangles::of_codes(&self.find_codes(&signs)?.1))
        })
    }

    /// The number of triangles of each vertex index that have no, one, two and three negative edges. The CPU finds them, in O(m^1.5)
    /// work; memory: 17 bytes for each edge, and 64 for each vertex.
    ///
    /// ```
    /// use tribin::analytics::ZeroSign;
    /// use tribin::{Graph, Options, Session};
    ///
    /// let edges = [[0, 1], [1, 2], [2, 0], [2, 3], [3, 0]];
    /// let graph = Graph::from_edges(edges).with_weights(vec![1.0, -2.0, -0.5, 1.0, 3.0])?;
    /// let prepared = Session::open(Options::default())?.prepare(&graph)?;
    /// let signed = prepared.signed_at_vertices(ZeroSign::Error)?;
    /// assert_eq!(signed, [[0, 1, 1, 0], [0, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 0]]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`signed_triangles`](Self::signed_triangles).
    pub fn signed_at_vertices(&self, zero: ZeroSign) -> Result<Vec<ByNegatives<u64>>> {
        self.with_signs(zero, |graph, signs| {
            let on_edges = signed::on_edges(graph, &signs, &self.session().context())?;
            let add = |sums: &mut ByNegatives<u64>, place: usize| {
                sums.iter_mut().zip(on_edges[place]).for_each(|(sum, n)| *sum += u64::from(n));
            };
            // Each triangle of a vertex is on two of its edges.
            let twice = ends::of_edges(graph, add, add);
            Ok(by_vertex(graph, |rank| twice[rank].map(|sum| sum / 2)))
        })
    }

    /// The number of each edge's triangles that have no, one, two and three negative edges. The CPU finds them, in O(m^1.5) work;
    /// memory: 45 bytes for each edge.
    ///
    /// ```
    /// use tribin::analytics::ZeroSign;
    /// use tribin::{Graph, Options, Session};
    ///
    /// let edges = [[0, 1], [1, 2], [2, 0], [2, 3], [3, 0]];
    /// let graph = Graph::from_edges(edges).with_weights(vec![1.0, -2.0, -0.5, 1.0, 3.0])?;
    /// let prepared = Session::open(Options::default())?.prepare(&graph)?;
    /// let signed = prepared.signed_on_edges(ZeroSign::Error)?;
    /// assert_eq!(signed.get(0, 2), Some([0, 1, 1, 0]));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`signed_triangles`](Self::signed_triangles).
    pub fn signed_on_edges(&self, zero: ZeroSign) -> Result<EdgeValues<ByNegatives<u32>>> {
        self.with_signs(zero, |graph, signs| {
            let on_edges = signed::on_edges(graph, &signs, &self.session().context())?;
            self.of_places(graph, &on_edges)
        })
    }

    /// Finds something of the signs of the edges, by place: [`ZeroSign::code`].
    fn with_signs<T: Send>(
        &self,
        zero: ZeroSign,
        find: impl FnOnce(&OrientedGraph, Vec<u8>) -> Result<T> + Send,
    ) -> Result<T> {
        let weights = &self.weights()?.values;
        self.check_undirected("signs")?;
        self.on_host(|graph| {
            let of_zero = |mut block: Range<usize>| block.find(|&place| weights[place] == 0.0);
            let blocks = par::blocks(weights.len(), par::BLOCK);
            if zero == ZeroSign::Error && let Some(place) = par::find_map_first(blocks, of_zero) {
                let rank = graph.offsets.partition_point(|&start| start <= place as u64) - 1;
                let ends = [rank as u32, graph.heads[place]];
                let mut ends = ends.map(|rank| graph.vertex_of_rank()[rank as usize]);
                ends.sort_unstable();
                let [u, v] = ends.map(|vertex| self.ids().id(vertex));
                let message = format!(
                    "the edge {u} – {v} has the weight 0, which is no sign: say with `--zero` whether it is positive, negative or left out (skip)"
                );
                return Err(fault(self, message));
            }
            find(graph, par::tabulate(weights.len(), |place| zero.code(weights[place])))
        })
    }
}
