//! Graphs: as they were read, oriented in host memory, and oriented in device memory.

mod arcs;
#[cfg(feature = "gpu")]
mod device_edges;
#[cfg(feature = "lab")]
pub mod device_graph;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod device_graph;
mod duplicates;
mod edge_blocks;
#[cfg(feature = "gpu")]
mod edge_share;
mod edge_source;
mod edges;
mod formula;
mod names;
pub(crate) mod oriented;
mod reading;
mod rows;
mod summary;
mod vertex_ids;
#[cfg(feature = "gpu")]
mod wide_graph;

pub(crate) use arcs::{DOWN, Directions, UP, Weights};
#[cfg(feature = "gpu")]
pub use device_edges::{DeviceColumn, DeviceEdges, DeviceIds};
#[cfg(feature = "lab")]
pub use device_graph::DeviceGraph;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) use device_graph::DeviceGraph;
pub use duplicates::Duplicates;
pub use edge_blocks::EdgeBlocks;
#[cfg(feature = "lab")]
pub use edge_share::EdgeShare;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) use edge_share::EdgeShare;
pub(crate) use edge_source::Block;
pub use edge_source::{EdgeSink, EdgeSource, Entries, EntryIds, Named, Visited};
pub use edges::{Edge, Graph};
pub use formula::Formula;
pub(crate) use formula::Model;
#[cfg(feature = "models")]
pub(crate) use formula::check_memory;
pub use names::Names;
pub use oriented::OrientedGraph;
#[cfg(feature = "lab")]
pub use oriented::rank_bits;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) use oriented::rank_bits;
pub use reading::Reading;
pub(crate) use rows::{RowRange, Rows, by_edges};
pub use summary::Summary;
pub use vertex_ids::{VertexId, VertexIds};
#[cfg(feature = "lab")]
pub use wide_graph::WideGraph;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) use wide_graph::WideGraph;
