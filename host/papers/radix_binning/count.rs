//! Radix binning from the edge array to the count: its own preparation, and algorithms 1 and 2.

use warpwise_device::launch::{Buffer, Device};

use super::{Orientation, RadixCount, RadixOptions, count_graph, most_entries};
use tribin_gpu::plan::Task;
use tribin_gpu::plan::preparation::{KeySort, Order};
use tribin_gpu::prepare::both_directions::{clean_both_directions, keys_of_both_directions};
use tribin_gpu::prepare::degrees::DeviceDegrees;
use tribin_gpu::prepare::keys::{OrientedKeys, orient_by};
use tribin_gpu::prepare::rows::clean;
use tribin_gpu::prepare::summary::summary;
use tribin_gpu::prepare::upload::upload_entries;
use tribin_gpu::prepare::vertex_order::VertexOrder;
use tribin_graph::Graph;
use warpwise_device::launch::Metered;

/// Counts the triangles of a graph in host memory.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// As [`count_uploaded`].
pub fn count<D: Device>(
    device: &D,
    graph: &Graph,
    options: &RadixOptions,
) -> Result<RadixCount, D::Error> {
    let device = &Metered::of(device);
    let start = device.record()?;
    let entries = graph.edges();
    let mut edges = Buffer::uninitialized(device, entries.len() as u64)?;
    upload_entries(device, entries, graph.vertex_bound() as u64, &mut edges, |_, _| Ok(()))?;
    let uploaded = device.record()?;
    let mut count = count_uploaded(device, edges, graph.vertex_bound() as u64, options)?;
    count.seconds.upload = device.seconds_between(&start, &uploaded)?;
    Ok(count)
}

/// The edges as keys of ranks by degrees, whatever the degrees are: the paper's candidates follow from them.
fn keys_by_degree<D: Device>(
    device: &D,
    edges: Buffer<u64, D>,
    vertices: u64,
) -> Result<OrientedKeys<D>, D::Error> {
    let mut degrees = DeviceDegrees::zeroed(device, vertices)?;
    degrees.add(device, &edges, 0..edges.len())?;
    let order = VertexOrder { order: Order::Degrees, labels: None };
    orient_by(device, edges, degrees, (order, KeySort::Whole), Task::Count)
}

/// Counts the triangles of a graph whose entries are on the device, two 32-bit vertices a word, every
/// vertex below `bound`.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`most_entries`], or if `options` are out of their documented ranges.
pub fn count_uploaded<'d, D: Device>(
    device: &Metered<D, &'d D>,
    edges: Buffer<u64, Metered<D, &'d D>>,
    bound: u64,
    options: &RadixOptions,
) -> Result<RadixCount, D::Error> {
    options.check();
    let launched_before = device.launches();
    let start = device.record()?;
    let entries = edges.len();
    assert!(entries <= most_entries(options.orientation), "too many entries for 32-bit places");
    let keys = match options.orientation {
        Orientation::Degree => keys_by_degree(device, edges, bound)?,
        Orientation::None => keys_of_both_directions(device, edges, bound)?,
    };
    let oriented = device.record()?;
    let graph = match options.orientation {
        Orientation::Degree => clean(device, keys)?,
        Orientation::None => clean_both_directions(device, keys, entries)?,
    };
    let mut figures = summary(device, &graph, None)?;
    if options.orientation == Orientation::None {
        figures.edges /= 2;
    }
    let cleaned = device.record()?;
    let mut count = count_graph(device, &graph, bound, options)?;
    count.seconds.orient = device.seconds_between(&start, &oriented)?;
    count.seconds.clean = device.seconds_between(&oriented, &cleaned)?;
    Ok(RadixCount { figures, launches: device.launches() - launched_before, ..count })
}
