//! What every counting method on a GPU is, and how the methods run that the plan chooses among.

use warpwise_device::launch::Device;

use crate::device_graph::DeviceGraph;
use crate::plan::counting::InPlace;

/// A method that counts the triangles of an oriented graph on a device, where its edges lie. The value itself is the method's settings.
pub trait Method {
    /// Builds what the method needs beside the graph, and counts the triangles that the edges of the graph's share close. A graph of
    /// m < 2³² edges has less than 2⁴⁷ ([`forward_merge`](tribin_kernels::forward::forward_merge) says why). `built` was recorded before
    /// the call. A method that builds something replaces it once that is built. Where a method cannot count a share, the first device
    /// counts all edges and the others none.
    ///
    /// # Errors
    /// What the device reports.
    fn count<D: Device>(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        built: &mut D::Event,
    ) -> Result<u64, D::Error>;
}

/// The triangles that a method counted, and how long that took on the device.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MethodCount {
    /// Triangles.
    pub triangles: u64,
    /// Seconds to build what stands beside the graph.
    pub build: f64,
    /// Seconds to count.
    pub count: f64,
}

/// Builds what a method needs and counts; the time from `start` on is the building's.
///
/// # Errors
/// What the device reports.
pub fn run<M: Method, D: Device>(
    method: &M,
    device: &D,
    graph: &DeviceGraph<D>,
    start: &D::Event,
) -> Result<MethodCount, D::Error> {
    if graph.edges == 0 {
        return Ok(MethodCount::default());
    }
    let mut built = device.record()?;
    let triangles = method.count(device, graph, &mut built)?;
    let counted = device.record()?;
    Ok(MethodCount {
        triangles,
        build: device.seconds_between(start, &built)?,
        count: device.seconds_between(&built, &counted)?,
    })
}

/// Builds what a method that was chosen needs, and counts, as [`run`] does.
///
/// # Errors
/// What the device reports.
pub fn run_in_place<D: Device>(
    method: &InPlace,
    device: &D,
    graph: &DeviceGraph<D>,
    start: &D::Event,
) -> Result<MethodCount, D::Error> {
    match method {
        InPlace::NarrowBloomFilters(settings) => run(settings, device, graph, start),
        InPlace::Segments(settings) => run(settings, device, graph, start),
        InPlace::Merge(settings) => run(settings, device, graph, start),
        InPlace::RowTables(settings) => run(settings, device, graph, start),
        InPlace::BitMatrix(settings) => run(settings, device, graph, start),
    }
}
