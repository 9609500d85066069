//! The cycles of four edges that a vertex is in.

use super::{AtVertices, SQUARE_AND_TRIANGLE, VertexColumn, VertexExample, VertexResult};
use crate::{Definition, GraphKind};
use tribin_base::Result;

/// The cycles of four edges that a vertex is in.
pub(super) static FOUR_CYCLES: VertexResult = VertexResult {
    definition: Definition {
        name: "four_cycles",
        needs: GraphKind::Plain,
        formula: "sets of four edges that are a cycle through the vertex",
        meaning: "The cycles of four edges through the vertex, whether diagonals join them or not; of a two-sided graph its butterflies.",
        source: "",
    },
    find,
    example: VertexExample::of(SQUARE_AND_TRIANGLE, &[1.0, 1.0, 1.0, 1.0, 0.0]),
};

fn find<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let cycles = found.four_cycles()?;
    VertexColumn::whole(|vertex| cycles[vertex as usize])
}
