//! The clustering coefficients of a vertex in a directed graph, by kind of triangles.

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
    VertexColumn::of_doubles(move |vertex| local.clustering(kind, vertex))
}

/// The share of possible cycles.
pub(super) static CYCLE: VertexResult = VertexResult {
    definition: definition(
        "cycle_clustering",
        "`cycle_triangles` / (d⁺ d⁻ - d↔)",
        "The cycles of three through the vertex as a share of those that its degrees allow.",
    ),
    find: |found| of_kind(found, TriangleKind::Cycle),
    example: example(&[1.0, 1.0, 1.0]),
};

/// The share of possible middleman's triangles.
pub(super) static MIDDLEMAN: VertexResult = VertexResult {
    definition: definition(
        "middleman_clustering",
        "`middleman_triangles` / (d⁺ d⁻ - d↔)",
        "The middleman's triangles of the vertex as a share of those that its degrees allow.",
    ),
    find: |found| of_kind(found, TriangleKind::Middleman),
    example: example(&[0.0, 1.0, 0.0]),
};

/// The share of possible in-triangles.
pub(super) static IN: VertexResult = VertexResult {
    definition: definition(
        "in_clustering",
        "`in_triangles` / (d⁻ (d⁻ - 1))",
        "The in-triangles of the vertex as a share of those that its degrees allow.",
    ),
    find: |found| of_kind(found, TriangleKind::In),
    example: example(&[0.0, 0.0, 0.5]),
};

/// The share of possible out-triangles.
pub(super) static OUT: VertexResult = VertexResult {
    definition: definition(
        "out_clustering",
        "`out_triangles` / (d⁺ (d⁺ - 1))",
        "The out-triangles of the vertex as a share of those that its degrees allow.",
    ),
    find: |found| of_kind(found, TriangleKind::Out),
    example: example(&[0.5, 0.0, 0.0]),
};

/// The share of all possible directed triangles.
pub(super) static ALL: VertexResult = VertexResult {
    definition: Definition {
        source: "Giorgio Fagiolo, Clustering in complex directed networks, 2007; NetworkX: clustering of a DiGraph",
        ..definition(
            "clustering",
            "`triangles` / (D (D - 1) - 2 d↔)",
            "The directed triangles of the vertex as a share of those that its degrees allow.",
        )
    },
    find: |found| of_kind(found, TriangleKind::All),
    example: example(&[0.5, 1.0, 0.5]),
};
