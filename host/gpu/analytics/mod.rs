//! Analytics on a GPU.

pub mod cliques;
pub mod cores;
pub mod directed;
pub mod list;
pub mod local;
pub mod similar;
pub mod support;
pub mod truss;
pub mod weighted;

use tribin_kernels::edge_support;
use tribin_kernels::live_edges::BLOCK;
use warpwise_device::launch::{Buffer, Device, Shape};

use crate::device_graph::DeviceGraph;

/// Blocks a multiprocessor of the kernels that stride over edges or vertices.
const BLOCKS: u32 = 32;

/// Bytes that allocations are rounded up by.
const ROUNDING: u64 = 4 << 10;

/// Blocks that give every one of `items` a thread, or stride.
fn over<D: Device>(device: &D, items: u64) -> Shape {
    Shape::cover(items, BLOCK, device.multiprocessors() * BLOCKS)
}

/// A word with the entries of the longest row.
fn longest_row<D: Device>(device: &D, graph: &DeviceGraph<D>) -> Result<Buffer<u32, D>, D::Error> {
    let ranks = graph.rows.len() / 2;
    let mut longest = Buffer::zeroed(device, 1)?;
    let shape = Shape::cover(ranks, edge_support::BLOCK, device.multiprocessors() * BLOCKS);
    edge_support::longest_row(device, shape, graph.rows.view().cast(), longest.view_mut(), ranks)?;
    Ok(longest)
}
