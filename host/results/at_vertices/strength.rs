//! The strength of a vertex.

use super::{AtVertices, TAILED_TRIANGLE, VertexColumn, VertexExample, VertexResult};
use crate::{Definition, GraphKind};
use tribin_base::Result;

/// The strength of a vertex.
pub(super) static STRENGTH: VertexResult = VertexResult {
    definition: Definition {
        name: "strength",
        needs: GraphKind::Weighted,
        formula: "s",
        meaning: "The sum of the weights of the vertex's edges, self-loops left out.",
        source: "igraph: strength",
    },
    find,
    example: VertexExample {
        entries: TAILED_TRIANGLE,
        weights: &[1.0, 1.0, 1.0, 6.0],
        values: &[2.0, 2.0, 8.0, 6.0],
    },
};

fn find<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let strengths = found.finder.strengths()?;
    VertexColumn::of_doubles(move |vertex| strengths[vertex as usize])
}
