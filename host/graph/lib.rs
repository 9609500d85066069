//! Graphs: as they were read, and oriented in host memory.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

mod arcs;
mod duplicates;
mod edge_blocks;
mod edge_source;
mod edges;
pub mod ids;
mod in_memory;
mod names;
pub mod oriented;
mod reading;
mod rows;
mod summary;
mod vertex_ids;

use tribin_base::control;
#[doc(hidden)]
pub use tribin_base::{Error, Message, Result};

pub use arcs::{DOWN, Directions, UP, Weights};
pub use duplicates::Duplicates;
pub use edge_blocks::{BLOCK_ENTRIES, EdgeBlocks, check_memory};
pub use edge_source::Block;
pub use edge_source::{EdgeSink, EdgeSource, EntryBlock, EntryIds, Named, Visited};
pub use edges::{Edge, Graph};
pub use ids::{Index as IdIndex, MOST_VERTICES, is_wasteful};
pub use in_memory::NAME as IN_MEMORY;
pub use names::Names;
pub use oriented::OrientedGraph;
pub use oriented::rank_bits;
pub use reading::Reading;
pub use rows::{RowRange, by_edges};
pub use summary::Summary;
pub use vertex_ids::{VertexId, VertexIds};
