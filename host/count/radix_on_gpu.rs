//! The radix binning engine of a GPU.

use tribin_device::launch::{Buffer, Device};

use super::engine::{
    Binning, Context, DeviceMemory, Engine, EngineCount, EngineSeconds, Phase, PhaseMemory, Stats,
};
use super::radix;
use crate::device::counted::Counted;
use crate::device::cuda::Gpu;
use crate::methods::radix_binning::{self, Options, Orientation};
use crate::plan::radix_memory::RadixMemory;
use crate::{Error, Graph, Result};

/// Algorithms 1 and 2 of paper 003 as an [`Engine`].
pub(super) struct RadixOnGpu {
    gpu: Gpu,
    options: Options,
    memory_limit: Option<u64>,
}

impl RadixOnGpu {
    pub fn new(gpu: Gpu, orientation: Orientation, memory_limit: Option<u64>) -> Self {
        RadixOnGpu { gpu, options: Options::of(orientation), memory_limit }
    }

    /// Bytes that may be used.
    fn usable(&self) -> Result<u64> {
        let free = self.gpu.free_memory()?;
        Ok(self.memory_limit.unwrap_or(free / 4 * 3).min(free))
    }

    /// The engine's options for a graph, with the budget that the graph leaves to the batches.
    fn options_for(&self, graph: &Graph) -> Result<Options> {
        let entries = graph.edges().len() as u64;
        let most = radix_binning::most_entries(self.options.orientation);
        if entries > most {
            return Err(Error::Input {
                file: graph.name().to_owned(),
                message: format!(
                    "{entries} edge entries are more than the {most} that the radix engine takes: \
                     use `--engine auto`"
                ),
            });
        }
        let usable = self.usable()?;
        let plan = RadixMemory::new(entries, graph.vertex_bound() as u64, &self.options);
        if plan.peak() > usable {
            return Err(Error::DeviceMemory {
                needed: plan.peak(),
                free: usable,
                device: self.device_name(),
            });
        }
        Ok(Options { memory: usable - plan.graph, ..self.options })
    }
}

impl Engine for RadixOnGpu {
    fn name(&self) -> &str {
        "radix"
    }

    fn device(&self) -> String {
        format!("gpu:{}", self.gpu.info().ordinal)
    }

    fn device_name(&self) -> String {
        self.gpu.info().name.clone()
    }

    fn count(&self, graph: &Graph, context: &Context) -> Result<EngineCount> {
        let options = self.options_for(graph)?;
        context.phase(Phase::Count);
        let device = &Counted::new(&self.gpu);
        let start = device.mark()?;
        let mut edges = Buffer::uninitialized(device, graph.edges().len() as u64)?;
        edges.upload_bytes(device, 0, bytemuck::cast_slice(graph.edges()))?;
        let uploaded = device.mark()?;
        let bound = graph.vertex_bound() as u64;
        let count = radix::count_uploaded(device, edges, bound, &options)?;
        Ok(EngineCount {
            triangles: count.triangles,
            figures: count.figures,
            seconds: EngineSeconds {
                upload: device.seconds_between(&start, &uploaded)?,
                orient: count.seconds.orient,
                clean: count.seconds.clean,
                count: count.seconds.candidates + count.seconds.intersect,
            },
            binning: Some(Binning {
                candidates: count.candidates,
                launches: count.launches,
                stats: Stats { batches: count.batches, levels: count.levels },
            }),
        })
    }

    fn device_memory(&self, entries: u64, vertices: u64) -> Result<Option<DeviceMemory>> {
        let plan = RadixMemory::new(entries, vertices, &self.options);
        let phases = [
            (Phase::Upload, plan.upload),
            (Phase::Orient, plan.orient),
            (Phase::Clean, plan.clean),
            (Phase::Count, plan.graph + plan.least_batch),
        ]
        .map(|(phase, bytes)| PhaseMemory { phase: phase.name(), bytes });
        Ok(Some(DeviceMemory { free: self.usable()?, phases: phases.to_vec() }))
    }
}
