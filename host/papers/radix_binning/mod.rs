//! Counting by candidate edges and radix binning on the GPU: the two algorithms of paper 003.
//!
//! The candidates are made and intersected in batches of wedges, so that a memory budget bounds them:
//! a batch begins and ends at any wedge. The host waits twice: for the number of candidates, and for
//! the count. Everything between is decided on the device (`tribin_kernels::binning`).

//!
//! | file | what is in it |
//! | --- | --- |
//! | `engine` | the engine, from the entries in host memory to the count |
//! | `count` | from the entries on the device to the count |
//! | `gpu`, `batch` | both algorithms on a graph that is laid out, and algorithm 2 on a batch |
//! | `options`, `orientation` | how the engine counts |
//! | `plan`, `memory` | the sizes of a batch, and bytes of device memory |
//! | `report`, `level` | what was counted |

mod batch;
mod count;
mod engine;
mod gpu;
mod level;
mod memory;
mod options;
mod orientation;
mod plan;
mod report;

pub use count::{count, count_uploaded};
pub(super) use engine::RadixBinning;
pub use gpu::{count_graph, most_entries};
pub use level::Level;
pub use options::RadixOptions;
pub use orientation::Orientation;
pub use plan::RadixPlan;
pub use report::{RadixCount, RadixSeconds};
pub use tribin_kernels::binning::KeyOrder;
