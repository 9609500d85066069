//! A graph cleaned and oriented, ready for every analysis.

use std::time::Duration;

use crate::graph::OrientedGraph;
use crate::graph::Summary;
use crate::prepare::cpu::{PhaseTimes, Prepared};
use crate::{Graph, VertexIds};

/// An undirected simple graph: directions dropped, self-loops and duplicates gone.
///
/// Vertices are the indexes `0..vertex_bound` of the [`Graph`] that it was made of;
/// [`ids`](Self::ids) knows what the file calls them.
#[derive(Debug, Clone)]
pub struct SimpleGraph {
    pub(super) oriented: OrientedGraph,
    pub(super) times: Times,
    figures: Summary,
    ids: VertexIds,
    name: String,
}

/// What making the graph took.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Times {
    pub read: Duration,
    pub phases: PhaseTimes,
}

impl SimpleGraph {
    pub(super) fn new(graph: &Graph, prepared: Prepared, read: Duration) -> SimpleGraph {
        SimpleGraph {
            oriented: prepared.oriented,
            times: Times { read, phases: prepared.time },
            figures: prepared.figures,
            ids: graph.ids().clone(),
            name: graph.name().to_owned(),
        }
    }

    /// Vertices, edges, wedges, the largest degree, and what was dropped.
    pub fn figures(&self) -> &Summary {
        &self.figures
    }

    /// What the vertices are called in the file.
    pub fn ids(&self) -> &VertexIds {
        &self.ids
    }

    /// The file's name as the user gave it, `-` for standard input, `(memory)` for edges in memory.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One more than the largest vertex index.
    pub fn vertex_bound(&self) -> usize {
        self.oriented.vertices()
    }

    /// The edges as engines take them, by rank.
    pub fn oriented(&self) -> &OrientedGraph {
        &self.oriented
    }

    /// Seconds from opening the file to edges in memory (0 for edges that were there), and from there to
    /// this graph.
    pub fn seconds(&self) -> (f64, f64) {
        let Times { read, phases } = self.times;
        (read.as_secs_f64(), (phases.clean + phases.orient).as_secs_f64())
    }
}
