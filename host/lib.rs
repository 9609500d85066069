//! Exact triangle counting for large graphs.
//!
//! The modules follow the path of an edge:
//!
//! | step | module | what happens |
//! | --- | --- | --- |
//! | read | [`read`] | a file of any supported format becomes a [`Graph`]: edges as they stand |
//! | clean | [`clean`] | self-loops and duplicates go, directions are dropped |
//! | orient | [`orient`] | every edge points from the lower to the higher degree |
//! | count | [`count`] | an engine intersects the oriented lists |
//! | report | [`report`] | figures for people and for machines |
//!
//! [`engine`] holds the counting methods, [`device`] what they run on.

pub mod clean;
pub mod count;
pub mod device;
pub mod engine;
mod error;
mod graph;
pub mod orient;
pub mod read;
pub mod report;

pub use error::{Error, Result};
pub use graph::{Graph, VertexIds};
