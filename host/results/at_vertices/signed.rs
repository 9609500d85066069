//! The triangles of a vertex by the signs of their edges.

use tribin_base::Result;

use super::{AtVertices, TAILED_TRIANGLE, VertexColumn, VertexExample, VertexResult};
use crate::{BALANCE, Definition, GraphKind, balanced};

const fn signed(
    [name, formula, meaning]: [&'static str; 3],
    find: for<'a> fn(&'a AtVertices<'_>) -> Result<VertexColumn<'a>>,
    weights: &'static [f64],
    values: &'static [f64],
) -> VertexResult {
    let definition =
        Definition { name, needs: GraphKind::Weighted, formula, meaning, source: BALANCE };
    let example = VertexExample { entries: TAILED_TRIANGLE, weights, values };
    VertexResult { definition, find, example }
}

/// The triangles of which `EDGES` edges are negative.
fn with_negative<'a, const EDGES: usize>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let signed = found.signed()?;
    VertexColumn::whole(move |vertex| signed[vertex as usize][EDGES])
}

/// Triangles of three positive edges.
pub(super) static ALL_POSITIVE: VertexResult = signed(
    ["all_positive", "+++", "The triangles of the vertex whose edges have weights above 0."],
    with_negative::<0>,
    &[1.0, 2.0, 1.0, -1.0],
    &[1.0, 1.0, 1.0, 0.0],
);

/// Triangles of two positive edges and a negative one.
pub(super) static ONE_NEGATIVE: VertexResult = signed(
    ["one_negative", "++-", "The triangles of the vertex with one edge of a weight below 0."],
    with_negative::<1>,
    &[1.0, 2.0, -1.0, -1.0],
    &[1.0, 1.0, 1.0, 0.0],
);

/// Triangles of a positive edge and two negative ones.
pub(super) static TWO_NEGATIVE: VertexResult = signed(
    ["two_negative", "+--", "The triangles of the vertex with two edges of weights below 0."],
    with_negative::<2>,
    &[1.0, -2.0, -1.0, -1.0],
    &[1.0, 1.0, 1.0, 0.0],
);

/// Triangles of three negative edges.
pub(super) static ALL_NEGATIVE: VertexResult = signed(
    ["all_negative", "---", "The triangles of the vertex whose edges have weights below 0."],
    with_negative::<3>,
    &[-1.0, -2.0, -1.0, 1.0],
    &[1.0, 1.0, 1.0, 0.0],
);

/// The share of triangles that is balanced.
pub(super) static BALANCED: VertexResult = signed(
    [
        "balanced",
        "(+++ + +--) / (+++ + ++- + +-- + ---); NaN where there is no such triangle",
        "The triangles of the vertex whose signs have a positive product, as a share of those with signs.",
    ],
    |found| {
        let signed = found.signed()?;
        VertexColumn::of_doubles(move |vertex| balanced(signed[vertex as usize]))
    },
    &[1.0, -2.0, -1.0, 1.0],
    &[1.0, 1.0, 1.0, f64::NAN],
);
