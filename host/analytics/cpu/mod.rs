//! Analytics on all CPU threads.

mod above;
mod adjacency;
pub mod cores;
pub mod degeneracy;
pub(crate) mod directed;
pub(crate) mod ends;
pub mod list;
pub mod support;
pub mod truss;
pub(crate) mod weighted;
