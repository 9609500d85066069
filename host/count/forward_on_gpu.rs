//! The forward method on a GPU.

use super::engine::{Context, Engine, EngineCount, EngineSeconds, Phase};
use crate::device::cuda::{self, Gpu};
use crate::engine::forward_gpu;
use crate::{Error, Graph, Result};

/// Why no GPU can be used.
pub(super) enum Unusable {
    /// There is none, or no driver for it: nothing is broken.
    Absent(String),
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
            Unusable::Failed(error) => error,
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
    let ordinal = match ordinal {
        Some(ordinal) => ordinal as usize,
        None => {
            let first = gpus.iter().find(|gpu| gpu.is_supported()).or(gpus.first());
            first.ok_or_else(|| Unusable::Absent("the NVIDIA driver finds no GPU".into()))?.ordinal
        }
    };
    let gpu = Gpu::open(ordinal).map_err(Unusable::Failed)?;
    Ok(Box::new(ForwardOnGpu { gpu, memory_limit }))
}

/// [`crate::engine::forward_gpu`] as an [`Engine`].
struct ForwardOnGpu {
    gpu: Gpu,
    memory_limit: Option<u64>,
}

impl ForwardOnGpu {
    /// What does not fit is told before anything is allocated.
    fn check(&self, graph: &Graph) -> Result<()> {
        let entries = graph.edges().len() as u64;
        let device = self.device_name();
        if entries > forward_gpu::MOST_ENTRIES {
            return Err(Error::Input {
                file: graph.name().to_owned(),
                message: format!(
                    "{entries} edge entries are more than the {} that the GPU engine takes: count \
                     on the CPU with `--device cpu`",
                    forward_gpu::MOST_ENTRIES
                ),
            });
        }
        let needed = forward_gpu::memory_needed(entries, graph.vertex_bound() as u64);
        let free = self.gpu.free_memory()?.min(self.memory_limit.unwrap_or(u64::MAX));
        if needed > free {
            return Err(Error::DeviceMemory { needed, free, device });
        }
        Ok(())
    }
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
        self.check(graph)?;
        context.phase(Phase::Count);
        let found = forward_gpu::count(&self.gpu, graph)?;
        let seconds = EngineSeconds {
            upload: found.seconds.upload,
            clean: found.seconds.clean,
            orient: found.seconds.orient,
            count: found.seconds.count,
        };
        Ok(EngineCount { triangles: found.triangles, figures: found.figures, seconds })
    }

    fn device_memory(&self, entries: u64, vertices: u64) -> Vec<(Phase, u64)> {
        let peak = forward_gpu::memory_needed(entries, vertices);
        vec![(Phase::Upload, 8 * entries), (Phase::Clean, peak)]
    }
}
