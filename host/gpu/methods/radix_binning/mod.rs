//! Counting by candidate edges and radix binning on the GPU: the two algorithms of paper 003.
//!
//! The candidates are made and intersected in batches of wedges, so that a memory budget bounds them:
//! a batch begins and ends at any wedge. The host waits twice: for the number of candidates, and for
//! the count. Everything between is decided on the device (`tribin_kernels::binning`).

mod batch;
mod gpu;
mod level;
mod memory;
mod options;
mod plan;
mod report;

pub use crate::count::Orientation;
pub use gpu::{count_graph, most_entries};
pub use level::Level;
pub use memory::RadixMemory;
pub use options::Options;
pub use plan::Plan;
pub use report::{RadixCount, RadixSeconds};
pub use tribin_kernels::binning::KeyOrder;
