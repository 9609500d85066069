//! The support of every edge of a graph on the device.

use warpwise_device::launch::Buffer;

use super::{Accelerator, DrivenDevice, held_bytes, report_choice};
use crate::Result;
use tribin_gpu::analytics::support::{self as support_gpu, SupportGroups, choose, edge_support};
use tribin_gpu::device_graph::DeviceGraph;

impl<D: Accelerator> DrivenDevice<D> {
    /// The support of every edge, counted by merging where groups do not fit, with `beside` more bytes free.
    pub fn find_support(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        beside: u64,
    ) -> Result<Buffer<u32, D>> {
        let merged = support_gpu::memory_needed_to_merge(graph.edges);
        self.fits(device, graph, merged + beside)?;
        let free = self.free_beside(device, held_bytes(graph))?;
        let support = || {
            let chosen = choose(device, graph, free)?;
            report_choice(&self.label, "support is counted by", &chosen);
            edge_support(device, graph, chosen.choice, &SupportGroups::MEASURED)
        };
        support().map_err(|error: D::Error| error.into())
    }
}
