//! The number of cliques of a graph, with the figures around it.

use super::ReportHead;

/// The exact number of cliques of k vertices: sets of k vertices of which any two are joined. Serialised, this is the object that
/// `tribin cliques --json` prints (docs/json.md); fields are added to it, never renamed or removed.
///
/// All figures are of the simple graph: directions dropped, duplicates merged, self-loops removed.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cliques {
    /// The file, the device and the time.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub head: ReportHead,
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
}
