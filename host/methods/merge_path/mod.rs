//! Counting on the GPU by intersect path (paper 001): the two lists of an edge are walked by as many lanes
//! as their length calls for, each with an equal share ([`merge_path`](tribin_kernels::merge_path)).

use tribin_device::launch::{Device, Shape};
use tribin_kernels::merge_path::{BLOCK, SHARED_BYTES, merge_path};

use super::totals;
use crate::graph::DeviceGraph;

/// How the lists of an edge are shared out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shares {
    /// Steps of a lane, at least one.
    pub steps: u32,
    /// Lists of at most so many entries together are walked by one lane from device memory.
    pub lane_most: u32,
}

impl Default for Shares {
    /// The fastest on the graphs of docs/measured.md.
    fn default() -> Self {
        Shares { steps: 14, lane_most: 64 }
    }
}

/// Counts the triangles of an oriented graph on the device, with no memory beside the graph but a few
/// kilobytes of totals.
///
/// O(Σ |lists| / (lanes · `steps`)) turns of a warp, with a binary search a turn and a lane. The count
/// is below 2⁴⁷ for m < 2³² edges (`forward_merge` says why).
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If `shares.steps` is 0.
pub fn count_oriented<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    shares: Shares,
) -> Result<u64, D::Error> {
    let m = graph.edges;
    totals::sum_of(device, m, |totals| {
        merge_path(
            device,
            Shape::cover(m, BLOCK, u32::MAX).shared(SHARED_BYTES),
            graph.tails.view(),
            graph.heads.view(),
            graph.rows.view().cast(),
            totals,
            m,
            shares.steps,
            shares.lane_most,
        )
    })
}
