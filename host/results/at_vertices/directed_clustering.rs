//! The clustering coefficients of a vertex in a directed graph, by kind of triangles.

use tribin_analytics::TriangleKind;
use tribin_base::Result;

use super::{AtVertices, FAGIOLO, VertexColumn, VertexResult};

fn of_kind<'a>(found: &'a AtVertices<'_>, kind: TriangleKind) -> Result<VertexColumn<'a>> {
    let local = found.directed()?;
    VertexColumn::of_doubles(move |vertex| local.clustering(kind, vertex))
}

/// The share of possible cycles.
pub(super) static CYCLE: VertexResult = VertexResult::directed(
    [
        "cycle_clustering",
        "`cycle_triangles` / (d⁺ d⁻ - d↔)",
        "The cycles of three through the vertex as a share of those that its degrees allow.",
    ],
    FAGIOLO,
    |found| of_kind(found, TriangleKind::Cycle),
    &[1.0, 1.0, 1.0],
);

/// The share of possible middleman's triangles.
pub(super) static MIDDLEMAN: VertexResult = VertexResult::directed(
    [
        "middleman_clustering",
        "`middleman_triangles` / (d⁺ d⁻ - d↔)",
        "The middleman's triangles of the vertex as a share of those that its degrees allow.",
    ],
    FAGIOLO,
    |found| of_kind(found, TriangleKind::Middleman),
    &[0.0, 1.0, 0.0],
);

/// The share of possible in-triangles.
pub(super) static IN: VertexResult = VertexResult::directed(
    [
        "in_clustering",
        "`in_triangles` / (d⁻ (d⁻ - 1))",
        "The in-triangles of the vertex as a share of those that its degrees allow.",
    ],
    FAGIOLO,
    |found| of_kind(found, TriangleKind::In),
    &[0.0, 0.0, 0.5],
);

/// The share of possible out-triangles.
pub(super) static OUT: VertexResult = VertexResult::directed(
    [
        "out_clustering",
        "`out_triangles` / (d⁺ (d⁺ - 1))",
        "The out-triangles of the vertex as a share of those that its degrees allow.",
    ],
    FAGIOLO,
    |found| of_kind(found, TriangleKind::Out),
    &[0.5, 0.0, 0.0],
);

/// The share of all possible directed triangles.
pub(super) static ALL: VertexResult = VertexResult::directed(
    [
        "clustering",
        "`triangles` / (D (D - 1) - 2 d↔)",
        "The directed triangles of the vertex as a share of those that its degrees allow.",
    ],
    "Giorgio Fagiolo, Clustering in complex directed networks, 2007; NetworkX: clustering of a DiGraph",
    |found| of_kind(found, TriangleKind::All),
    &[0.5, 1.0, 0.5],
);
