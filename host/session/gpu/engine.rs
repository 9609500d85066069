//! What one device does of what an engine is asked.

use std::sync::Arc;
use std::time::Instant;

use super::predicted_memory::predicted_parts;
use super::prepare::PreparedPlace;
use super::{Accelerator, DrivenDevice, GpuGraph, beside_graph};
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineCount};
use crate::graph::{EdgeBlocks, Summary};
use crate::plan::making::{Maker, MakingFacts, WHO_MAKES, maker};
use crate::plan::memory::{MAX_ENTRIES, MemoryPlan};
use crate::plan::{BesideGraph, Decision, Preparer, Task, WHO_PREPARES, preparer};
use crate::resident::ResidentGraph;
use crate::{Error, Graph, Result};
use tribin_gpu::prepare;
use tribin_gpu::prepare::directions;

/// Prepares a graph, and keeps it on the device, or in host memory where the device has no room for it.
pub(crate) fn hold<D: Accelerator>(
    own: &Arc<DrivenDevice<D>>,
    graph: &Graph,
    context: &Context,
) -> Result<Box<dyn ResidentGraph>> {
    let start = Instant::now();
    let ready = own.driver.run_beside_threads(|device, pool| {
        own.prepare((device, pool), graph, Task::AtVertices, context)
    })?;
    let took = start.elapsed();
    let tell = |figures: &mut Summary| directions::tell(graph.edges(), figures);
    Ok(match ready {
        PreparedPlace::OnDevice(mut on_device) => {
            tell(&mut on_device.figures);
            GpuGraph::held(own.clone(), on_device, None, took)
        }
        PreparedPlace::OnHost(mut too_large) => {
            tell(&mut too_large.prepared.figures);
            Box::new(too_large.in_parts(own.clone()))
        }
    })
}

/// Takes a graph that the CPU prepared; `None` where the device has no room for it and the results.
pub(crate) fn take<D: Accelerator>(
    own: &Arc<DrivenDevice<D>>,
    prepared: &dyn ResidentGraph,
    context: &Context,
) -> Result<Option<Box<dyn ResidentGraph>>> {
    context.cancel().check()?;
    let (oriented, figures, times) = (prepared.host()?, prepared.summary(), prepared.times());
    let (edges, bound) = (figures.edges, oriented.vertices() as u64);
    let BesideGraph { kept, results } = beside_graph(edges, bound);
    let needed = MemoryPlan::prepared(edges, bound).peak() + kept + results;
    if edges > MAX_ENTRIES {
        return Ok(None);
    }
    let on_device = own.driver.run(|device| {
        if needed > own.free_beside(device, 0)? {
            return Ok(None);
        }
        let uploaded =
            prepare::upload_prepared(device, &oriented, (figures, times), Task::AtVertices);
        uploaded.map(Some).map_err(|error| -> Error { error.into() })
    })?;
    let Some(on_device) = on_device else { return Ok(None) };
    let took = times.orient + times.clean;
    Ok(Some(GpuGraph::held(own.clone(), on_device, None, took)))
}

impl<D: Accelerator> DrivenDevice<D> {
    /// Prepares a graph and counts it, as one job of the device.
    pub(crate) fn count_graph(
        self: &Arc<Self>,
        graph: &Graph,
        options: &CountOptions,
        context: &Context,
    ) -> Result<EngineCount> {
        let counted = self.driver.run_beside_threads(|device, pool| -> Result<_> {
            match self.prepare((device, pool), graph, Task::Count, context)? {
                PreparedPlace::OnDevice(ready) => {
                    self.count(device, &ready, options, context).map(Ok)
                }
                PreparedPlace::OnHost(too_large) => Ok(Err(too_large)),
            }
        })?;
        let mut found = match counted {
            Ok(found) => found,
            Err(too_large) => {
                let needed = too_large.needed;
                tracing::info!(
                    "{}: counted in parts: {needed} bytes of device memory",
                    graph.name()
                );
                too_large.in_parts(self.clone()).count(context)?
            }
        };
        directions::tell(graph.edges(), &mut found.summary);
        Ok(found)
    }

    /// Counts a graph of which the device makes the entries. Other graphs come through the host's memory.
    pub(crate) fn count_formula(
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
        self.driver.run(|device| {
            device.take_peak_memory()?;
            let free = self.free_beside(device, 0)?;
            let placed = preparer(entries, bound, BesideGraph::default(), free);
            if placed.choice != Preparer::Device || maker.choice != Maker::Devices {
                return Ok(None);
            }
            device.expect_bytes(MemoryPlan::new(entries, bound).peak());
            context.work().begin(2 * prepare::STEP);
            let ready = prepare::prepare_formula(device, formula, [entries, bound]);
            let mut ready = ready.map_err(|error| -> Error { error.into() })?;
            context.work().add(prepare::STEP);
            let decided = [placed.decision(WHO_PREPARES), maker.decision(WHO_MAKES)];
            ready.decisions.splice(0..0, decided);
            let mut found = self.count(device, &ready, options, context)?;
            if found.summary.duplicates_dropped == 0 {
                found.summary.reciprocal_dropped = Some(0);
            }
            Ok(Some(found))
        })
    }

    /// The decisions that are made before a graph of this size is prepared.
    ///
    /// # Errors
    /// What the device reports.
    pub fn decisions(&self, entries: u64, vertices: u64) -> Result<Vec<Decision>> {
        let free = self.driver.run(|device| self.free_beside(device, 0))?;
        let mut decisions =
            vec![preparer(entries, vertices, BesideGraph::default(), free).decision(WHO_PREPARES)];
        let parts = predicted_parts(entries, vertices, free);
        decisions.extend(parts.map(|sizes| sizes.decision(sizes.parts())));
        Ok(decisions)
    }
}
