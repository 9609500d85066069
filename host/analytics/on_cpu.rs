//! All results on all CPU threads.

use super::cpu::support;
use super::engine::Engine;
use crate::graph::OrientedGraph;
use crate::{Result, device};

/// The CPU's methods as an [`Engine`].
pub(super) struct OnCpu;

impl Engine for OnCpu {
    fn name(&self) -> &str {
        "forward"
    }

    fn device(&self) -> String {
        "cpu".into()
    }

    fn device_name(&self) -> String {
        device::cpu::name()
    }

    fn support(&self, graph: &OrientedGraph) -> Result<Vec<u32>> {
        Ok(support::support(graph))
    }

    fn triangles(&self, graph: &OrientedGraph) -> Result<Vec<u64>> {
        Ok(support::triangles(graph))
    }
}
