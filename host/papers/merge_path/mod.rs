//! Counting on the GPU by intersect path (paper 001): the two lists of an edge are walked by as many lanes
//! as their length calls for, each with an equal share ([`merge_path`](tribin_kernels::merge_path)).

use tribin_kernels::merge_path::{BLOCK, SHARED_BYTES, merge_path};
use warpwise_device::launch::{Device, Shape};

use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::{Method, totals};
use tribin_gpu::plan::method_time::Rates;

use super::oriented::Predicted;

/// The shares in which the lists of an edge are given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    /// Steps of a lane, at least one.
    pub steps: u32,
    /// Lists with at most this many entries together are walked by one lane from device memory.
    pub lane_most: u32,
}

impl Default for Shares {
    /// The fastest on the graphs of docs/measured.md.
    fn default() -> Self {
        Shares { steps: 14, lane_most: 64 }
    }
}

impl Predicted for Shares {
    /// The rates of the merge of whole rows, which is within a factor of two.
    const RATES: Rates = Rates { build: 0.0, count: 4.0e-12 };

    fn bytes(&self, _: u64, _: u64) -> u64 {
        0
    }
}

impl Method for Shares {
    /// O(Σ |lists| / (lanes · `steps`)) turns of a warp, with a binary search a turn and a lane.
    ///
    /// # Panics
    /// If `steps` is 0.
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        _: &mut D::Event,
    ) -> Result<u64, D::Error> {
        totals::sum_of(device, graph, |edges, totals| {
            merge_path(
                device,
                Shape::cover(edges.end - edges.start, BLOCK, u32::MAX).shared(SHARED_BYTES),
                graph.oriented(),
                totals,
                edges.start,
                edges.end,
                self.steps,
                self.lane_most,
            )
        })
    }
}
