//! Results on edges: the list of them, and what they are made of.

mod list;

use tribin_analytics::{ByNegatives, EdgeValues, ZeroSign};
use tribin_base::Result;

pub use list::EDGE_RESULTS;
pub(crate) use list::{COSINE, JACCARD, OVERLAP, SORENSEN};

use super::{GraphKind, ListedResult};
use crate::PreparedGraph;

/// A number on every edge.
pub type EdgeResult = ListedResult<EdgeFormula>;

/// The formula of a number on an edge.
#[derive(Debug, Clone, Copy)]
pub enum EdgeFormula {
    /// A whole number.
    Whole(fn(EdgeFacts) -> i64),
    /// A double.
    Double(fn(EdgeFacts) -> f64),
}

impl EdgeFormula {
    /// The number on an edge, which is rounded where it is a whole number of 2⁵³ or more.
    pub fn value(self, edge: EdgeFacts) -> f64 {
        match self {
            EdgeFormula::Whole(whole) => whole(edge) as f64,
            EdgeFormula::Double(double) => double(edge),
        }
    }
}

/// The facts of an edge that a formula may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EdgeFacts {
    /// The triangles on it, which are the common neighbours of its ends.
    pub triangles: u32,
    /// The degrees of its ends, each at least 1, where a result needs them.
    pub degrees: [u32; 2],
    /// The triangles by the number of their negative edges, where a result needs them.
    pub signs: ByNegatives<u32>,
}

/// The parts that results on edges are made of beside the triangles, as far as they need it.
pub struct OnEdges {
    degrees: Vec<u32>,
    signs: EdgeValues<ByNegatives<u32>>,
}

impl OnEdges {
    /// Finds what some results need. `zero` says what the sign of the weight 0 is.
    ///
    /// # Errors
    /// As [`PreparedGraph::degrees`] and [`PreparedGraph::signed_on_edges`].
    pub fn find(graph: &PreparedGraph, results: &[&EdgeResult], zero: ZeroSign) -> Result<OnEdges> {
        let needs_signs = |of: &&EdgeResult| of.definition.needs == GraphKind::Weighted;
        // The triangles alone are the support.
        let needs_degrees = |of: &&EdgeResult| !needs_signs(of) && of.definition.name != "support";
        Ok(OnEdges {
            degrees: match results.iter().any(needs_degrees) {
                true => graph.degrees()?,
                false => Vec::new(),
            },
            signs: match results.iter().any(needs_signs) {
                true => graph.signed_on_edges(zero)?,
                false => EdgeValues::default(),
            },
        })
    }

    /// Bytes of memory that the degrees take for each vertex.
    pub fn bytes_of_a_vertex(&self) -> u64 {
        if self.degrees.is_empty() { 0 } else { 4 }
    }

    /// The facts of an edge, of which two vertices and the triangles are given.
    pub fn facts(&self, [u, v, triangles]: [u32; 3]) -> EdgeFacts {
        let degree = |vertex: u32| self.degrees.get(vertex as usize).copied().unwrap_or(0);
        let signs = self.signs.get(u, v).unwrap_or_default();
        EdgeFacts { triangles, degrees: [u, v].map(degree), signs }
    }
}

impl EdgeFacts {
    fn triangles(self) -> f64 {
        self.triangles.into()
    }

    fn degrees(self) -> [f64; 2] {
        self.degrees.map(f64::from)
    }

    fn least_degree(self) -> f64 {
        let [u, v] = self.degrees;
        u.min(v).into()
    }
}
