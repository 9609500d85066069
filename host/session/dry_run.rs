//! What counting would do.

use super::engine::Foreseen;
use super::out_of_core::{OutOfCoreWork, declared_or_sampled};
use super::runner::Runner;
use crate::count::{CountOptions, EngineChoice, RanOn};
use crate::graph::Reading;
use crate::plan::Decision;
use crate::plan::{DeviceMemory, HostMemory, OutOfCore, countable, on_host};
use crate::read::{self, Compression, Foretold, Inspection, ToldBy};
use crate::{Result, VertexIds};
use tribin_base::par;

/// The plan of a count, found out without counting.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Plan {
    /// The file as the user named it.
    pub file: String,
    /// The file's format, as `--format` takes it.
    pub format: &'static str,
    /// What the format was told by: `option`, `first bytes`, `extension` or `default`.
    pub format_told_by: &'static str,
    /// The file's compression: `none`, `gzip`, `zstd`, `bzip2` or `xz`; `None` for standard input.
    pub compression: Option<String>,
    /// The file's size in bytes; `None` for standard input.
    pub bytes: Option<u64>,
    /// How a table of edges was read; `None` for a plain list of integers, and then left out of the JSON.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub reading: Option<Reading>,
    /// Whether entries and vertices are estimated from a sample of the file.
    pub sampled: bool,
    /// Edge entries in the file, self-loops and duplicates included.
    pub entries: u64,
    /// How far off the number of entries is at most, as a share of it, in 95 of 100 files like this; 0 where it
    /// is exact.
    pub entries_error: f64,
    /// One more than the largest vertex index, after ids with wide gaps were compacted; of a sample, what it shows
    /// at least.
    pub vertex_bound: u64,
    /// Bytes of host memory that the edges take.
    pub edge_bytes: u64,
    /// Bytes of host memory that a count on the CPU takes at its peak; `None` on a GPU, and for an engine of the caller's own.
    pub host_memory: Option<HostMemory>,
    /// What counting out of core would take; `None` where all edges would be in memory, and then left out of the JSON.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub out_of_core: Option<OutOfCore>,
    /// Device memory, free and needed; `None` on the CPU.
    pub device_memory: Option<DeviceMemory>,
    /// The engine that would count, as `--engine` takes it.
    pub engine: String,
    /// The device that it would run on, as `--device` takes it.
    pub device: String,
    /// The device's name.
    pub device_name: String,
    /// The reason for the device.
    pub reason: String,
    /// CPU threads.
    pub threads: usize,
    /// The decisions before the graph is prepared, with their reasons. The order of the vertices and the counting method
    /// follow from what the preparation finds.
    pub decisions: Vec<Decision>,
}

/// The size of a graph for its plan. As little is read as the format and the size of the file allow: the header, a
/// sample, or all of it.
pub(super) fn foretold(
    inspection: &Inspection,
    source: &read::Source,
    reading: &read::Options,
) -> Result<Foretold> {
    let small = match inspection.compression {
        None | Some(Compression::None) => read::SMALL,
        Some(_) => read::SMALL / 8,
    };
    if inspection.bytes.is_some_and(|bytes| bytes > small)
        && let Some(size) = declared_or_sampled(inspection.size.as_ref(), source, reading)?
    {
        return Ok(size);
    }
    let graph = read::open(source.clone(), reading)?;
    let is_kept = matches!(graph.ids(), VertexIds::Identity { .. } | VertexIds::OneBased { .. });
    Ok(Foretold {
        is_numbered: !is_kept,
        reading: graph.reading().cloned(),
        ..Foretold::declared(graph.edges().len() as u64, Some(graph.vertex_bound() as u64))
    })
}

impl Plan {
    pub(super) fn new(
        inspection: &Inspection,
        size: &Foretold,
        runner: &Runner,
        options: &CountOptions,
    ) -> Result<Plan> {
        let Foretold { entries, error, .. } = *size;
        let vertices = size.likely_vertices();
        let Runner { engine, selection, .. } = runner;
        let threads = par::threads();
        let host = runner.is_cpu().then(|| {
            let host = on_host(entries, vertices, size.is_numbered, threads);
            host.widened(error)
        });
        // What a header says may be any number.
        let Foreseen { decisions, memory } =
            engine.foresee(countable(entries), countable(vertices), options)?;
        Ok(Plan {
            file: inspection.name.clone(),
            format: inspection.format.name(),
            format_told_by: match inspection.told_by {
                ToldBy::Option => "option",
                ToldBy::FirstBytes => "first bytes",
                ToldBy::Extension => "extension",
                ToldBy::Default => "default",
            },
            compression: inspection.compression.map(|compression| compression.to_string()),
            bytes: inspection.bytes,
            reading: size.reading.clone(),
            sampled: size.is_sampled,
            entries,
            entries_error: error,
            vertex_bound: vertices,
            edge_bytes: entries.saturating_mul(size_of::<[u32; 2]>() as u64),
            host_memory: host,
            out_of_core: None,
            device_memory: memory,
            engine: match options.engine {
                EngineChoice::Auto => engine.name().to_owned(),
                other => other.name().to_owned(),
            },
            device: engine.device(),
            device_name: engine.device_name(),
            reason: selection.reason.clone(),
            threads,
            decisions,
        })
    }
}

impl Plan {
    /// This plan, counted out of core where `ran_on` says.
    pub(super) fn out_of_core(self, chosen: OutOfCoreWork, ran_on: RanOn) -> Plan {
        let bytes = chosen.predicted.memory_bytes;
        Plan {
            host_memory: Some(HostMemory::of_bytes(bytes)),
            out_of_core: Some(chosen.predicted),
            device_memory: None,
            engine: ran_on.engine,
            device: ran_on.device,
            device_name: ran_on.device_name,
            decisions: vec![chosen.decision],
            ..self
        }
    }
}
