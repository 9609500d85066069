//! The triangle centrality of a vertex.

use super::{AtVertices, TAILED_TRIANGLE, VertexColumn, VertexExample, VertexResult};
use crate::{Definition, GraphKind};
use tribin_base::Result;

/// The triangle centrality of a vertex.
pub(super) static TRIANGLE_CENTRALITY: VertexResult = VertexResult {
    definition: Definition {
        name: "triangle_centrality",
        needs: GraphKind::Plain,
        formula: "(⅓ Σ T over the vertex and the neighbours that it has a triangle with + Σ T over its other neighbours) / the triangles of the graph; 0 where there are none",
        meaning: "How much of all triangles lies at the vertex and around it: high for a vertex that joins groups, even if it is in few triangles itself.",
        source: "Paul Burkhardt, Triangle centrality, 2021",
    },
    find,
    example: VertexExample::of(TAILED_TRIANGLE, &[1.0, 1.0, 1.0, 1.0]),
};

/// The sums are three times those of the definition, so that they are whole. The triangles at all vertices are three times
/// those of the graph, so that no sum passes nine times these. A graph of less than 2⁴⁰ edges has less than 2⁶⁰ triangles: 64
/// bits hold it.
fn find<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let local = found.local()?;
    let vertices = 0..local.vertex_bound() as u32;
    let mut sums: Vec<u64> = vertices.map(|vertex| local.triangles(vertex)).collect();
    // The degrees and triangles, and the sums.
    found.finder.each_edge(4 + 8 + 8, &mut |blocks| {
        for [u, v, triangles] in blocks.into_iter().flatten() {
            let share = if triangles > 0 { 1 } else { 3 };
            sums[u as usize] += share * local.triangles(v);
            sums[v as usize] += share * local.triangles(u);
        }
        Ok(true)
    })?;
    let all = 3 * local.total();
    VertexColumn::of_doubles(move |vertex| match all {
        0 => 0.0,
        all => sums[vertex as usize] as f64 / all as f64,
    })
}
