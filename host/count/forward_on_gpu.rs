//! The forward method on a GPU.

use super::engine::{
    Context, DeviceMemory, Engine, EngineCount, EngineSeconds, Phase, PhaseMemory,
};
use crate::device::cuda::{self, Gpu};
use crate::engine::forward_gpu::{self, GpuCount, MOST_ENTRIES, MemoryPlan};
use crate::{Error, Graph, Result, orient};

/// Why no GPU can be used.
pub(super) enum Unusable {
    /// There is none, or no driver for it: nothing is broken.
    Absent(String),
    /// It is there, and the kernels do not run on its generation: nothing is broken either.
    TooOld(Error),
    /// It is there, and failed.
    Failed(Error),
}

impl Unusable {
    /// The error for who asked for a GPU.
    pub(super) fn into_error(self) -> Error {
        match self {
            Unusable::Absent(why) => Error::Device(format!(
                "no GPU can be used: {why}; `tribin doctor` says what is missing, `--device cpu` \
                 counts on the CPU"
            )),
            Unusable::TooOld(error) | Unusable::Failed(error) => error,
        }
    }
}

/// Opens a GPU and its forward engine; where `ordinal` is `None`, the first GPU that the kernels run
/// on.
pub(super) fn open(
    ordinal: Option<u32>,
    memory_limit: Option<u64>,
) -> Result<Box<dyn Engine>, Unusable> {
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
    let gpu = Gpu::open(ordinal).map_err(|error| {
        if supported { Unusable::Failed(error) } else { Unusable::TooOld(error) }
    })?;
    Ok(Box::new(ForwardOnGpu { gpu, memory_limit }))
}

/// [`crate::engine::forward_gpu`] as an [`Engine`].
struct ForwardOnGpu {
    gpu: Gpu,
    memory_limit: Option<u64>,
}

impl ForwardOnGpu {
    /// Bytes that may be used.
    fn free(&self) -> Result<u64> {
        Ok(self.gpu.free_memory()?.min(self.memory_limit.unwrap_or(u64::MAX)))
    }

    /// Counts a graph that is too large to be sorted on the GPU: the CPU prepares it.
    fn count_prepared(&self, graph: &Graph, free: u64, context: &Context) -> Result<GpuCount> {
        context.phase(Phase::Orient);
        let prepared = orient::cpu::prepare(graph.edges(), graph.vertex_bound());
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
        forward_gpu::count_prepared(&self.gpu, &prepared)
    }
}

/// Whether everything can happen on the GPU.
fn sortable(entries: u64, plan: MemoryPlan, free: u64) -> bool {
    entries <= MOST_ENTRIES && plan.peak() <= free
}

impl Engine for ForwardOnGpu {
    fn name(&self) -> &str {
        "forward"
    }

    fn device(&self) -> String {
        format!("gpu:{}", self.gpu.info().ordinal)
    }

    fn device_name(&self) -> String {
        self.gpu.info().name.clone()
    }

    fn count(&self, graph: &Graph, context: &Context) -> Result<EngineCount> {
        let entries = graph.edges().len() as u64;
        let free = self.free()?;
        let found =
            if sortable(entries, MemoryPlan::new(entries, graph.vertex_bound() as u64), free) {
                context.phase(Phase::Count);
                forward_gpu::count(&self.gpu, graph)?
            } else {
                self.count_prepared(graph, free, context)?
            };
        let seconds = EngineSeconds {
            upload: found.seconds.upload,
            clean: found.seconds.clean,
            orient: found.seconds.orient,
            count: found.seconds.count,
        };
        Ok(EngineCount { triangles: found.triangles, figures: found.figures, seconds })
    }

    fn device_memory(&self, entries: u64, vertices: u64) -> Result<Option<DeviceMemory>> {
        let free = self.free()?;
        let mut plan = MemoryPlan::new(entries, vertices);
        if !sortable(entries, plan, free) {
            plan = MemoryPlan::prepared(entries, vertices);
        }
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
