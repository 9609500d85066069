//! A graph in host memory that a device does not hold, with a part of its rows there at a time.

use std::sync::Arc;

use super::in_parts::counted;
use super::prepare::{Preparing, TooLarge};
use super::{Accelerator, DrivenDevice};
use crate::Result;
use crate::analytics::{Local, TriangleSource};
use crate::control::{Context, Phase};
use crate::count::EngineCount;
use crate::graph::{OrientedGraph, Summary};
use crate::plan::Decision;
use crate::plan::Task;
use crate::resident::ResidentGraph;
use tribin_analytics::cpu::truss;
use tribin_cpu::prepare::{PhaseTimes, Prepared};
use tribin_parts::{EdgeSums, PartsOnDevice};

/// The graph, in host memory.
pub(super) struct GraphInParts<D: Accelerator> {
    graph: Arc<OrientedGraph>,
    summary: Summary,
    times: PhaseTimes,
    preparing: Preparing,
    device: Arc<DrivenDevice<D>>,
}

impl<D: Accelerator> GraphInParts<D> {
    pub fn new(device: Arc<DrivenDevice<D>>, too_large: TooLarge) -> GraphInParts<D> {
        let TooLarge { prepared, preparing, .. } = too_large;
        let Prepared { oriented, figures: summary, time: times } = prepared;
        GraphInParts { graph: Arc::new(oriented), summary, times, preparing, device }
    }

    /// Says what the device does not do.
    fn say_on_cpu(&self, what: &str) {
        let label = &self.device.label;
        tracing::warn!("{label}: the CPU {what}: device memory does not hold the graph");
    }
}

impl<D: Accelerator> ResidentGraph for GraphInParts<D> {
    fn summary(&self) -> Summary {
        self.summary
    }

    fn times(&self) -> PhaseTimes {
        self.times
    }

    fn decisions(&self) -> Vec<Decision> {
        vec![self.preparing.decision.clone()]
    }

    fn host(&self) -> Result<Arc<OrientedGraph>> {
        Ok(self.graph.clone())
    }

    fn count(&self, context: &Context) -> Result<EngineCount> {
        context.cancel().check()?;
        context.phase(Phase::Count);
        let found =
            self.device.find_in_parts(&*self.graph, Task::Count, &mut (), u64::MAX, context)?;
        Ok(counted(found, self.summary, self.times, self.preparing.clone()))
    }

    fn support(&self, context: &Context) -> Result<Vec<u32>> {
        context.cancel().check()?;
        let mut edges = EdgeSums::new(&self.graph)?;
        self.device.find_in_parts(&*self.graph, Task::OnEdges, &mut edges, u64::MAX, context)?;
        Ok(edges.sums)
    }

    fn local(&self, context: &Context) -> Result<Local> {
        context.cancel().check()?;
        let found = self.device.find_in_parts(
            &*self.graph,
            Task::AtVertices,
            &mut (),
            u64::MAX,
            context,
        )?;
        Ok(Local::of_ranks(&self.graph, &found.at_ranks))
    }

    fn triangles(&self, context: &Context) -> Result<Option<Box<dyn TriangleSource + '_>>> {
        context.cancel().check()?;
        self.say_on_cpu("lists the triangles");
        Ok(None)
    }

    fn directed_triangles(&self, _: &[u8], context: &Context) -> Result<Option<Vec<[u64; 4]>>> {
        context.cancel().check()?;
        self.say_on_cpu("finds triangles by direction");
        Ok(None)
    }

    fn triangles_by_directions(&self, _: &[u8], context: &Context) -> Result<Option<[u64; 64]>> {
        context.cancel().check()?;
        self.say_on_cpu("finds triangles by direction");
        Ok(None)
    }

    fn products_of_triangles(&self, _: &[f64], context: &Context) -> Result<Option<Vec<f64>>> {
        context.cancel().check()?;
        self.say_on_cpu("weighs the triangles");
        Ok(None)
    }

    fn trussness(&self, context: &Context) -> Result<Vec<u32>> {
        let support = self.support(context)?;
        self.say_on_cpu("peels the trusses");
        context.phase(Phase::Peel);
        truss::trussness(&self.graph, support, context)
    }

    fn k_truss(&self, k: u32, context: &Context) -> Result<Vec<bool>> {
        let support = self.support(context)?;
        self.say_on_cpu("peels the trusses");
        context.phase(Phase::Peel);
        truss::k_truss(&self.graph, support, k, context)
    }
}
