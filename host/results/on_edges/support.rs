//! The triangles on an edge.

use super::{EdgeFacts, EdgeFormula, EdgeResult};
use crate::{Definition, GraphKind};

/// The triangles on an edge.
pub(super) static SUPPORT: EdgeResult = EdgeResult {
    definition: Definition {
        name: "support",
        needs: GraphKind::Plain,
        formula: "s",
        meaning: "The triangles that contain the edge, which are the common neighbours of its ends.",
        source: "",
    },
    formula: EdgeFormula::Whole(value),
    example: &[1.0, 2.0, 1.0, 1.0, 1.0, 0.0],
};

fn value(edge: EdgeFacts) -> i64 {
    edge.triangles.into()
}
