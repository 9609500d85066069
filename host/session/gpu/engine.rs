//! What one device does of what an engine is asked.

use std::sync::Arc;
use std::time::Instant;

use super::predicted_memory::predicted_parts;
use super::prepare::{PreparedPlace, TooLarge};
use super::{Accelerator, DrivenDevice, GpuGraph, beside_graph};
use crate::control::Context;
use crate::graph::Summary;
use crate::plan::memory::{MAX_ENTRIES, MemoryPlan};
use crate::plan::{BesideGraph, Decision, Task, WHO_PREPARES, preparer};
use crate::resident::{HostGraph, Parts, ResidentGraph};
use crate::{Error, Graph, Result};
use tribin_gpu::prepare;
use tribin_gpu::prepare::directions;

/// Prepares a graph for a task, and keeps it on the device, or in host memory where the device has no room for it. `decided` is what
/// was decided before.
pub(crate) fn hold<D: Accelerator>(
    own: &Arc<DrivenDevice<D>>,
    graph: &Graph,
    task: Task,
    decided: Option<Decision>,
    context: &Context,
) -> Result<Box<dyn ResidentGraph>> {
    let start = Instant::now();
    let ready = own
        .driver
        .run_beside_threads(|device, pool| own.prepare((device, pool), graph, task, context))?;
    let took = start.elapsed();
    let tell = |figures: &mut Summary| directions::tell(graph.edges(), figures);
    Ok(match ready {
        PreparedPlace::OnDevice(mut on_device) => {
            tell(&mut on_device.figures);
            on_device.decisions.splice(0..0, decided);
            GpuGraph::held(own.clone(), on_device, None, took)
        }
        PreparedPlace::OnHost(TooLarge { mut prepared, decisions, needed, .. }) => {
            tracing::info!("{}: in parts: {needed} bytes of device memory", graph.name());
            tell(&mut prepared.figures);
            let decisions = decided.into_iter().chain(decisions).collect();
            let parts = Parts { device: own.clone(), decisions };
            Box::new(HostGraph::new(prepared, Some(parts)))
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
