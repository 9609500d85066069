//! The triangle centrality of a vertex.

use tribin_base::Result;

use super::{AtVertices, VertexColumn};

/// The sums are three times those of the definition, so that they are whole. The triangles at all vertices are three times
/// those of the graph, so that no sum passes nine times these. A graph of less than 2⁴⁰ edges has less than 2⁶⁰ triangles: 64
/// bits hold it.
pub(super) fn triangle_centrality<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let local = found.local()?;
    let vertices = 0..local.vertex_bound() as u32;
    let mut sums: Vec<u64> = vertices.map(|vertex| local.triangles(vertex)).collect();
    // The degrees and triangles, and the sums.
    found.graph.each_edge_beside(4 + 8 + 8, &mut |blocks| {
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
