//! Graphs: as they were read, oriented in host memory, and oriented in device memory.

mod arcs;
#[cfg(feature = "lab")]
pub mod device_graph;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod device_graph;
mod duplicates;
mod edges;
mod names;
mod oriented;
mod reading;
mod summary;
mod vertex_ids;

pub(crate) use arcs::{DOWN, Directions, UP, Weights};
#[cfg(feature = "lab")]
pub use device_graph::DeviceGraph;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) use device_graph::DeviceGraph;
pub use duplicates::Duplicates;
pub use edges::{Edge, Graph};
pub use names::Names;
pub use oriented::OrientedGraph;
#[cfg(feature = "lab")]
pub use oriented::rank_bits;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) use oriented::rank_bits;
pub use reading::Reading;
pub use summary::Summary;
pub use vertex_ids::{VertexId, VertexIds};
