//! Graphs: as they were read, oriented in host memory, and oriented in device memory.

#[cfg(feature = "lab")]
pub mod device_graph;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod device_graph;
mod edge_blocks;
#[cfg(feature = "gpu")]
mod edge_share;
mod edges;
mod names;
mod oriented;
mod reading;
mod summary;
mod vertex_ids;
#[cfg(feature = "gpu")]
mod wide_graph;

#[cfg(feature = "lab")]
pub use device_graph::DeviceGraph;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) use device_graph::DeviceGraph;
pub use edge_blocks::EdgeBlocks;
#[cfg(feature = "lab")]
pub use edge_share::EdgeShare;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) use edge_share::EdgeShare;
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
#[cfg(feature = "lab")]
pub use wide_graph::WideGraph;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) use wide_graph::WideGraph;
