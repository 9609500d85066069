//! A graph in host memory that a device does not hold, with a part of its rows there at a time.

use std::sync::Arc;

use super::{Accelerator, Inner, Preparing, TooLarge};
use crate::Result;
use crate::analytics::cpu::truss;
use crate::analytics::{Local, TriangleSource};
use crate::control::{Context, Phase};
use crate::count::{EngineChoice, EngineCount, EngineSeconds};
use crate::device_parts::{EdgeSums, FoundInParts, PartsOnDevice, Sought};
use crate::graph::{OrientedGraph, Summary};
use crate::plan::{Decision, Explanation};
use crate::prepare::cpu::{PhaseTimes, Prepared};
use crate::session::held::Held;

/// The graph, in host memory.
pub(super) struct HeldInParts<D: Accelerator> {
    graph: Arc<OrientedGraph>,
    summary: Summary,
    times: PhaseTimes,
    preparing: Preparing,
    device: Arc<Inner<D>>,
}

impl<D: Accelerator> HeldInParts<D> {
    pub fn new(device: Arc<Inner<D>>, too_large: TooLarge) -> HeldInParts<D> {
        let TooLarge { prepared, preparing, .. } = too_large;
        let Prepared { oriented, figures: summary, time: times } = prepared;
        HeldInParts { graph: Arc::new(oriented), summary, times, preparing, device }
    }

    /// Says what the device does not do.
    fn say_on_cpu(&self, what: &str) {
        let label = &self.device.label;
        tracing::warn!("{label}: the CPU {what}: device memory does not hold the graph");
    }
}

/// A count in parts of a graph in host memory.
pub(super) fn counted(
    found: FoundInParts,
    summary: Summary,
    times: PhaseTimes,
    preparing: Preparing,
) -> EngineCount {
    let decisions = vec![preparing.decision, found.decision];
    let mut explanation = Explanation { decisions, ..Explanation::default() };
    let (orient, clean) = (times.orient.as_secs_f64(), times.clean.as_secs_f64());
    explanation.step(Phase::Orient.name(), preparing.predicted, orient + clean);
    let (predicted, peak) = found.bytes;
    let counting = (found.predicted_seconds, Some(predicted));
    explanation.step(Phase::Count.name(), counting, found.seconds);
    explanation.peak_bytes = peak.max(preparing.peak_bytes);
    let seconds = EngineSeconds { orient, clean, count: found.seconds, ..EngineSeconds::default() };
    EngineCount {
        triangles: found.triangles,
        summary,
        seconds,
        method: Some(EngineChoice::Forward.name()),
        explanation,
        ..EngineCount::default()
    }
}

impl<D: Accelerator> Held for HeldInParts<D> {
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
            self.device.find_in_parts(&*self.graph, Sought::Triangles, u64::MAX, context)?;
        Ok(counted(found, self.summary, self.times, self.preparing.clone()))
    }

    fn support(&self, context: &Context) -> Result<Vec<u32>> {
        context.cancel().check()?;
        let mut edges = EdgeSums::new(&self.graph)?;
        let sought = Sought::OnEdges(&mut edges);
        self.device.find_in_parts(&*self.graph, sought, u64::MAX, context)?;
        Ok(edges.sums)
    }

    fn local(&self, context: &Context) -> Result<Local> {
        context.cancel().check()?;
        let found = self.device.find_in_parts(&*self.graph, Sought::AtRanks, u64::MAX, context)?;
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
