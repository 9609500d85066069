//! The engine, from the entries in host memory to the count.

use std::sync::Arc;

use super::memory::RadixMemory;
use super::{Orientation, RadixCount, RadixOptions, count, most_entries};
use tribin_base::{Context, Error, Message, Phase, Result};
use tribin_count::{CountOptions, EngineCount, EngineSeconds, On};
use tribin_gpu::plan::{Explanation, StepPrediction, time};
use tribin_gpu::prepare::directions;
use tribin_graph::Graph;
use tribin_session::gpu::{Accelerator, DrivenDevice, memory_of_phases};
use tribin_session::{Engine, Foreseen};

/// Radix binning on a GPU.
pub(crate) struct RadixBinning<D: Accelerator> {
    gpu: Arc<DrivenDevice<D>>,
    name: &'static str,
    orientation: Orientation,
}

impl<D: Accelerator> RadixBinning<D> {
    pub fn new(
        gpu: Arc<DrivenDevice<D>>,
        name: &'static str,
        orientation: Orientation,
    ) -> RadixBinning<D> {
        RadixBinning { gpu, name, orientation }
    }

    /// Bytes that may be used: three quarters of those that are free, unless there is a limit.
    fn free(&self, device: &D) -> Result<u64> {
        let free = device.free_memory()?;
        Ok(self.gpu.memory_limit.unwrap_or(free / 4 * 3).min(free))
    }
}

impl<D: Accelerator> Engine for RadixBinning<D> {
    fn name(&self) -> &str {
        self.name
    }

    fn device(&self) -> String {
        self.gpu.label.clone()
    }

    fn device_name(&self) -> String {
        self.gpu.name.clone()
    }

    fn on(&self) -> On {
        On::Gpu
    }

    fn count(&self, graph: &Graph, _: &CountOptions, context: &Context) -> Result<EngineCount> {
        context.cancel().check()?;
        context.phase(Phase::Count);
        let (entries, bound) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
        let most = most_entries(self.orientation);
        if entries > most {
            let message = format!(
                "{entries} edge entries are more than the {most} that the engine `{}` takes",
                self.name()
            );
            let message = Message::from(message).with_hint(": use `--engine auto`");
            return Err(Error::Input { file: graph.name().to_owned(), message });
        }
        let options = RadixOptions::of(self.orientation);
        let gpu = &self.gpu;
        let usable = gpu.driver.run(|device| self.free(device))?;
        let memory = RadixMemory::new(entries, bound, &options);
        if memory.peak() > usable {
            return Err(gpu.too_large(memory.peak(), usable));
        }
        let options = RadixOptions { memory: usable - memory.graph, ..options };
        let on_device = |device: &D| {
            device.take_peak_memory()?;
            let found = count(device, graph, &options);
            let found = found.map_err(|error: D::Error| -> Error { error.into() })?;
            Ok::<_, Error>((found, device.take_peak_memory()?))
        };
        let (count, peak_bytes) = gpu.driver.run(on_device)?;
        let seconds = EngineSeconds {
            upload: count.seconds.upload,
            orient: count.seconds.orient,
            clean: count.seconds.clean,
            count: count.seconds.candidates + count.seconds.intersect,
        };
        let explanation = Explanation {
            peak_bytes,
            ..explain(&count, &seconds, entries, bound, (&memory, &options))
        };
        let mut summary = count.figures;
        directions::tell(graph.edges(), &mut summary);
        Ok(EngineCount {
            triangles: count.triangles,
            summary,
            seconds,
            figures: count.reported(),
            explanation,
            ..EngineCount::default()
        })
    }

    fn foresee(&self, entries: u64, vertices: u64, _: &CountOptions) -> Result<Foreseen> {
        let memory = RadixMemory::new(entries, vertices, &RadixOptions::of(self.orientation));
        let count = memory.graph + memory.least_batch;
        let free = self.gpu.driver.run(|device| self.free(device))?;
        let phases = [memory.upload, memory.orient, memory.clean, count];
        let memory = memory_of_phases(free, phases);
        Ok(Foreseen { memory: Some(memory), ..Foreseen::default() })
    }
}

/// The decision and the steps of radix binning for `entries` entries between vertices below `bound`.
fn explain(
    count: &RadixCount,
    seconds: &EngineSeconds,
    entries: u64,
    bound: u64,
    (memory, options): (&RadixMemory, &RadixOptions),
) -> Explanation {
    let batches = RadixMemory::batches(count.edges, count.candidates, bound, options);
    let decisions = vec![batches.decision("batches of candidates")];
    let mut explanation = Explanation { decisions, ..Explanation::default() };
    let counting = predicted_seconds(count.edges, count.candidates, count.batches);
    for (phase, predicted, bytes, took) in [
        (Phase::Upload, time::upload(8 * entries), memory.upload, seconds.upload),
        (Phase::Orient, time::orient(entries), memory.orient, seconds.orient),
        (Phase::Clean, time::clean(entries), memory.clean, seconds.clean),
        (Phase::Count, counting, memory.graph + batches.bytes, seconds.count),
    ] {
        explanation.step(phase.name(), StepPrediction::on_device(predicted, bytes), took);
    }
    explanation
}

/// Seconds to make and intersect candidates on an NVIDIA H200. Each batch of them passes the edges again.
fn predicted_seconds(edges: u64, candidates: u64, batches: u64) -> f64 {
    const STEP: f64 = 1.0e-4;
    const CANDIDATE: f64 = 2.9e-11;
    let keys = candidates.saturating_add(edges.saturating_mul(batches));
    STEP + keys as f64 * CANDIDATE
}
