//! The forward method on all CPU threads.

use super::engine::Engine;
use super::resident::count_prepared;
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineCount, EngineSeconds};
use crate::plan::{Explanation, time as predicted};
use crate::{Graph, Result};
use tribin_cpu::prepare::{Prepared, prepare_until};

/// [`forward::cpu`](tribin_cpu::forward) as an [`Engine`].
pub struct OnCpu;

impl Engine for OnCpu {
    fn name(&self) -> &str {
        "forward"
    }

    fn count(
        &self,
        graph: &Graph,
        options: &CountOptions,
        context: &Context,
    ) -> Result<EngineCount> {
        context.cancel().check()?;
        context.phase(Phase::Orient);
        let Prepared { oriented, figures, time } =
            prepare_until(graph.edges(), graph.vertex_bound(), context)?;
        let mut found = count_prepared(&oriented, figures, time, context)?;
        if options.explain {
            let sizes = (figures.entries(), figures.vertices);
            let threads = tribin_base::par::threads();
            add_steps(&mut found.explanation, sizes, threads, &found.seconds);
        }
        Ok(found)
    }
}

/// Adds the steps of a count of a graph of these numbers of entries and vertices on this many threads of CPUs. There is one method, so that nothing is
/// decided.
pub(super) fn add_steps(
    explanation: &mut Explanation,
    (entries, vertices): (u64, u64),
    threads: usize,
    seconds: &EngineSeconds,
) {
    add_preparation(explanation, entries, threads, seconds);
    let count = predicted::find_on_cpu(entries, vertices, threads, predicted::CPU_COUNT);
    explanation.step(Phase::Count.name(), (count, None), seconds.count);
}

/// Adds the first of these steps: all that is done before the count.
pub(super) fn add_preparation(
    explanation: &mut Explanation,
    entries: u64,
    threads: usize,
    seconds: &EngineSeconds,
) {
    let prepare = predicted::prepare_on_cpu(entries, threads);
    explanation.step(Phase::Orient.name(), (prepare, None), seconds.orient + seconds.clean);
}
