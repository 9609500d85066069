//! The forward method on all CPU threads.

use super::engine::Engine;
use crate::control::Phase;
use crate::count::EngineSeconds;
use crate::graph::Summary;
use crate::plan::{Explanation, StepPrediction, time as predicted};

/// [`forward::cpu`](tribin_cpu::forward) as an [`Engine`].
pub struct OnCpu;

impl Engine for OnCpu {
    fn name(&self) -> &str {
        "forward"
    }
}

/// Adds the steps of a count of a graph with these figures on this many threads of CPUs. There is one method, so that nothing is decided.
pub(super) fn add_steps(
    explanation: &mut Explanation,
    summary: &Summary,
    threads: usize,
    seconds: &EngineSeconds,
) {
    let entries = summary.entries();
    add_preparation(explanation, entries, threads, seconds);
    let count = predicted::find_on_cpu(entries, summary.vertices, threads, predicted::CPU_COUNT);
    explanation.step(Phase::Count.name(), StepPrediction::on_cpu(count), seconds.count);
}

/// Adds the first of these steps: all that is done before the count.
pub(super) fn add_preparation(
    explanation: &mut Explanation,
    entries: u64,
    threads: usize,
    seconds: &EngineSeconds,
) {
    let prepare = predicted::prepare_on_cpu(entries, threads);
    explanation.step(
        Phase::Orient.name(),
        StepPrediction::on_cpu(prepare),
        seconds.orient + seconds.clean,
    );
}
