//! The local clustering coefficient of LDBC Graphalytics.

use tribin_base::Result;

use super::{AtVertices, VertexColumn};

pub(super) fn ldbc_clustering<'a>(found: &'a AtVertices<'_>) -> Result<VertexColumn<'a>> {
    let local = found.directed()?;
    let arcs = found.graph.arcs_among_neighbours()?;
    VertexColumn::of_doubles(move |vertex| {
        let [into, out, mutual] =
            [local.in_degree(vertex), local.out_degree(vertex), local.mutual_degree(vertex)];
        let degree = u64::from(into) + u64::from(out) - u64::from(mutual);
        match arcs[vertex as usize] {
            0 => 0.0,
            arcs => arcs as f64 / (degree * (degree - 1)) as f64,
        }
    })
}
