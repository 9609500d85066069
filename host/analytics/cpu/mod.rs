//! Analytics on all CPU threads.

mod above;
mod adjacency;
pub mod cores;
pub mod cycles;
pub mod degeneracy;
pub mod directed;
pub mod ends;
pub mod list;
pub mod signed;
pub mod similar;
pub mod support;
pub mod truss;
pub mod wedges;
pub mod weighted;
