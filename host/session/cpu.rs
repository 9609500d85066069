//! The forward method on all CPU threads.

use super::engine::Engine;
use crate::control::Phase;
use crate::count::EngineSeconds;
use crate::graph::Summary;
use crate::plan::{Decision, Explanation, StepPrediction, time};
use tribin_base::par;
use tribin_parts::FoundInParts;

/// [`forward::cpu`](tribin_cpu::forward) as an [`Engine`].
pub struct OnCpu;

impl Engine for OnCpu {
    fn name(&self) -> &str {
        "forward"
    }
}

/// The decisions and the steps of a count of a graph with these figures, which the CPU prepared. It counted all of the graph, by the
/// one method that there is, or a device counted part by part.
pub(super) fn explain(
    decisions: Vec<Decision>,
    summary: &Summary,
    seconds: &EngineSeconds,
    found: &FoundInParts,
) -> Explanation {
    let mut explanation = Explanation { decisions, ..Explanation::default() };
    let (entries, threads) = (summary.entries(), par::threads());
    let prepare = StepPrediction::on_cpu(time::prepare_on_cpu(entries, threads));
    explanation.step(Phase::Orient.name(), prepare, seconds.orient + seconds.clean);
    let on_cpu = || time::find_on_cpu(entries, summary.vertices, threads, time::CPU_COUNT);
    let count = match &found.decision {
        None => StepPrediction::on_cpu(on_cpu()),
        Some(_) => StepPrediction::on_device(found.predicted_seconds, found.predicted_bytes),
    };
    explanation.decisions.extend(found.decision.clone());
    explanation.step(Phase::Count.name(), count, seconds.count);
    explanation.peak_bytes = found.peak_bytes;
    explanation
}
