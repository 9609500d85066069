//! Jaccard's similarity of the ends of an edge.

use super::{EdgeFacts, EdgeFormula, EdgeResult};
use crate::{Definition, GraphKind};

/// Jaccard's similarity of the ends of an edge.
pub(crate) static JACCARD: EdgeResult = EdgeResult {
    definition: Definition {
        name: "jaccard",
        needs: GraphKind::Plain,
        formula: "s / (dᵤ + dᵥ - s)",
        meaning: "The common neighbours of the two ends as a share of all neighbours of either, the ends themselves among them.",
        source: "Paul Jaccard, 1901; NetworkX: jaccard_coefficient",
    },
    formula: EdgeFormula::Double(value),
    example: &[1.0 / 4.0, 2.0 / 4.0, 1.0 / 5.0, 1.0 / 4.0, 1.0 / 5.0, 0.0],
};

fn value(edge: EdgeFacts) -> f64 {
    let [u, v] = edge.degrees();
    edge.triangles() / (u + v - edge.triangles())
}
