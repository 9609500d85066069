//! The cosine of the neighbourhoods of the ends of an edge.

use super::{EdgeFacts, EdgeFormula, EdgeResult};
use crate::{Definition, GraphKind};

/// The cosine of the neighbourhoods of the ends of an edge.
pub(crate) static COSINE: EdgeResult = EdgeResult {
    definition: Definition {
        name: "cosine",
        needs: GraphKind::Plain,
        formula: "s / √(dᵤ dᵥ)",
        meaning: "The common neighbours of the two ends, divided by the geometric mean of their numbers of neighbours.",
        source: "Gerard Salton, 1983; cuGraph: cosine",
    },
    formula: EdgeFormula::Double(value),
    example: &[
        0.408_248_290_463_863_1,
        2.0 / 3.0,
        1.0 / 3.0,
        0.408_248_290_463_863_1,
        1.0 / 3.0,
        0.0,
    ],
};

fn value(edge: EdgeFacts) -> f64 {
    let [u, v] = edge.degrees();
    // Two degrees below 2³² have a product that is rounded once at most.
    edge.triangles() / (u * v).sqrt()
}
