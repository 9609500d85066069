//! Counting by candidate edges and radix binning on the GPU: the two algorithms of paper 003.
//!
//! The candidates are made and intersected in batches of wedges, so that a memory budget bounds them:
//! a batch begins and ends at any wedge. The host waits twice: for the number of candidates, and for
//! the count. Everything between is decided on the device (`tribin_kernels::binning`).

#[cfg(feature = "gpu")]
mod batch;
#[cfg(feature = "gpu")]
mod gpu;
mod level;
#[cfg(feature = "gpu")]
mod memory;
#[cfg(feature = "gpu")]
mod options;
mod orientation;
#[cfg(feature = "gpu")]
mod plan;
#[cfg(feature = "gpu")]
mod report;

#[cfg(feature = "gpu")]
pub use gpu::{count_graph, most_entries};
pub use level::Level;
#[cfg(feature = "gpu")]
pub use memory::RadixMemory;
#[cfg(feature = "gpu")]
pub use options::Options;
pub use orientation::Orientation;
#[cfg(feature = "gpu")]
pub use plan::Plan;
#[cfg(feature = "gpu")]
pub use report::{RadixCount, RadixSeconds};
#[cfg(feature = "lab")]
pub use tribin_kernels::binning::KeyOrder;
