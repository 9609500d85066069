//! The overlap of the neighbourhoods of the ends of an edge.

use super::{EdgeFacts, EdgeFormula, EdgeResult};
use crate::{Definition, GraphKind};

/// The overlap of the neighbourhoods of the ends of an edge.
pub(crate) static OVERLAP: EdgeResult = EdgeResult {
    definition: Definition {
        name: "overlap",
        needs: GraphKind::Plain,
        formula: "s / min(dᵤ, dᵥ)",
        meaning: "The common neighbours of the two ends as a share of the neighbours of the end that has fewer.",
        source: "D. Szymkiewicz, 1934; G. G. Simpson, 1960; cuGraph: overlap",
    },
    formula: EdgeFormula::Double(value),
    example: &[1.0 / 2.0, 2.0 / 3.0, 1.0 / 3.0, 1.0 / 2.0, 1.0 / 3.0, 0.0],
};

fn value(edge: EdgeFacts) -> f64 {
    edge.triangles() / edge.least_degree()
}
