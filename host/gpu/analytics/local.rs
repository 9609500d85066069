//! Triangles of every vertex on the GPU, from the support of the edges.

use tribin_analytics::Local;
use tribin_kernels::vertex_results::{by_vertex, vertex_triangles};
use warpwise_device::launch::{Buffer, Device};

use super::over;
use crate::device_graph::DeviceGraph;

/// Bytes of device memory that [`local_counts`] takes beside graph and support.
pub fn memory_needed(ranks: u64) -> u64 {
    8 * ranks + 8 * ranks + 4 * ranks + 4 * ranks
}

/// Degree and triangles of every vertex, from the support of the edges.
///
/// O(m + n) work; memory: [`memory_needed`].
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If the graph came without the vertex of each rank.
pub fn local_counts<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    support: &Buffer<u32, D>,
) -> Result<Local, D::Error> {
    let (m, n) = (graph.edges, graph.rows.len() / 2);
    assert_eq!(graph.vertex_of_rank.len(), n, "prepared without vertices");
    if n == 0 {
        return Ok(Local::without_edges(0));
    }
    let mut twice = Buffer::zeroed(device, n)?;
    vertex_triangles(
        device,
        over(device, m),
        graph.tails.view(),
        graph.heads.view(),
        support.view(),
        twice.view_mut(),
        m,
    )?;
    let counted = graph.missing_degrees(device)?;
    let degree_of_rank = counted.as_ref().unwrap_or(&graph.degree_of_rank);
    let mut triangles = Buffer::uninitialized(device, n)?;
    let mut degrees = Buffer::uninitialized(device, n)?;
    by_vertex(
        device,
        over(device, n),
        graph.vertex_of_rank.view(),
        twice.view(),
        degree_of_rank.view(),
        triangles.view_mut(),
        degrees.view_mut(),
        n,
    )?;
    Ok(Local::of_vertices(degrees.to_vec(device)?, triangles.to_vec(device)?))
}
