//! What counting would do.

use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::engine::Engine;
use crate::count::{CountOptions, EngineChoice};
use crate::graph::Reading;
use crate::plan::Decision;
use crate::plan::DeviceMemory;
use crate::read::{Inspection, ToldBy};
use crate::{Graph, Result};

/// What counting a graph would do, found out without counting.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Plan {
    /// The file as the user named it.
    pub file: String,
    /// Its format, as `--format` takes it.
    pub format: &'static str,
    /// What the format was told by: `option`, `first bytes`, `extension` or `default`.
    pub format_told_by: &'static str,
    /// Its compression: `none`, `gzip` or `zstd`; `None` for standard input.
    pub compression: Option<String>,
    /// Its size in bytes; `None` for standard input.
    pub bytes: Option<u64>,
    /// How a table of edges was read; `None` for a plain list of integers, and then left out of the JSON.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub reading: Option<Reading>,
    /// Edge entries in the file, self-loops and duplicates included.
    pub entries: u64,
    /// One more than the largest vertex index, after ids with wide gaps were compacted.
    pub vertex_bound: u64,
    /// Wedges (pairs of edges that share a vertex) if no entry is a duplicate; with duplicates there
    /// are fewer.
    pub wedges_at_most: u128,
    /// Bytes of host memory that the edges take.
    pub edge_bytes: u64,
    /// Device memory, free and needed; `None` on the CPU.
    pub device_memory: Option<DeviceMemory>,
    /// The engine that would count, as `--engine` takes it.
    pub engine: String,
    /// The device that it would run on, as `--device` takes it.
    pub device: String,
    /// The device's name.
    pub device_name: String,
    /// Why this device.
    pub reason: String,
    /// CPU threads.
    pub threads: usize,
    /// What is decided before the graph is prepared, and why. The order of the vertices and the counting method
    /// follow from what the preparation finds.
    pub decisions: Vec<Decision>,
}

impl Plan {
    pub(super) fn new(
        inspection: &Inspection,
        graph: &Graph,
        engine: &dyn Engine,
        reason: &str,
        options: &CountOptions,
    ) -> Result<Plan> {
        let entries = graph.edges().len() as u64;
        let vertex_bound = graph.vertex_bound() as u64;
        Ok(Plan {
            file: graph.name().to_owned(),
            format: inspection.format.name(),
            format_told_by: match inspection.told_by {
                ToldBy::Option => "option",
                ToldBy::FirstBytes => "first bytes",
                ToldBy::Extension => "extension",
                ToldBy::Default => "default",
            },
            compression: inspection.compression.map(|compression| compression.to_string()),
            bytes: inspection.bytes,
            reading: graph.reading().cloned(),
            entries,
            vertex_bound,
            wedges_at_most: wedges_at_most(graph),
            edge_bytes: entries * size_of::<[u32; 2]>() as u64,
            device_memory: engine.device_memory(entries, vertex_bound, options)?,
            engine: match options.engine {
                EngineChoice::Auto => engine.name().to_owned(),
                other => other.name().to_owned(),
            },
            device: engine.device(),
            device_name: engine.device_name(),
            reason: reason.to_owned(),
            threads: rayon::current_num_threads(),
            decisions: engine.decisions(entries, vertex_bound)?,
        })
    }
}

/// Σ d(d-1)/2 with every entry but self-loops taken as an edge of its own, in O(entries). A degree
/// that passes 2³²-1 (duplicates only: a simple graph's cannot) is held there.
fn wedges_at_most(graph: &Graph) -> u128 {
    let mut degrees = Vec::new();
    degrees.resize_with(graph.vertex_bound(), || AtomicU32::new(0));
    graph.edges().par_iter().filter(|[u, v]| u != v).flatten().for_each(|&v| {
        let _ = degrees[v as usize].try_update(Relaxed, Relaxed, |d| d.checked_add(1));
    });
    degrees
        .into_par_iter()
        .map(|degree| {
            let degree = u128::from(degree.into_inner());
            degree * degree.saturating_sub(1) / 2
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wedges_of_a_simple_graph_are_exact() {
        // A triangle with a tail: degrees 2, 2, 3, 1.
        let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3], [3, 3]]);
        assert_eq!(wedges_at_most(&graph), 1 + 1 + 3);
    }

    #[test]
    fn duplicates_can_only_add_wedges() {
        let graph = Graph::from_edges(vec![[0, 1], [1, 0], [1, 2]]);
        assert_eq!(wedges_at_most(&graph), 1 + 3);
    }
}
