//! The forward method on all CPU threads.

use super::engine::Engine;
use super::held::count_prepared;
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineCount, EngineSeconds};
use crate::graph::{OrientedGraph, Summary};
use crate::plan::{Explanation, time as predicted};
use crate::prepare::cpu::{Prepared, prepare_until};
use crate::{Graph, Result};

/// [`forward::cpu`](crate::methods::forward::cpu) as an [`Engine`].
pub(crate) struct OnCpu;

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
            found.explanation = explain(&oriented, &figures, &found.seconds);
        }
        Ok(found)
    }
}

/// The steps of a count on the CPU. There is one method, so that nothing is decided.
fn explain(graph: &OrientedGraph, summary: &Summary, seconds: &EngineSeconds) -> Explanation {
    let threads = rayon::current_num_threads();
    let entries = summary.edges + summary.duplicates_dropped + summary.self_loops_dropped;
    let mut explanation = Explanation::default();
    let prepare = predicted::prepare_on_cpu(entries, threads);
    explanation.step(Phase::Orient.name(), (prepare, None), seconds.orient + seconds.clean);
    let count = predicted::count_on_cpu(summary.edges, graph.wedges(), threads);
    explanation.step(Phase::Count.name(), (count, None), seconds.count);
    explanation
}
