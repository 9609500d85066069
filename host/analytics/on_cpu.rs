//! All results on all CPU threads.

use super::engine::Engine;
use crate::engine::support_cpu;
use crate::orient::Oriented;
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

    fn support(&self, graph: &Oriented) -> Result<Vec<u32>> {
        Ok(support_cpu::support(graph))
    }

    fn triangles(&self, graph: &Oriented) -> Result<Vec<u64>> {
        Ok(support_cpu::triangles(graph))
    }
}
