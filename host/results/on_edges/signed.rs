//! The triangles on an edge by the signs of their edges.

use super::{EdgeFacts, EdgeFormula, EdgeResult};
use crate::{BALANCE, Definition, GraphKind, balanced};

const fn signed(
    [name, formula, meaning]: [&'static str; 3],
    value: EdgeFormula,
    example: &'static [f64],
) -> EdgeResult {
    let definition =
        Definition { name, needs: GraphKind::Weighted, formula, meaning, source: BALANCE };
    EdgeResult { definition, formula: value, example }
}

/// Triangles of three positive edges.
pub(super) static ALL_POSITIVE: EdgeResult = signed(
    ["all_positive", "+++", "The triangles on the edge whose edges have weights above 0."],
    EdgeFormula::Whole(|edge: EdgeFacts| edge.signs[0].into()),
    &[0.0; 6],
);

/// Triangles of two positive edges and a negative one.
pub(super) static ONE_NEGATIVE: EdgeResult = signed(
    ["one_negative", "++-", "The triangles on the edge with one edge of a weight below 0."],
    EdgeFormula::Whole(|edge: EdgeFacts| edge.signs[1].into()),
    &[1.0, 1.0, 0.0, 1.0, 0.0, 0.0],
);

/// Triangles of a positive edge and two negative ones.
pub(super) static TWO_NEGATIVE: EdgeResult = signed(
    ["two_negative", "+--", "The triangles on the edge with two edges of weights below 0."],
    EdgeFormula::Whole(|edge: EdgeFacts| edge.signs[2].into()),
    &[0.0, 1.0, 1.0, 0.0, 1.0, 0.0],
);

/// Triangles of three negative edges.
pub(super) static ALL_NEGATIVE: EdgeResult = signed(
    ["all_negative", "---", "The triangles on the edge whose edges have weights below 0."],
    EdgeFormula::Whole(|edge: EdgeFacts| edge.signs[3].into()),
    &[0.0; 6],
);

/// The share of triangles that is balanced.
pub(super) static BALANCED: EdgeResult = signed(
    [
        "balanced",
        "(+++ + +--) / (+++ + ++- + +-- + ---); NaN where there is no such triangle",
        "The triangles on the edge whose signs have a positive product, as a share of those with signs.",
    ],
    EdgeFormula::Double(|edge: EdgeFacts| balanced(edge.signs.map(u64::from))),
    &[0.0, 0.5, 1.0, 0.0, 1.0, f64::NAN],
);
