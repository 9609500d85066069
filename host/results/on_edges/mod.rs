//! Results on edges: one file each, and a line of [`EDGE_RESULTS`].

mod cosine;
mod edge_clustering;
mod forman;
mod jaccard;
mod overlap;
mod sorensen;
mod support;

pub(crate) use cosine::COSINE;
pub(crate) use jaccard::JACCARD;
pub(crate) use overlap::OVERLAP;
pub(crate) use sorensen::SORENSEN;

use crate::Definition;

/// All results on edges, in the order of the documentation.
pub const EDGE_RESULTS: &[&EdgeResult] = &[
    &support::SUPPORT,
    &jaccard::JACCARD,
    &overlap::OVERLAP,
    &cosine::COSINE,
    &sorensen::SORENSEN,
    &edge_clustering::EDGE_CLUSTERING,
    &forman::FORMAN,
];

/// A number on every edge.
#[derive(Debug)]
pub struct EdgeResult {
    /// What it is called, and what it means.
    pub definition: Definition,
    /// How it is reckoned.
    pub formula: EdgeFormula,
    /// The number on each edge of [`EDGE_EXAMPLE`].
    pub example: &'static [f64],
}

/// The graph of the examples, whose vertices have the degrees 3, 2, 3, 3 and 1.
pub const EDGE_EXAMPLE: &[[u32; 2]] = &[[0, 1], [0, 2], [0, 3], [1, 2], [2, 3], [3, 4]];

/// How a number on an edge is reckoned.
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

/// What is known of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeFacts {
    /// The triangles on it, which are the common neighbours of its ends.
    pub triangles: u32,
    /// The degrees of its ends, each at least 1.
    pub degrees: [u32; 2],
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
