//! The summary of a graph, from the degrees that are on the device.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::figures;

use crate::graph::{DeviceGraph, Summary};

/// The figures of the graph.
///
/// # Errors
/// What the device reports.
pub fn summary<D: Device>(device: &D, graph: &DeviceGraph<D>) -> Result<Summary, D::Error> {
    let mut figures = summary_of_degrees(device, &graph.degree_of_rank)?;
    figures.edges = graph.edges;
    figures.self_loops_dropped = graph.self_loops;
    figures.duplicates_dropped = graph.duplicates;
    // A key has no bit for the direction of its entry.
    figures.reciprocal_dropped = (graph.duplicates == 0).then_some(0);
    Ok(figures)
}

/// The figures of a graph of these degrees, without those of its edges.
///
/// # Errors
/// What the device reports.
pub fn summary_of_degrees<D: Device>(
    device: &D,
    degrees: &Buffer<u32, D>,
) -> Result<Summary, D::Error> {
    let degrees = degrees.view();
    let mut sums = Buffer::zeroed(device, figures::FIGURES)?;
    let shape = Shape::cover(degrees.len(), figures::BLOCK, device.multiprocessors() * 8);
    figures::graph_figures(device, shape, degrees, sums.view_mut(), degrees.len())?;
    let sums = sums.to_vec(device)?;
    let sum = |figure: u64| sums[figure as usize];
    Ok(Summary {
        vertices: sum(figures::VERTICES),
        wedges: u128::from(sum(figures::WEDGES_LOW))
            + (u128::from(sum(figures::WEDGES_HIGH)) << 32),
        max_degree: sum(figures::MAX_DEGREE),
        ..Summary::default()
    })
}
