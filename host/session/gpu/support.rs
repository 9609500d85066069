//! The support of every edge of a graph on the device.

use tribin_device::launch::Buffer;

use super::{Accelerator, DrivenDevice};
use crate::Result;
use crate::analytics::gpu::support::{self as support_gpu, Method, edge_support};
use crate::graph::device_graph::DeviceGraph;

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
        let grouped = support_gpu::memory_needed(graph.edges, graph.rows.len() / 2);
        let support = || {
            let method = match self.fits(device, graph, grouped) {
                Ok(free) => Method::for_graph(device, graph, free.saturating_sub(beside))?,
                Err(_) => Method::Merge,
            };
            Ok(edge_support(device, graph, &method)?.per_edge)
        };
        support().map_err(|error: D::Error| error.into())
    }
}
