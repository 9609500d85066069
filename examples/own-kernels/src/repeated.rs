//! Launches that are captured once and done many times.

use warpwise_device::launch::{Buffer, Device, LaunchGraph, Shape};

use crate::kernels::stencil::{SHARED_BYTES, TILE, stencil};

/// A field after `2 * pairs` steps of the stencil.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If the field has not `width` by `height` cells.
pub fn smooth<D: Device>(
    device: &D,
    field: &[f32],
    (width, height): (u32, u32),
    weights: [f32; 2],
    pairs: u32,
) -> Result<Vec<f32>, D::Error> {
    let shape = Shape::new((width.div_ceil(TILE), height.div_ceil(TILE)), (TILE, TILE));
    let shape = shape.shared(SHARED_BYTES);
    let mut even = Buffer::from_host(device, field)?;
    let mut odd = Buffer::uninitialized(device, even.len())?;
    let mut graph = LaunchGraph::of(device);
    let mut even = graph.writes(even.view_mut());
    let mut odd = graph.writes(odd.view_mut());
    graph.capture(|graph| {
        stencil(graph, shape, even.view(), odd.view_mut(), width, height, weights)?;
        stencil(graph, shape, odd.view(), even.view_mut(), width, height, weights)
    })?;
    for _ in 0..pairs {
        graph.launch()?;
    }
    even.to_vec(&graph)
}
