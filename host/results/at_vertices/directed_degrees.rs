//! The degrees of a vertex in a directed graph.

use super::{VertexColumn, VertexResult};

/// Arcs that end at a vertex.
pub(super) static IN: VertexResult = VertexResult::directed(
    ["in_degree", "d⁻", "The arcs that end at the vertex."],
    "",
    |found| {
        let local = found.directed()?;
        VertexColumn::whole(|vertex| local.in_degree(vertex).into())
    },
    &[1.0, 1.0, 2.0],
);

/// Arcs that begin at a vertex.
pub(super) static OUT: VertexResult = VertexResult::directed(
    ["out_degree", "d⁺", "The arcs that begin at the vertex."],
    "",
    |found| {
        let local = found.directed()?;
        VertexColumn::whole(|vertex| local.out_degree(vertex).into())
    },
    &[2.0, 1.0, 1.0],
);

/// Neighbours with an arc each way.
pub(super) static MUTUAL: VertexResult = VertexResult::directed(
    ["mutual_degree", "d↔", "The neighbours with an arc each way."],
    "",
    |found| {
        let local = found.directed()?;
        VertexColumn::whole(|vertex| local.mutual_degree(vertex).into())
    },
    &[1.0, 0.0, 1.0],
);
