//! Triangles by the signs of their edges.

use super::PreparedGraph;
use super::resident::{FoundInGraph, Question};
use crate::analytics::{SignedTriangles, ZeroSign};
use crate::graph::Directions;
use crate::{Error, Result};
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
    /// let signed = Session::new(Options::default())?.prepare(&graph)?.signed_triangles(ZeroSign::Error)?;
    /// assert_eq!((signed.two_negative, signed.one_negative), (1, 1));
    /// assert_eq!(signed.balanced, Some(0.5));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`] where the graph has no weights, or directions; [`Error::Input`] where an edge has the weight 0, and `zero` does
    /// not say what that is; what the device reports, and [`Error::Cancelled`].
    pub fn signed_triangles(&self, zero: ZeroSign) -> Result<SignedTriangles> {
        let usage = |message: &'static str| Error::Usage(message.into());
        let weights = self.arcs.weights.as_deref();
        let weights = weights.ok_or_else(|| usage("the graph was prepared without weights"))?;
        if self.is_directed() {
            return Err(usage("signs are of graphs without directions"));
        }
        self.on_host(|graph| {
            let weights = &weights.values;
            if zero == ZeroSign::Error
                && let Some(place) =
                    par::find_map_first(par::blocks(weights.len(), par::BLOCK), |mut block| {
                        block.find(|&place| weights[place] == 0.0)
                    })
            {
                let rank = graph.offsets.partition_point(|&start| start <= place as u64) - 1;
                let ends = [rank as u32, graph.heads[place]];
                let mut ends = ends.map(|rank| graph.vertex_of_rank[rank as usize]);
                ends.sort_unstable();
                let [u, v] = ends.map(|vertex| self.ids().id(vertex));
                let message = format!(
                    "the edge {u} – {v} has the weight 0, which is no sign: say with `--zero` whether it is positive, negative or left out (skip)"
                );
                return Err(Error::Input {
                    file: self.name().to_owned(),
                    message: message.into(),
                });
            }
            let bits = par::tabulate(weights.len(), |place| zero.code(weights[place]));
            let signs = Directions { bits, loops: Vec::new() };
            match self.find(Question::OfCodes(&signs))? {
                (_, FoundInGraph::OfCodes(codes)) => Ok(SignedTriangles::of_codes(&codes)),
                (_, found) => found.other(),
            }
        })
    }
}
