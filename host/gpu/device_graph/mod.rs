//! Graphs in device memory, and the edges that others hold there.

mod device_edges;
mod edge_share;
mod rows_on_device;

pub use device_edges::{DeviceColumn, DeviceEdges, DeviceIds};
pub use edge_share::EdgeShare;
pub use rows_on_device::*;
