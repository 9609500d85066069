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

use tribin_device::launch::{Device, Shape};
use tribin_kernels::live_edges::BLOCK;

/// Blocks a multiprocessor of the kernels that stride over edges or vertices.
const BLOCKS: u32 = 32;

/// Bytes that allocations are rounded up by.
const ROUNDING: u64 = 4 << 10;

/// Blocks that give every one of `items` a thread, or stride.
fn over<D: Device>(device: &D, items: u64) -> Shape {
    Shape::cover(items, BLOCK, device.multiprocessors() * BLOCKS)
}
