//! What a device does as the engine of a session.

use std::time::{Duration, Instant};

use super::graph_in_parts::GraphInParts;
use super::predicted_memory::predicted_parts;
use super::prepare::TooLarge;
use super::{Accelerator, GpuGraph, OnGpu, beside_graph, method_name};
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineChoice, EngineCount};
use crate::engine::{Engine, FromDevice, SharedCount};
use crate::graph::{EdgeBlocks, Summary};
use crate::plan::making::{Maker, MakingFacts, WHO_MAKES, maker};
use crate::plan::memory::{MAX_ENTRIES, MemoryPlan};
use crate::plan::{Decision, DeviceMemory, Preparer, Task, WHO_PREPARES, preparer};
use crate::resident::ResidentGraph;
use crate::{Error, Graph, Result};
use tribin_cpu::prepare::PhaseTimes;
use tribin_gpu::device_graph::DeviceEdges;
use tribin_gpu::prepare::directions;
use tribin_gpu::prepare::{self, OnDevice};
use tribin_parts::PartsOnDevice;

/// A prepared graph, where it is.
enum Ready<D: Accelerator> {
    /// On the device.
    Whole(OnDevice<D>),
    /// On the host.
    InParts(TooLarge),
}

impl<D: Accelerator> Engine for OnGpu<D> {
    fn name(&self) -> &str {
        method_name(EngineChoice::Auto)
    }

    fn device(&self) -> String {
        self.0.label.clone()
    }

    fn device_name(&self) -> String {
        self.0.name.clone()
    }

    fn count(
        &self,
        graph: &Graph,
        options: &CountOptions,
        context: &Context,
    ) -> Result<EngineCount> {
        let count = |device: &D, ready: &OnDevice<D>| self.0.count(device, ready, options, None);
        self.0.prepare_and_count(graph, context, count, |too_large| {
            self.0.count_in_parts(graph, too_large, context)
        })
    }

    fn count_share(
        &self,
        graph: &Graph,
        shared: &SharedCount<'_>,
        options: &CountOptions,
        context: &Context,
    ) -> Result<Option<EngineCount>> {
        let counted = |device: &D, ready| {
            context.cancel().check()?;
            let found = self.0.count_share(device, ready, shared, options);
            context.work().add(prepare::STEP);
            found
        };
        let beyond = |_| (shared.agree)(None).map(|_| None);
        let mut found = self.0.prepare_and(graph, Task::Count, context, counted, beyond)?;
        if let Some(found) = &mut found {
            directions::tell(graph.edges(), &mut found.summary);
        }
        Ok(found)
    }

    /// Counts a graph of which the device makes the entries. Other graphs come through the host's memory.
    fn count_blocks(
        &self,
        blocks: &dyn EdgeBlocks,
        options: &CountOptions,
        context: &Context,
    ) -> Result<Option<EngineCount>> {
        let Some(formula) = blocks.formula() else { return Ok(None) };
        context.cancel().check()?;
        context.phase(Phase::Count);
        let (entries, bound) = (blocks.entries(), blocks.vertices());
        let maker = maker(&MakingFacts { formula: true, entries, vertices: bound, devices: 1 });
        self.0.driver.run(|device| {
            device.take_peak_memory()?;
            let free = self.0.free_beside(device, 0)?;
            let placed = preparer(entries, bound, (0, 0), free);
            if placed.choice != Preparer::Device || maker.choice != Maker::Devices {
                return Ok(None);
            }
            device.expect_bytes(MemoryPlan::new(entries, bound).peak());
            context.work().begin(2 * prepare::STEP);
            let ready = prepare::prepare_formula(device, formula, [entries, bound]);
            let mut ready = ready.map_err(|error| -> Error { error.into() })?;
            context.work().add(prepare::STEP);
            context.cancel().check()?;
            let decided = [placed.decision(WHO_PREPARES), maker.decision(WHO_MAKES)];
            ready.decisions.splice(0..0, decided);
            let mut found = self.0.count(device, &ready, options, None)?;
            context.work().add(prepare::STEP);
            if found.summary.duplicates_dropped == 0 {
                found.summary.reciprocal_dropped = Some(0);
            }
            Ok(Some(found))
        })
    }

    fn prepare(&self, graph: &Graph, context: &Context) -> Result<Box<dyn ResidentGraph>> {
        let start = Instant::now();
        let whole = |_: &D, ready| Ok(Ready::Whole(ready));
        let beyond = |too_large| Ok(Ready::InParts(too_large));
        let ready = self.0.prepare_and(graph, Task::AtVertices, context, whole, beyond)?;
        let all = start.elapsed();
        let tell = |figures: &mut Summary| directions::tell(graph.edges(), figures);
        match ready {
            Ready::Whole(mut on_device) => {
                tell(&mut on_device.figures);
                let clean = Duration::from_secs_f64(on_device.seconds.clean).min(all);
                // The copy is with the rest.
                let times = PhaseTimes { clean, orient: all - clean };
                Ok(GpuGraph::held(self.0.clone(), on_device, None, times))
            }
            Ready::InParts(mut too_large) => {
                tell(&mut too_large.prepared.figures);
                Ok(Box::new(GraphInParts::new(self.0.clone(), too_large)))
            }
        }
    }

    fn parts(&self) -> Option<&dyn PartsOnDevice> {
        Some(&*self.0)
    }

    fn take(
        &self,
        prepared: &dyn ResidentGraph,
        context: &Context,
    ) -> Result<Option<Box<dyn ResidentGraph>>> {
        context.cancel().check()?;
        let (oriented, figures, times) = (prepared.host()?, prepared.summary(), prepared.times());
        let (edges, bound) = (figures.edges, oriented.vertices() as u64);
        let (kept, results) = beside_graph(edges, bound);
        let needed = MemoryPlan::prepared(edges, bound).peak() + kept + results;
        if edges > MAX_ENTRIES {
            return Ok(None);
        }
        let on_device = self.0.driver.run(|device| {
            if needed > self.0.free_beside(device, 0)? {
                return Ok(None);
            }
            let uploaded = prepare::upload_oriented_keeping_vertices(device, &oriented, figures);
            uploaded.map(Some).map_err(|error| -> Error { error.into() })
        })?;
        let Some(mut on_device) = on_device else { return Ok(None) };
        on_device.seconds.orient = times.orient.as_secs_f64();
        on_device.seconds.clean = times.clean.as_secs_f64();
        Ok(Some(GpuGraph::held(self.0.clone(), on_device, None, times)))
    }

    fn prepare_device_edges(
        &self,
        shares: &[DeviceEdges],
        context: &Context,
    ) -> Result<FromDevice> {
        self.take_edges(shares, context)
    }

    fn decisions(&self, entries: u64, vertices: u64) -> Result<Vec<Decision>> {
        let free = self.0.driver.run(|device| self.0.free_beside(device, 0))?;
        let mut decisions = vec![preparer(entries, vertices, (0, 0), free).decision(WHO_PREPARES)];
        let parts = predicted_parts(entries, vertices, free);
        decisions.extend(parts.map(|(sizes, facts)| sizes.decision(&facts, sizes.parts(&facts))));
        Ok(decisions)
    }

    fn device_memory(
        &self,
        entries: u64,
        vertices: u64,
        options: &CountOptions,
    ) -> Result<Option<DeviceMemory>> {
        self.0.predicted_memory(entries, vertices, options).map(Some)
    }
}
