//! From entries to a graph on the device, or to one in host memory that the device has no room for.

use super::{Accelerator, DrivenDevice, beside_graph};
use crate::control::{Context, Phase};
use crate::plan::memory::{MAX_ENTRIES, MemoryPlan};
use crate::plan::{
    BesideGraph, Decision, Explanation, Preparer, StepPrediction, Task, WHO_PREPARES, preparer,
    time,
};
use crate::{Error, Graph, Result};
use tribin_base::par::Pool;
use tribin_cpu::prepare::{Prepared, prepare_until};
use tribin_gpu::prepare::{self, OnDevice};

/// A graph in host memory that does not fit a device.
pub struct TooLarge {
    pub prepared: Prepared,
    /// Who prepared the graph, and why.
    pub decisions: Vec<Decision>,
    /// Bytes of device memory that the graph needs.
    pub needed: u64,
    /// Bytes that may be used.
    pub free: u64,
}

/// A graph that was prepared for a device, where it lies.
pub enum PreparedPlace<D: Accelerator> {
    /// The whole graph is on the device.
    OnDevice(OnDevice<D>),
    /// The graph is in host memory, since the device has no room for it.
    OnHost(TooLarge),
}

impl<D: Accelerator> DrivenDevice<D> {
    /// Prepares a graph in a job of the device, whose host work runs on `pool`. Where the device has no room for the sort, the
    /// CPU prepares the graph.
    pub fn prepare(
        &self,
        (device, pool): (&D, &Pool),
        graph: &Graph,
        task: Task,
        context: &Context,
    ) -> Result<PreparedPlace<D>> {
        context.cancel().check()?;
        context.phase(Phase::Count);
        let (entries, bound) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
        let beside = |edges| match task.names_vertices() {
            true => beside_graph(edges, bound),
            false => BesideGraph::default(),
        };
        // The last step is the count, which is not a part of preparing.
        let counting = u64::from(!task.names_vertices());
        device.take_peak_memory()?;
        let free = self.free_beside(device, 0)?;
        let placed = preparer(entries, bound, beside(entries), free);
        if placed.choice == Preparer::Device {
            device.expect_bytes(MemoryPlan::new(entries, bound).peak());
            context.work().begin((2 + counting) * prepare::STEP);
            let ready = prepare::prepare(device, graph, task, context.work());
            let mut ready = ready.map_err(|error| -> Error { error.into() })?;
            ready.decisions.insert(0, placed.decision(WHO_PREPARES));
            return Ok(PreparedPlace::OnDevice(ready));
        }
        context.phase(Phase::Orient);
        for reason in placed.rejected.iter().flat_map(|rejected| &rejected.because) {
            tracing::info!("{}: prepared on the CPU: {reason}", graph.name());
        }
        let prepared =
            pool.install(|| prepare_until(graph.edges(), graph.vertex_bound(), context))?;
        let edges = prepared.figures.edges;
        // Where the results do not fit beside the graph, parts of it do.
        let BesideGraph { kept, results } = beside(edges);
        let needed = MemoryPlan::prepared(edges, bound).peak() + kept + results;
        if edges > MAX_ENTRIES || needed > free {
            let decisions = vec![placed.decision(WHO_PREPARES)];
            return Ok(PreparedPlace::OnHost(TooLarge { prepared, decisions, needed, free }));
        }
        context.cancel().check()?;
        context.phase(Phase::Count);
        context.work().begin((1 + counting) * prepare::STEP);
        let Prepared { oriented, figures, seconds } = &prepared;
        let ready =
            pool.install(|| prepare::upload_prepared(device, oriented, (*figures, *seconds), task));
        let mut ready = ready.map_err(|error| -> Error { error.into() })?;
        context.work().add(prepare::STEP);
        ready.decisions.insert(0, placed.decision(WHO_PREPARES));
        ready.preparer = placed.choice;
        Ok(PreparedPlace::OnDevice(ready))
    }

    /// The decisions and steps that led to a graph on the device, and the bytes that it is predicted to keep.
    pub(super) fn explain_preparation(&self, ready: &OnDevice<D>) -> (Explanation, u64) {
        let decisions = ready.decisions.clone();
        let mut explanation = Explanation { decisions, ..Explanation::default() };
        let bound = ready.graph.rows.len() / 2;
        let kept = 4 * ready.graph.vertex_of_rank.len();
        let (entries, edges) = (ready.figures.entries(), ready.figures.edges);
        let seconds = &ready.seconds;
        let plan = match ready.preparer {
            Preparer::Device => {
                let plan = match ready.order {
                    Some(order) => MemoryPlan::for_order(entries, bound, order),
                    None => MemoryPlan::new(entries, bound),
                };
                let predicted =
                    |seconds, bytes: u64| StepPrediction::on_device(seconds, bytes + kept);
                let upload = predicted(time::upload_entries(entries), plan.upload);
                explanation.step(Phase::Upload.name(), upload, seconds.upload);
                let orient = predicted(time::orient(entries), plan.orient);
                explanation.step(Phase::Orient.name(), orient, seconds.orient);
                let clean = predicted(time::clean(entries), plan.clean);
                explanation.step(Phase::Clean.name(), clean, seconds.clean);
                plan
            }
            Preparer::Host => {
                let plan = MemoryPlan::prepared(edges, bound);
                let threads = tribin_base::par::threads();
                let prepare = StepPrediction::on_cpu(time::prepare_on_cpu(entries, threads));
                let took = seconds.orient + seconds.clean;
                explanation.step(Phase::Orient.name(), prepare, took);
                let upload = StepPrediction::on_device(time::upload(8 * edges), plan.upload + kept);
                explanation.step(Phase::Upload.name(), upload, seconds.upload);
                plan
            }
        };
        (explanation, plan.count + kept)
    }
}
