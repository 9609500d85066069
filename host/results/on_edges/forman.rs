//! The augmented Forman curvature of an edge.

use super::{EdgeFacts, EdgeFormula, EdgeResult};
use crate::{Definition, GraphKind};

/// The augmented Forman curvature of an edge.
pub(super) static FORMAN: EdgeResult = EdgeResult {
    definition: Definition {
        name: "forman",
        needs: GraphKind::Plain,
        formula: "4 - dᵤ - dᵥ + 3 s",
        meaning: "How densely the surroundings of the edge are joined: low for a bridge between hubs, high within a group.",
        source: "Areejit Samal and others, Comparative analysis of two discretizations of Ricci curvature for complex networks, 2018; GraphRicciCurvature: FormanRicci, augmented",
    },
    formula: EdgeFormula::Whole(value),
    example: &[2.0, 4.0, 1.0, 2.0, 1.0, 0.0],
};

fn value(edge: EdgeFacts) -> i64 {
    let [u, v] = edge.degrees.map(i64::from);
    // Three times 2³² and two degrees: far below 2⁶³.
    4 - u - v + 3 * i64::from(edge.triangles)
}
