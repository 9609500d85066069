//! The triangles of a vertex.

use super::{AtVertices, TAILED_TRIANGLE, VertexColumn, VertexExample, VertexResult};
use crate::{Definition, GraphKind};
use tribin_base::Result;

/// The triangles of a vertex.
pub(super) static TRIANGLES: VertexResult = VertexResult {
    definition: Definition {
        name: "triangles",
        needs: GraphKind::Plain,
        formula: "T",
        meaning: "The triangles that the vertex is a corner of.",
        source: "NetworkX: triangles",
    },
    find,
    example: VertexExample::of(TAILED_TRIANGLE, &[1.0, 1.0, 1.0, 0.0]),
};

fn find<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let local = found.local()?;
    VertexColumn::whole(|vertex| local.triangles(vertex))
}
