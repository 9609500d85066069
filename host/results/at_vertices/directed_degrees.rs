//! The degrees of a vertex in a directed graph.

use super::{NEARLY_TWO_CYCLES, VertexColumn, VertexExample, VertexResult};
use crate::{Definition, GraphKind};

const fn definition(
    name: &'static str,
    formula: &'static str,
    meaning: &'static str,
) -> Definition {
    Definition { name, needs: GraphKind::Directed, formula, meaning, source: "" }
}

const fn example(values: &'static [f64]) -> VertexExample {
    VertexExample { entries: NEARLY_TWO_CYCLES, weights: &[], values }
}

/// Arcs that end at a vertex.
pub(super) static IN: VertexResult = VertexResult {
    definition: definition("in_degree", "d⁻", "The arcs that end at the vertex."),
    find: |found| {
        let local = found.directed()?;
        VertexColumn::whole(|vertex| local.in_degree(vertex).into())
    },
    example: example(&[1.0, 1.0, 2.0]),
};

/// Arcs that begin at a vertex.
pub(super) static OUT: VertexResult = VertexResult {
    definition: definition("out_degree", "d⁺", "The arcs that begin at the vertex."),
    find: |found| {
        let local = found.directed()?;
        VertexColumn::whole(|vertex| local.out_degree(vertex).into())
    },
    example: example(&[2.0, 1.0, 1.0]),
};

/// Neighbours with an arc each way.
pub(super) static MUTUAL: VertexResult = VertexResult {
    definition: definition("mutual_degree", "d↔", "The neighbours with an arc each way."),
    find: |found| {
        let local = found.directed()?;
        VertexColumn::whole(|vertex| local.mutual_degree(vertex).into())
    },
    example: example(&[1.0, 0.0, 1.0]),
};
