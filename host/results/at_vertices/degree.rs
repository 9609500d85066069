//! The degree of a vertex.

use super::{AtVertices, TAILED_TRIANGLE, VertexColumn, VertexExample, VertexResult};
use crate::{Definition, GraphKind};
use tribin_base::Result;

/// The degree of a vertex.
pub(super) static DEGREE: VertexResult = VertexResult {
    definition: Definition {
        name: "degree",
        needs: GraphKind::Plain,
        formula: "d",
        meaning: "The neighbours of the vertex, in either direction.",
        source: "NetworkX: degree",
    },
    find,
    example: VertexExample::of(TAILED_TRIANGLE, &[2.0, 2.0, 3.0, 1.0]),
};

fn find<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let local = found.local()?;
    VertexColumn::whole(|vertex| local.degree(vertex).into())
}
