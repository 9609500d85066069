//! The wedges of a vertex: those with it in the middle, and those that end at it.

use super::{AtVertices, SQUARE_AND_TRIANGLE, VertexColumn, VertexExample, VertexResult};
use crate::{Definition, GraphKind};
use tribin_base::Result;

/// The wedges with a vertex in the middle.
pub(super) static WEDGES: VertexResult = VertexResult {
    definition: Definition {
        name: "wedges",
        needs: GraphKind::Plain,
        formula: "d (d - 1) / 2",
        meaning: "The pairs of neighbours of the vertex: wedges with it in the middle.",
        source: "",
    },
    find: middle,
    example: VertexExample::of(SQUARE_AND_TRIANGLE, &[3.0, 1.0, 1.0, 3.0, 1.0]),
};

/// The wedges that end at a vertex.
pub(super) static WEDGE_ENDS: VertexResult = VertexResult {
    definition: Definition {
        name: "wedge_ends",
        needs: GraphKind::Plain,
        formula: "Σ (d - 1) over its neighbours",
        meaning: "The paths of two edges that end at the vertex.",
        source: "",
    },
    find: ends,
    example: VertexExample::of(SQUARE_AND_TRIANGLE, &[4.0, 3.0, 3.0, 4.0, 4.0]),
};

fn middle<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let local = found.local()?;
    VertexColumn::whole(|vertex| {
        let degree = u64::from(local.degree(vertex));
        degree * degree.saturating_sub(1) / 2
    })
}

fn ends<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let ends = found.wedge_ends()?;
    VertexColumn::whole(|vertex| ends[vertex as usize])
}
