//! The forward method on all CPU threads.

use super::engine::Engine;
use super::held::count_prepared;
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineCount};
use crate::prepare::cpu::{Prepared, prepare};
use crate::{Graph, Result};

/// [`forward::cpu`](crate::methods::forward::cpu) as an [`Engine`].
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
