//! The number of cliques of a graph, with the figures around it.

use super::StageSeconds;
use crate::graph::Reading;

/// The exact number of cliques of k vertices: sets of k vertices of which any two are joined. Serialised, this is the object that
/// `tribin cliques --json` prints (docs/json.md); fields are added to it, never renamed or removed.
///
/// All figures are of the simple graph: directions dropped, duplicates merged, self-loops removed.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cliques {
    /// The file as the user named it, `-` for standard input, `(memory)` for edges in memory.
    pub file: String,
    /// How a table of edges was read; `None` for a plain list of integers, and then left out of the JSON.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub reading: Option<Reading>,
    /// Vertices of degree > 0.
    pub vertices: u64,
    /// Undirected edges.
    pub edges: u64,
    /// Vertices of a clique.
    pub k: u32,
    /// Cliques of k vertices, each once: a whole number of up to 128 bits, written in JSON with all its digits.
    pub cliques: u128,
    /// The method that found them.
    pub engine: String,
    /// The device that they were found on, as `--device` takes it: `cpu`, `gpu:0`, …
    pub device: String,
    /// The device's name, for example `NVIDIA H200`.
    pub device_name: String,
    /// CPU threads that host work ran on.
    pub threads: usize,
    /// The version of tribin.
    pub version: &'static str,
    /// Where the time went.
    pub seconds: StageSeconds,
}
