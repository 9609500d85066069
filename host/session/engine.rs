//! What every engine is to a session.

use std::fmt;

use super::resident::{HostGraph, ResidentGraph};
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineCount, On};
use crate::plan::Decision;
use crate::plan::DeviceMemory;
#[cfg(feature = "gpu")]
use crate::{Error, VertexIds};
use crate::{Graph, Result};
use tribin_cpu::prepare::prepare_until;
#[cfg(feature = "gpu")]
use tribin_gpu::device_graph::DeviceEdges;
use tribin_parts::PartsOnDevice;

/// A counting method on a device, from the edges as they were read to the count.
///
/// An engine cleans and orients for itself: where that happens is part of what it is. It must return the exact
/// count for every graph, with self-loops and duplicates in it, or an error. Host work runs on the current
/// rayon pool.
///
/// ```
/// # std::env::set_current_dir("../..").unwrap();
/// use std::sync::Arc;
///
/// use tribin::count::{CountOptions, EngineCount};
/// use tribin::{Context, Engine, Graph, Options, Phase, Result, Session};
///
/// /// Looks at every three vertices.
/// struct Patient;
///
/// impl Engine for Patient {
///     fn name(&self) -> &str {
///         "patient"
///     }
///     fn count(&self, graph: &Graph, _: &CountOptions, context: &Context) -> Result<EngineCount> {
///         let (oriented, summary) = tribin::oriented(&graph);
///         context.phase(Phase::Count);
///         let joined = |u: u32, v: u32| oriented.row(u).contains(&v);
///         let ranks = 0..oriented.vertices() as u32;
///         let below = |u: u32| ranks.clone().filter(move |&v| v < u);
///         let triangles = ranks
///             .clone()
///             .flat_map(|u| below(u).map(move |v| (u, v)))
///             .map(|(u, v)| below(v).filter(|&w| joined(u, v) && joined(u, w) && joined(v, w)).count())
///             .sum::<usize>() as u64;
///         Ok(EngineCount { triangles, summary, ..EngineCount::default() })
///     }
/// }
///
/// let options = Options { engine: Some(Arc::new(Patient)), ..Options::default() };
/// let session = Session::open(options)?;
/// let karate = tribin::open("tests/data/karate.mtx")?;
/// assert_eq!(session.count(&karate)?.triangles, 45);
/// # Ok::<(), tribin::Error>(())
/// ```
pub trait Engine: Send + Sync {
    /// The method's name as `--engine` takes it, for example `forward`.
    fn name(&self) -> &str;

    /// The device as `--device` takes it: `cpu`, `gpu:0`, …
    fn device(&self) -> String {
        "cpu".into()
    }

    /// The device's name for people, for example `NVIDIA H200`.
    fn device_name(&self) -> String {
        crate::processor::name()
    }

    /// The kind of this engine: one of the caller's own, unless it is tribin's.
    #[doc(hidden)]
    fn on(&self) -> On {
        On::Own
    }

    /// Counts. By default the graph is prepared, and asked for its triangles.
    ///
    /// # Errors
    /// What the device reports; [`Error::DeviceMemory`](crate::Error::DeviceMemory) where the graph does not
    /// fit, and [`Error::Cancelled`](crate::Error::Cancelled).
    fn count(
        &self,
        graph: &Graph,
        options: &CountOptions,
        context: &Context,
    ) -> Result<EngineCount> {
        context.phase(Phase::Orient);
        self.prepare(graph, context)?.count(options, context)
    }

    /// Prepares a graph for any number of results: by default on the CPU, which then finds them all.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn prepare(&self, graph: &Graph, context: &Context) -> Result<Box<dyn ResidentGraph>> {
        context.cancel().check()?;
        let prepared = prepare_until(graph.edges(), graph.vertex_bound(), context)?;
        Ok(Box::new(HostGraph::new(prepared, None)))
    }

    /// Takes a graph that the CPU has prepared, in the order that it has there; `None` where there is no room, and for an engine
    /// that takes no such graphs.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    #[doc(hidden)]
    fn take(
        &self,
        prepared: &dyn ResidentGraph,
        context: &Context,
    ) -> Result<Option<Box<dyn ResidentGraph>>> {
        let _ = (prepared, context);
        Ok(None)
    }

    /// Prepares edges that other libraries hold in the memory of this device, or of these devices. All `shares` are
    /// one graph, and there is at least one share. An engine that does not work there refuses them.
    ///
    /// # Errors
    /// As [`count`](Self::count); [`Error::Usage`] where the edges are not in this device's memory.
    #[cfg(feature = "gpu")]
    fn prepare_device_edges(
        &self,
        shares: &[DeviceEdges],
        context: &Context,
    ) -> Result<FromDevice> {
        let _ = context;
        let gpus: Vec<String> = shares.iter().map(DeviceEdges::label).collect();
        let (gpus, device) = (gpus.join(", "), self.device());
        let message = format!("the edges are in the memory of {gpus}, and the device is {device}");
        Err(Error::Usage(message.into()))
    }

    /// The finder of results in graphs of which the device has a part of the rows at a time; `None` for an engine that needs
    /// the whole graph.
    #[doc(hidden)]
    fn parts(&self) -> Option<&dyn PartsOnDevice> {
        None
    }

    /// What is known of a graph of `entries` edge entries and `vertices` vertices before it is looked at: nothing by default.
    ///
    /// # Errors
    /// What the device reports.
    fn foresee(&self, entries: u64, vertices: u64, options: &CountOptions) -> Result<Foreseen> {
        let _ = (entries, vertices, options);
        Ok(Foreseen::default())
    }
}

/// What an engine knows of a graph before it looks at it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Foreseen {
    /// The decisions that follow from the size of the graph.
    pub decisions: Vec<Decision>,
    /// The device memory that the graph takes; `None` for an engine that uses the host's memory only.
    pub memory: Option<DeviceMemory>,
}

impl fmt::Debug for dyn Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The outcome for edges that another library held in device memory.
#[cfg(feature = "gpu")]
pub enum FromDevice {
    /// The edges were prepared where they are.
    Prepared {
        /// The prepared graph.
        held: Box<dyn ResidentGraph>,
        /// The ids of the graph's vertices.
        ids: VertexIds,
        /// The number of vertices, where the caller said how many there are.
        declared: Option<u64>,
        /// The vertices that have a self-loop, ascending; none where their number was declared.
        looped: Vec<u32>,
    },
    /// The edges were copied to host memory, to be prepared from there.
    Copied {
        /// The graph in host memory.
        graph: Graph,
        /// Why.
        because: String,
    },
}
