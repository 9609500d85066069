//! The directed triangles of a vertex, by kind.

use tribin_analytics::TriangleKind;
use tribin_base::Result;

use super::{AtVertices, NEARLY_TWO_CYCLES, VertexColumn, VertexExample, VertexResult};
use crate::{Definition, GraphKind};

const fn definition(
    name: &'static str,
    formula: &'static str,
    meaning: &'static str,
) -> Definition {
    let source = "Giorgio Fagiolo, Clustering in complex directed networks, 2007";
    Definition { name, needs: GraphKind::Directed, formula, meaning, source }
}

const fn example(values: &'static [f64]) -> VertexExample {
    VertexExample { entries: NEARLY_TWO_CYCLES, weights: &[], values }
}

fn of_kind<'a>(found: &'a AtVertices<'_>, kind: TriangleKind) -> Result<VertexColumn<'a>> {
    let local = found.directed()?;
    VertexColumn::whole(move |vertex| local.triangles(kind, vertex))
}

/// Cycles through a vertex.
pub(super) static CYCLE: VertexResult = VertexResult {
    definition: definition(
        "cycle_triangles",
        "i → j → k → i",
        "The cycles of three through the vertex.",
    ),
    find: |found| of_kind(found, TriangleKind::Cycle),
    example: example(&[1.0, 1.0, 1.0]),
};

/// Triangles in which a vertex stands between the others.
pub(super) static MIDDLEMAN: VertexResult = VertexResult {
    definition: definition(
        "middleman_triangles",
        "j → i → k, and j → k",
        "The triangles in which the vertex stands on a path between two that are joined as well.",
    ),
    find: |found| of_kind(found, TriangleKind::Middleman),
    example: example(&[0.0, 1.0, 0.0]),
};

/// Triangles with two arcs to a vertex.
pub(super) static IN: VertexResult = VertexResult {
    definition: definition(
        "in_triangles",
        "j → i ← k, and j → k",
        "The triangles with two arcs that end at the vertex.",
    ),
    find: |found| of_kind(found, TriangleKind::In),
    example: example(&[0.0, 0.0, 1.0]),
};

/// Triangles with two arcs from a vertex.
pub(super) static OUT: VertexResult = VertexResult {
    definition: definition(
        "out_triangles",
        "j ← i → k, and j → k",
        "The triangles with two arcs that begin at the vertex.",
    ),
    find: |found| of_kind(found, TriangleKind::Out),
    example: example(&[1.0, 0.0, 0.0]),
};

/// All directed triangles of a vertex.
pub(super) static ALL: VertexResult = VertexResult {
    definition: definition(
        "triangles",
        "their sum",
        "The directed triangles that the vertex is a corner of, of all four kinds.",
    ),
    find: |found| of_kind(found, TriangleKind::All),
    example: example(&[2.0, 2.0, 2.0]),
};
