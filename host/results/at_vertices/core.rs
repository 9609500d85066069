//! The core number of a vertex.

use super::{AtVertices, TAILED_TRIANGLE, VertexColumn, VertexExample, VertexResult};
use crate::{Definition, GraphKind};
use tribin_base::Result;

/// The core number of a vertex.
pub(super) static CORE: VertexResult = VertexResult {
    definition: Definition {
        name: "core",
        needs: GraphKind::Plain,
        formula: "the largest k for which it is in a subgraph whose every vertex has k neighbours in it",
        meaning: "How deep the vertex lies in the graph, where vertices of few neighbours are taken away again and again.",
        source: "Stephen Seidman, Network structure and minimum degree, 1983; NetworkX: core_number",
    },
    find,
    example: VertexExample::of(TAILED_TRIANGLE, &[2.0, 2.0, 2.0, 1.0]),
};

fn find<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let cores = found.finder.core_numbers()?;
    VertexColumn::whole(move |vertex| cores[vertex as usize].into())
}
