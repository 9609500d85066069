//! The figures of a whole directed graph.

use super::{Census, ReportHead};
use crate::plan::OutOfCore;

/// A directed graph's figures. Serialised, this is the object that `tribin census --json` prints (docs/json.md);
/// fields are added to it, never renamed or removed.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DirectedStats {
    /// The file, the device and the time.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub head: ReportHead,
    /// All vertices: those that the file declares, or else those that an entry names.
    pub vertices: u64,
    /// Arcs, each once, without self-loops.
    pub arcs: u64,
    /// Arcs that have one back.
    pub mutual_arcs: u64,
    /// Vertices with a self-loop.
    pub self_loops: u64,
    /// The share of the arcs that have one back, self-loops being arcs without one; `None` without arcs.
    pub reciprocity: Option<f64>,
    /// Triangles of the graph without directions, each once.
    pub triangles: u64,
    /// How many triples of vertices are of each class.
    pub census: Census,
    /// What finding out of core took; `None` where all edges were in memory, and then left out of the JSON.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub out_of_core: Option<OutOfCore>,
}
