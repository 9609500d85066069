//! The forward method on all CPU threads.

use std::time::Instant;

use rayon::prelude::*;

use super::engine::Engine;
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineCount, EngineSeconds};
use crate::graph::{OrientedGraph, Summary};
use crate::methods::forward;
use crate::plan::{Explanation, time};
use crate::prepare::cpu::{PhaseTimes, Prepared, prepare};
use crate::{Graph, Result};

/// [`forward::cpu`] as an [`Engine`].
pub(crate) struct OnCpu;

impl Engine for OnCpu {
    fn name(&self) -> &str {
        "forward"
    }

    fn count(&self, graph: &Graph, _: &CountOptions, context: &Context) -> Result<EngineCount> {
        context.cancel().check()?;
        context.phase(Phase::Orient);
        let Prepared { oriented, figures, time } = prepare(graph.edges(), graph.vertex_bound());
        count_prepared(&oriented, figures, time, context)
    }
}

/// Counts what is prepared.
pub(crate) fn count_prepared(
    graph: &OrientedGraph,
    summary: Summary,
    times: PhaseTimes,
    context: &Context,
) -> Result<EngineCount> {
    context.cancel().check()?;
    context.phase(Phase::Count);
    let start = Instant::now();
    let triangles = forward::cpu::count_until(graph, context.cancel())?;
    let seconds = EngineSeconds {
        upload: 0.0,
        clean: times.clean.as_secs_f64(),
        orient: times.orient.as_secs_f64(),
        count: start.elapsed().as_secs_f64(),
    };
    let explanation = explain(graph, &summary, &seconds);
    Ok(EngineCount { triangles, summary, seconds, explanation, ..EngineCount::default() })
}

/// The steps of a count on the CPU. There is one method, so that nothing is decided.
fn explain(graph: &OrientedGraph, summary: &Summary, seconds: &EngineSeconds) -> Explanation {
    let threads = rayon::current_num_threads();
    let entries = summary.edges + summary.duplicates_dropped + summary.self_loops_dropped;
    let pairs = |row: &[u64]| {
        let entries = row[1] - row[0];
        entries * entries.saturating_sub(1) / 2
    };
    let wedges = graph.offsets.par_windows(2).map(pairs).sum();
    let mut explanation = Explanation::default();
    let prepare = time::prepare_on_cpu(entries, threads);
    explanation.step(Phase::Orient.name(), (prepare, None), seconds.orient + seconds.clean);
    let count = time::count_on_cpu(wedges, threads);
    explanation.step(Phase::Count.name(), (count, None), seconds.count);
    explanation
}
