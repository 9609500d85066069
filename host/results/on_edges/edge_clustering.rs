//! The clustering coefficient of an edge.

use super::{EdgeFacts, EdgeFormula, EdgeResult};
use crate::{Definition, GraphKind};

/// The clustering coefficient of an edge.
pub(super) static EDGE_CLUSTERING: EdgeResult = EdgeResult {
    definition: Definition {
        name: "edge_clustering",
        needs: GraphKind::Plain,
        formula: "s / (min(dᵤ, dᵥ) - 1); 0 where an end has no other neighbour",
        meaning: "The triangles on the edge as a share of those that its end of fewer neighbours allows.",
        source: "Jianxin Wang and others, Identification of essential proteins based on edge clustering coefficient, 2012",
    },
    formula: EdgeFormula::Double(value),
    example: &[1.0, 1.0, 1.0 / 2.0, 1.0, 1.0 / 2.0, 0.0],
};

fn value(edge: EdgeFacts) -> f64 {
    match edge.least_degree() - 1.0 {
        0.0 => 0.0,
        most => edge.triangles() / most,
    }
}
