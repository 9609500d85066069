//! Opening a GPU; and its engines that count the oriented graph.

use tribin_device::launch::Device;

use super::engine::{
    Context, DeviceMemory, Engine, EngineCount, EngineSeconds, Phase, PhaseMemory,
};
use super::hybrid;
use super::selection::Fallback;
use crate::device::cuda::{self, Gpu};
use crate::methods::bitmap::{self, Tiling};
use crate::methods::forward::gpu::{self as forward, CountShape};
use crate::methods::merge_path::{self, Shares};
use crate::plan::memory::MemoryPlan;
use crate::plan::tuning::Policy;
use crate::prepare::gpu::{self, MOST_ENTRIES, OnDevice};
use crate::{Error, Graph, Result, prepare};

/// Why no GPU can be used.
pub(crate) enum Unusable {
    /// There is none, or no driver for it: nothing is broken.
    Absent(String),
    /// It is there, and the kernels do not run on its generation: nothing is broken either.
    TooOld(Error),
    /// It is there, and failed.
    Failed(Error),
}

impl Unusable {
    /// What the CPU stands in for, where the choice was left to the program: why, and whether somebody
    /// should look at it.
    pub(crate) fn into_fallback(self) -> (String, Fallback) {
        match self {
            Unusable::Absent(why) => (why, Fallback::NoGpu),
            Unusable::TooOld(error) => (error.to_string(), Fallback::NoGpu),
            Unusable::Failed(error) => (error.to_string(), Fallback::GpuFailed),
        }
    }

    /// The error for who asked for a GPU.
    pub(crate) fn into_error(self) -> Error {
        match self {
            Unusable::Absent(why) => Error::Device(format!(
                "no GPU can be used: {why}; `tribin doctor` says what is missing, `--device cpu` \
                 counts on the CPU"
            )),
            Unusable::TooOld(error) | Unusable::Failed(error) => error,
        }
    }
}

/// How a GPU counts the oriented graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// [`forward`].
    Forward,
    /// [`hybrid`].
    Hybrid,
    /// [`merge_path`].
    MergePath,
    /// [`bitmap`].
    Bitmap,
}

impl Method {
    /// Bytes that counting takes beside the graph, at most, and cannot do without. (The hybrid engine
    /// does without what it would take.)
    fn memory_needed(self, edges: u64, bound: u64) -> u64 {
        match self {
            Method::Forward | Method::Hybrid | Method::MergePath => 0,
            Method::Bitmap => bitmap::memory_needed(edges, bound, Tiling::for_ranks(bound).width),
        }
    }
}

/// Opens a GPU; where `ordinal` is `None`, the first that the kernels run on.
pub(crate) fn open(ordinal: Option<u32>) -> Result<Gpu, Unusable> {
    let gpus = cuda::list().map_err(|error| Unusable::Absent(error.to_string()))?;
    let gpu = match ordinal {
        Some(ordinal) => gpus.get(ordinal as usize),
        None => gpus.iter().find(|gpu| gpu.is_supported()).or(gpus.first()),
    };
    if ordinal.is_none() && gpu.is_none() {
        return Err(Unusable::Absent("the NVIDIA driver finds no GPU".into()));
    }
    // Where there is no such GPU, opening it says so.
    let ordinal = gpu.map_or(ordinal.unwrap_or(0) as usize, |gpu| gpu.ordinal);
    let supported = gpu.is_none_or(|gpu| gpu.is_supported());
    cuda::open(ordinal)
        .map_err(|error| if supported { Unusable::Failed(error) } else { Unusable::TooOld(error) })
}

/// The pipeline of kernels as an [`Engine`].
pub(super) struct OnGpu {
    gpu: Gpu,
    method: Method,
    memory_limit: Option<u64>,
}

impl OnGpu {
    pub fn new(gpu: Gpu, method: Method, memory_limit: Option<u64>) -> Self {
        OnGpu { gpu, method, memory_limit }
    }

    /// Bytes that may be used.
    fn free(&self) -> Result<u64> {
        Ok(self.gpu.free_memory()?.min(self.memory_limit.unwrap_or(u64::MAX)))
    }

    /// Cleans, orients and uploads a graph that is too large to be sorted on the GPU.
    fn prepare_on_cpu(&self, graph: &Graph, free: u64, context: &Context) -> Result<OnDevice<Gpu>> {
        context.phase(Phase::Orient);
        let prepared = prepare::cpu::prepare(graph.edges(), graph.vertex_bound());
        let edges = prepared.figures.edges;
        if edges > MOST_ENTRIES {
            return Err(Error::Input {
                file: graph.name().to_owned(),
                message: format!(
                    "{edges} edges are more than the {MOST_ENTRIES} that the GPU engine takes: \
                     count on the CPU with `--device cpu`"
                ),
            });
        }
        let needed = MemoryPlan::prepared(edges, graph.vertex_bound() as u64).peak();
        if needed > free {
            return Err(Error::DeviceMemory { needed, free, device: self.device_name() });
        }
        context.phase(Phase::Count);
        Ok(gpu::upload_prepared(&self.gpu, &prepared)?)
    }

    /// The triangles; and the seconds that bringing the edges into the order that the method wants, and
    /// counting, took.
    fn count_oriented(
        &self,
        ready: &OnDevice<Gpu>,
        bound: u64,
        free: u64,
    ) -> Result<(u64, f64, f64)> {
        let graph = &ready.graph;
        let fits = || {
            MemoryPlan::new(graph.edges, bound).count + hybrid::memory_needed(graph.edges, bound)
                <= free
        };
        if self.method == Method::Hybrid && fits() {
            let (major, minor) = self.gpu.info().compute_capability;
            let policy = Policy::for_compute_capability(major, minor);
            let count = hybrid::count(&self.gpu, graph, &policy)?;
            return Ok((count.triangles, count.seconds.group, count.seconds.count()));
        }
        // Where duplicates were dropped the buffers are longer than there are edges.
        let needed = MemoryPlan::new(graph.tails.len(), bound).count
            + self.method.memory_needed(graph.edges, bound);
        if needed > free {
            return Err(Error::DeviceMemory { needed, free, device: self.device_name() });
        }
        if self.method == Method::Bitmap {
            let tiling = Tiling::for_ranks(graph.rows.len() / 2);
            let count = bitmap::count_oriented(&self.gpu, graph, &tiling)?;
            return Ok((count.triangles, count.seconds.segments, count.seconds.count));
        }
        let start = self.gpu.mark()?;
        let triangles = match self.method {
            Method::MergePath => merge_path::count_oriented(&self.gpu, graph, Shares::default())?,
            _ => forward::count_oriented(&self.gpu, graph, CountShape::default())?,
        };
        let end = self.gpu.mark()?;
        Ok((triangles, 0.0, self.gpu.seconds_between(&start, &end)?))
    }
}

/// Whether everything can happen on the GPU.
fn sortable(entries: u64, plan: MemoryPlan, free: u64) -> bool {
    entries <= MOST_ENTRIES && plan.peak() <= free
}

impl Engine for OnGpu {
    fn name(&self) -> &str {
        match self.method {
            Method::Forward => "forward",
            Method::Hybrid => "hybrid",
            Method::MergePath => "merge-path",
            Method::Bitmap => "bitmap",
        }
    }

    fn device(&self) -> String {
        format!("gpu:{}", self.gpu.info().ordinal)
    }

    fn device_name(&self) -> String {
        self.gpu.info().name.clone()
    }

    fn count(&self, graph: &Graph, context: &Context) -> Result<EngineCount> {
        let entries = graph.edges().len() as u64;
        let bound = graph.vertex_bound() as u64;
        let free = self.free()?;
        let ready = if sortable(entries, MemoryPlan::new(entries, bound), free) {
            context.phase(Phase::Count);
            gpu::prepare(&self.gpu, graph)?
        } else {
            self.prepare_on_cpu(graph, free, context)?
        };
        let (triangles, group, count) = self.count_oriented(&ready, bound, free)?;
        let seconds = EngineSeconds {
            upload: ready.seconds.upload,
            clean: ready.seconds.clean,
            orient: ready.seconds.orient + group,
            count,
        };
        Ok(EngineCount { triangles, figures: ready.figures, seconds, binning: None })
    }

    fn device_memory(&self, entries: u64, vertices: u64) -> Result<Option<DeviceMemory>> {
        let free = self.free()?;
        let mut plan = MemoryPlan::new(entries, vertices);
        if !sortable(entries, plan, free) {
            plan = MemoryPlan::prepared(entries, vertices);
        }
        let groups = hybrid::memory_needed(entries, vertices);
        if self.method == Method::Hybrid && plan.count + groups <= free {
            plan.count += groups;
        }
        plan.count += self.method.memory_needed(entries, vertices);
        let phases = [
            (Phase::Upload, plan.upload),
            (Phase::Orient, plan.orient),
            (Phase::Clean, plan.clean),
            (Phase::Count, plan.count),
        ]
        .map(|(phase, bytes)| PhaseMemory { phase: phase.name(), bytes });
        Ok(Some(DeviceMemory { free, phases: phases.to_vec() }))
    }
}
