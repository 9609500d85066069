//! Forward counting on the GPU from the edges to the count: the whole of paper 004.

use tribin_device::launch::Device;

use crate::Graph;
use crate::graph::Summary;
use crate::methods::Method;
use crate::plan::counting::CountShape;
use crate::prepare::{GpuSeconds, OnDevice, prepare, upload_prepared};
use tribin_cpu::prepare::Prepared;

/// What was counted, and how long each phase took on the device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GpuCount {
    /// Triangles.
    pub triangles: u64,
    /// The graph's figures.
    pub figures: Summary,
    /// Seconds of each phase.
    pub seconds: GpuSeconds,
}

/// Counts the triangles of a graph whose entries are in host memory.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`MAX_ENTRIES`](crate::plan::memory::MAX_ENTRIES) entries.
pub fn count<D: Device>(device: &D, graph: &Graph) -> Result<GpuCount, D::Error> {
    count_ready(device, prepare(device, graph)?)
}

/// Counts the triangles of a graph that the CPU cleaned and oriented.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`MAX_ENTRIES`](crate::plan::memory::MAX_ENTRIES) edges.
pub fn count_prepared<D: Device>(device: &D, prepared: &Prepared) -> Result<GpuCount, D::Error> {
    count_ready(device, upload_prepared(device, prepared)?)
}

/// Counts and times what is ready.
fn count_ready<D: Device>(device: &D, ready: OnDevice<D>) -> Result<GpuCount, D::Error> {
    let OnDevice { graph, figures, mut seconds, .. } = ready;
    let start = device.record()?;
    let triangles = CountShape::default().count(device, &graph, &())?;
    let counted = device.record()?;
    seconds.count = device.seconds_between(&start, &counted)?;
    Ok(GpuCount { triangles, figures, seconds })
}
