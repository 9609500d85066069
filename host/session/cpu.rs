//! The forward method on all CPU threads.

use std::time::Instant;

use super::engine::Engine;
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineCount, EngineSeconds};
use crate::graph::{OrientedGraph, Summary};
use crate::methods::forward;
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
    Ok(EngineCount {
        triangles,
        summary,
        seconds: EngineSeconds {
            upload: 0.0,
            clean: times.clean.as_secs_f64(),
            orient: times.orient.as_secs_f64(),
            count: start.elapsed().as_secs_f64(),
        },
        ..EngineCount::default()
    })
}
