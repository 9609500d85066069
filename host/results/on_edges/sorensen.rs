//! Sørensen's similarity of the ends of an edge.

use super::{EdgeFacts, EdgeFormula, EdgeResult};
use crate::{Definition, GraphKind};

/// Sørensen's similarity of the ends of an edge.
pub(crate) static SORENSEN: EdgeResult = EdgeResult {
    definition: Definition {
        name: "sorensen",
        needs: GraphKind::Plain,
        formula: "2 s / (dᵤ + dᵥ)",
        meaning: "Twice the common neighbours of the two ends as a share of the sum of their numbers of neighbours.",
        source: "Thorvald Sørensen, 1948; cuGraph: sorensen; igraph: similarity, dice",
    },
    formula: EdgeFormula::Double(value),
    example: &[2.0 / 5.0, 4.0 / 6.0, 2.0 / 6.0, 2.0 / 5.0, 2.0 / 6.0, 0.0],
};

fn value(edge: EdgeFacts) -> f64 {
    let [u, v] = edge.degrees();
    2.0 * edge.triangles() / (u + v)
}
