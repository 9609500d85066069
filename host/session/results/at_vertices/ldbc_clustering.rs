//! The local clustering coefficient of LDBC Graphalytics.

use tribin_base::Result;

use super::{AtVertices, VertexColumn, VertexExample};

/// The example of the benchmark.
pub(super) const LDBC_EXAMPLE: VertexExample = VertexExample::of(
    &[
        [1, 3],
        [1, 5],
        [2, 4],
        [2, 5],
        [2, 10],
        [3, 1],
        [3, 5],
        [3, 8],
        [3, 10],
        [5, 3],
        [5, 4],
        [5, 8],
        [6, 3],
        [6, 4],
        [7, 4],
        [8, 1],
        [9, 4],
    ],
    &[0.0, 2.0 / 3.0, 1.0 / 6.0, 3.0 / 20.0, 1.0 / 20.0, 1.0 / 4.0, 0.0, 0.0, 5.0 / 6.0, 0.0, 0.0],
);

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
