//! What an engine found, before it becomes a report.

use crate::graph::Summary;
use crate::methods::radix_binning::Level;
use crate::plan::Explanation;

/// The count of an engine, with its figures and times.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EngineCount {
    /// Triangles of the simple graph, each once.
    pub triangles: u64,
    /// The simple graph's other figures.
    pub summary: Summary,
    /// Where the time went.
    pub seconds: EngineSeconds,
    /// What the radix engine did; `None` for every other.
    pub binning: Option<Binning>,
    /// The counting method, where an engine has several; `None` for the engine's own name.
    pub method: Option<&'static str>,
    /// The device as `--device` takes it, and its name, where an engine has several; `None` for the engine's own.
    pub ran_on: Option<[String; 2]>,
    /// What was decided on the way and why, and what each step was predicted to take.
    pub explanation: Explanation,
}

/// Figures of radix binning: candidates, batches and launches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Binning {
    /// Candidate edges, |E'|.
    pub candidates: u64,
    /// Kernels launched.
    pub launches: u64,
    /// Batches of candidates, and what each level did, summed over the batches.
    pub stats: Stats,
}

/// Figures of the levels of radix binning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Stats {
    /// Batches of candidates.
    pub batches: u64,
    /// Every level, summed over the batches: all zero where one tail took both lists, empty where there
    /// was no candidate.
    pub levels: Vec<Level>,
}

/// Wall-clock seconds of an engine's phases; 0 where it has no such phase.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EngineSeconds {
    /// See [`Phase::Upload`](crate::Phase::Upload).
    pub upload: f64,
    /// See [`Phase::Clean`](crate::Phase::Clean).
    pub clean: f64,
    /// See [`Phase::Orient`](crate::Phase::Orient).
    pub orient: f64,
    /// See [`Phase::Count`](crate::Phase::Count).
    pub count: f64,
}

/// What kind of engine works, whatever its device is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum On {
    /// tribin's, on the CPU.
    Cpu,
    /// tribin's, on one or several GPUs.
    Gpu,
    /// An engine of the caller's own ([`Session::with_engine`](crate::Session::with_engine)).
    Own,
}

/// An engine and its device, by their names in reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RanOn {
    pub engine: String,
    pub device: String,
    pub device_name: String,
    pub on: On,
}
