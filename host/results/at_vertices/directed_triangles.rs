//! The directed triangles of a vertex, by kind.

use tribin_analytics::TriangleKind;
use tribin_base::Result;

use super::{AtVertices, FAGIOLO, VertexColumn, VertexResult};

fn of_kind<'a>(found: &'a AtVertices<'_>, kind: TriangleKind) -> Result<VertexColumn<'a>> {
    let local = found.directed()?;
    VertexColumn::whole(move |vertex| local.triangles(kind, vertex))
}

/// Cycles through a vertex.
pub(super) static CYCLE: VertexResult = VertexResult::directed(
    ["cycle_triangles", "i → j → k → i", "The cycles of three through the vertex."],
    FAGIOLO,
    |found| of_kind(found, TriangleKind::Cycle),
    &[1.0, 1.0, 1.0],
);

/// Triangles in which a vertex stands between the others.
pub(super) static MIDDLEMAN: VertexResult = VertexResult::directed(
    [
        "middleman_triangles",
        "j → i → k, and j → k",
        "The triangles in which the vertex stands on a path between two that are joined as well.",
    ],
    FAGIOLO,
    |found| of_kind(found, TriangleKind::Middleman),
    &[0.0, 1.0, 0.0],
);

/// Triangles with two arcs to a vertex.
pub(super) static IN: VertexResult = VertexResult::directed(
    ["in_triangles", "j → i ← k, and j → k", "The triangles with two arcs that end at the vertex."],
    FAGIOLO,
    |found| of_kind(found, TriangleKind::In),
    &[0.0, 0.0, 1.0],
);

/// Triangles with two arcs from a vertex.
pub(super) static OUT: VertexResult = VertexResult::directed(
    [
        "out_triangles",
        "j ← i → k, and j → k",
        "The triangles with two arcs that begin at the vertex.",
    ],
    FAGIOLO,
    |found| of_kind(found, TriangleKind::Out),
    &[1.0, 0.0, 0.0],
);

/// All directed triangles of a vertex.
pub(super) static ALL: VertexResult = VertexResult::directed(
    [
        "triangles",
        "their sum",
        "The directed triangles that the vertex is a corner of, of all four kinds.",
    ],
    FAGIOLO,
    |found| of_kind(found, TriangleKind::All),
    &[2.0, 2.0, 2.0],
);
