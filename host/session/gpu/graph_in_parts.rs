//! A graph in host memory that a device does not hold, with a part of its rows there at a time.

use std::sync::Arc;

use super::prepare::{Preparing, TooLarge};
use super::{Accelerator, DrivenDevice};
use crate::Result;
use crate::analytics::Local;
use crate::control::{Context, Phase};
use crate::count::{EngineChoice, EngineCount, EngineSeconds};
use crate::graph::{OrientedGraph, Summary};
use crate::plan::{Explanation, Task};
use crate::resident::{FoundInGraph, Question, ResidentGraph};
use tribin_analytics::cpu::truss;
use tribin_cpu::prepare::{PhaseTimes, Prepared};
use tribin_parts::{EdgeNumbers, EdgeSums, FoundInParts, PartsOnDevice};
use tribin_results::TakeEdges;

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

    fn in_parts(
        &self,
        task: Task,
        on_edges: &mut dyn EdgeNumbers,
        context: &Context,
    ) -> Result<FoundInParts> {
        self.device.find_in_parts(&*self.graph, task, on_edges, u64::MAX, context)
    }

    pub fn count(&self, context: &Context) -> Result<EngineCount> {
        context.phase(Phase::Count);
        let found = self.in_parts(Task::Count, &mut (), context)?;
        let decisions = vec![self.preparing.decision.clone(), found.decision];
        let mut explanation = Explanation { decisions, ..Explanation::default() };
        let [orient, clean] = [self.times.orient, self.times.clean].map(|time| time.as_secs_f64());
        explanation.step(Phase::Orient.name(), self.preparing.predicted, orient + clean);
        let (predicted, peak) = found.bytes;
        let counting = (found.predicted_seconds, Some(predicted));
        explanation.step(Phase::Count.name(), counting, found.seconds);
        explanation.peak_bytes = peak.max(self.preparing.peak_bytes);
        let count = found.seconds;
        Ok(EngineCount {
            triangles: found.triangles,
            summary: self.summary,
            seconds: EngineSeconds { orient, clean, count, ..EngineSeconds::default() },
            method: Some(EngineChoice::Forward.name()),
            explanation,
            ..EngineCount::default()
        })
    }

    fn support(&self, context: &Context) -> Result<Vec<u32>> {
        let mut edges = EdgeSums::new(&self.graph)?;
        self.in_parts(Task::OnEdges, &mut edges, context)?;
        Ok(edges.sums)
    }

    /// The support of every edge, from which the CPU peels trusses.
    fn support_to_peel(&self, context: &Context) -> Result<Vec<u32>> {
        let support = self.support(context)?;
        self.say_on_cpu("peels the trusses");
        context.phase(Phase::Peel);
        Ok(support)
    }
}

impl<D: Accelerator> ResidentGraph for GraphInParts<D> {
    fn summary(&self) -> Summary {
        self.summary
    }

    fn times(&self) -> PhaseTimes {
        self.times
    }

    fn host(&self) -> Result<Arc<OrientedGraph>> {
        Ok(self.graph.clone())
    }

    fn find(&self, wanted: Question<'_>, context: &Context) -> Result<Option<FoundInGraph>> {
        context.cancel().check()?;
        Ok(Some(match wanted {
            Question::Count => FoundInGraph::Count(self.count(context)?.into()),
            Question::OnEdges => FoundInGraph::OnEdges(self.support(context)?),
            Question::AtVertices => {
                let found = self.in_parts(Task::AtVertices, &mut (), context)?;
                FoundInGraph::AtVertices(Local::of_ranks(&self.graph, &found.at_ranks))
            }
            Question::Trussness => {
                let support = self.support_to_peel(context)?;
                FoundInGraph::Trussness(truss::trussness(&self.graph, support, context)?)
            }
            Question::InTruss(k) => {
                let support = self.support_to_peel(context)?;
                FoundInGraph::InTruss(truss::k_truss(&self.graph, support, k, context)?)
            }
            Question::DirectedAtRanks(_) | Question::OfCodes(_) => {
                self.say_on_cpu("finds triangles by direction");
                return Ok(None);
            }
            Question::Products(_) => {
                self.say_on_cpu("weighs the triangles");
                return Ok(None);
            }
            Question::Cores | Question::Degeneracy(_) => return Ok(None),
            Question::Cliques(_) | Question::CliquesAtRanks(_) | Question::CliquesOnEdges(_) => {
                return Ok(None);
            }
        }))
    }

    fn each_triangle(&self, context: &Context, _: &mut TakeEdges<'_>) -> Result<bool> {
        context.cancel().check()?;
        self.say_on_cpu("lists the triangles");
        Ok(false)
    }
}
