//! What every engine is to the counter.

use serde::Serialize;

use crate::graph::Summary;
use crate::methods::radix_binning::Level;
use crate::{Graph, Result};

/// A counting method on a device, from the edges as they were read to the count.
///
/// An engine cleans and orients for itself: where that happens is part of what it is. It must return
/// the exact count for every graph, with self-loops and duplicates in it, or an error.
///
/// ```
/// use tribin::graph::Summary;
/// use tribin::count::{Context, Counter, Engine, EngineCount, Options, Phase};
/// use tribin::{Graph, Result};
///
/// /// Knows that a graph of one vertex has no triangle.
/// struct Trivial;
///
/// impl Engine for Trivial {
///     fn name(&self) -> &str {
///         "trivial"
///     }
///     fn device(&self) -> String {
///         "cpu".into()
///     }
///     fn device_name(&self) -> String {
///         "thought".into()
///     }
///     fn count(&self, graph: &Graph, context: &Context) -> Result<EngineCount> {
///         context.phase(Phase::Count);
///         assert!(graph.vertex_bound() <= 1);
///         Ok(EngineCount::default())
///     }
/// }
///
/// let counter = Counter::with_engine(Box::new(Trivial), Options::default())?;
/// assert_eq!(counter.count(&Graph::from_edges(vec![]))?.triangles, 0);
/// # Ok::<(), tribin::Error>(())
/// ```
pub trait Engine: Send + Sync {
    /// The method's name as `--engine` takes it, for example `forward`.
    fn name(&self) -> &str;

    /// The device as `--device` takes it: `cpu`, `gpu:0`, …
    fn device(&self) -> String;

    /// The device's name for people, for example `NVIDIA H200`.
    fn device_name(&self) -> String;

    /// Counts. Host work runs on the current rayon pool.
    ///
    /// # Errors
    /// What the device reports; [`Error::DeviceMemory`](crate::Error::DeviceMemory) where the graph
    /// does not fit.
    fn count(&self, graph: &Graph, context: &Context) -> Result<EngineCount>;

    /// The device memory that a graph of `entries` edge entries and `vertices` vertices takes; `None`
    /// for an engine that uses the host's memory only.
    ///
    /// # Errors
    /// What the device reports.
    fn device_memory(&self, entries: u64, vertices: u64) -> Result<Option<DeviceMemory>> {
        let _ = (entries, vertices);
        Ok(None)
    }
}

/// What an engine is given besides the graph.
pub struct Context<'a> {
    on_phase: &'a (dyn Fn(Phase) + Sync),
}

impl<'a> Context<'a> {
    /// A context that passes the start of each phase on.
    pub fn new(on_phase: &'a (dyn Fn(Phase) + Sync)) -> Self {
        Context { on_phase }
    }

    /// Says that a phase begins, for the progress display.
    pub fn phase(&self, phase: Phase) {
        (self.on_phase)(phase);
    }
}

/// A step on the path of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// From the file to edges in memory.
    Read,
    /// From host memory to the device's.
    Upload,
    /// Directions, self-loops and duplicates dropped.
    Clean,
    /// Every edge pointed from lower to higher degree.
    Orient,
    /// The lists intersected.
    Count,
    /// Vertices or edges taken away, those with the fewest edges or triangles first.
    Peel,
    /// Results written to their file.
    Write,
    /// Counted again by an independent engine.
    Verify,
}

impl Phase {
    /// The name in reports and in the progress display.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Read => "read",
            Phase::Upload => "upload",
            Phase::Clean => "clean",
            Phase::Orient => "orient",
            Phase::Count => "count",
            Phase::Peel => "peel",
            Phase::Write => "write",
            Phase::Verify => "verify",
        }
    }
}

/// Predicted device memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeviceMemory {
    /// Bytes that may be used: what is free, or the limit that the user set.
    pub free: u64,
    /// What each phase takes, in the order of the phases.
    pub phases: Vec<PhaseMemory>,
}

/// Device memory of one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PhaseMemory {
    /// The phase, as [`Phase::name`] has it.
    pub phase: &'static str,
    /// Bytes at its peak.
    pub bytes: u64,
}

impl DeviceMemory {
    /// Whether every phase fits.
    pub fn fits(&self) -> bool {
        self.phases.iter().all(|phase| phase.bytes <= self.free)
    }
}

/// What an engine found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EngineCount {
    /// Triangles of the simple graph, each once.
    pub triangles: u64,
    /// The simple graph's other figures.
    pub figures: Summary,
    /// Where the time went.
    pub seconds: EngineSeconds,
    /// What the radix engine did; `None` for every other.
    pub binning: Option<Binning>,
}

/// What radix binning did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Binning {
    /// Candidate edges, |E'|.
    pub candidates: u64,
    /// Kernels launched.
    pub launches: u64,
    /// Batches of candidates, and what each level did, summed over the batches.
    pub stats: Stats,
}

/// What the levels of radix binning did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
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
    /// See [`Phase::Upload`].
    pub upload: f64,
    /// See [`Phase::Clean`].
    pub clean: f64,
    /// See [`Phase::Orient`].
    pub orient: f64,
    /// See [`Phase::Count`].
    pub count: f64,
}
