//! Analytics on all CPU threads.

mod adjacency;
pub mod cores;
pub mod list;
pub mod support;
pub mod truss;
