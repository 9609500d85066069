//! The local clustering coefficient of a vertex.

use super::{AtVertices, TAILED_TRIANGLE, VertexColumn, VertexExample, VertexResult};
use crate::{Definition, GraphKind};
use tribin_base::Result;

/// The local clustering coefficient of a vertex.
pub(super) static CLUSTERING: VertexResult = VertexResult {
    definition: Definition {
        name: "clustering",
        needs: GraphKind::Plain,
        formula: "2T / (d(d - 1)); 0 where d < 2",
        meaning: "The pairs of neighbours that are joined, as a share of all pairs of neighbours.",
        source: "Duncan Watts and Steven Strogatz, Collective dynamics of small-world networks, 1998; NetworkX: clustering",
    },
    find,
    example: VertexExample::of(TAILED_TRIANGLE, &[1.0, 1.0, 1.0 / 3.0, 0.0]),
};

fn find<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let local = found.local()?;
    VertexColumn::of_doubles(|vertex| local.clustering(vertex))
}
