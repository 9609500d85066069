//! The forward method on all CPU threads.

use super::engine::{Engine, SharedCount, SharedRows};
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineCount, EngineSeconds};
use crate::plan::{Explanation, time as predicted};
use crate::{Graph, Result};
use std::time::Instant;
use tribin_cpu::forward;
use tribin_cpu::prepare::{Prepared, prepare_until};

/// [`forward::cpu`](tribin_cpu::forward) as an [`Engine`].
pub struct OnCpu;

impl Engine for OnCpu {
    fn name(&self) -> &str {
        "forward"
    }

    /// The order of the vertices follows from the entries alone, so that all processes have the same rows and tasks.
    fn count_share(
        &self,
        graph: &Graph,
        shared: &SharedCount<'_>,
        _: &CountOptions,
        context: &Context,
    ) -> Result<Option<EngineCount>> {
        context.phase(Phase::Orient);
        let Prepared { oriented, figures, time } =
            prepare_until(graph.edges(), graph.vertex_bound(), context)
                .map_err(|error| error.of(graph.name()))?;
        let rows = SharedRows { hash: 0, free: u64::MAX };
        if (shared.agree)(Some(rows))?.is_none() {
            return Ok(None);
        }
        context.phase(Phase::Count);
        let start = Instant::now();
        let share = (shared.number, shared.of);
        let triangles = forward::count_share_until(&oriented, share, context)?;
        let seconds = EngineSeconds {
            orient: time.orient.as_secs_f64(),
            clean: time.clean.as_secs_f64(),
            count: start.elapsed().as_secs_f64(),
            ..EngineSeconds::default()
        };
        Ok(Some(EngineCount { triangles, summary: figures, seconds, ..EngineCount::default() }))
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
