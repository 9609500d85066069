//! The forward method on all CPU threads.

use std::time::Instant;

use super::engine::{Context, Engine, EngineCount, EngineSeconds, Phase};
use crate::{Graph, Result, device, methods, prepare};

/// [`crate::methods::forward::cpu`] as an [`Engine`].
pub(super) struct ForwardOnCpu;

impl Engine for ForwardOnCpu {
    fn name(&self) -> &str {
        "forward"
    }

    fn device(&self) -> String {
        "cpu".into()
    }

    fn device_name(&self) -> String {
        device::cpu::name()
    }

    fn count(&self, graph: &Graph, context: &Context) -> Result<EngineCount> {
        context.phase(Phase::Orient);
        let prepared = prepare::cpu::prepare(graph.edges(), graph.vertex_bound());
        context.phase(Phase::Count);
        let start = Instant::now();
        let triangles = methods::forward::cpu::count(&prepared.oriented);
        Ok(EngineCount {
            triangles,
            figures: prepared.figures,
            seconds: EngineSeconds {
                upload: 0.0,
                clean: prepared.time.clean.as_secs_f64(),
                orient: prepared.time.orient.as_secs_f64(),
                count: start.elapsed().as_secs_f64(),
            },
            binning: None,
        })
    }
}
