//! The sum of what the blocks of a counting kernel found.

use std::ops::Range;

use tribin_kernels::forward::TOTALS;
use warpwise_device::launch::{Buffer, Device, ViewMut};

use crate::device_graph::DeviceGraph;

/// The triangles that a kernel adds to its totals for the edges that a device counts: a launch for each range of
/// their places.
///
/// The sum is below 2⁴⁷ for a graph of less than 2³² edges ([`forward_merge`](tribin_kernels::forward::forward_merge) says why).
///
/// # Errors
/// What the device reports.
pub fn sum_of<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    mut launch: impl FnMut(Range<u64>, ViewMut<'_, u64, D>) -> Result<(), D::Error>,
) -> Result<u64, D::Error> {
    let ranges = graph.counted_in_place();
    if ranges.is_empty() {
        return Ok(0);
    }
    let mut totals = Buffer::zeroed(device, TOTALS)?;
    for range in ranges {
        launch(range, totals.view_mut())?;
    }
    Ok(totals.to_vec(device)?.iter().sum())
}
