//! Graphs: as they were read, oriented in host memory, and oriented in device memory.

pub mod device_graph;
mod edges;
mod oriented;
mod summary;
mod vertex_ids;

pub use device_graph::DeviceGraph;
pub use edges::{Edge, Graph};
pub use oriented::{OrientedGraph, rank_bits};
pub use summary::Summary;
pub use vertex_ids::VertexIds;
