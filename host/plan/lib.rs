//! Plan: what is known of a graph and of the machine, and what to do about it.
//!
//! Everything here is a pure function: facts go in, and a choice with its reasons comes out. Nothing is
//! measured or run here, so that every rule is tested without a device.
//!
//! | module | what it decides |
//! | --- | --- |
//! | `device` | whether a GPU that was left to the program does some work, or the CPU |
//! | `estimate` | whether triangles are estimated, or all of them are found as soon |
//! | `row_parts` | how many rows are in device memory at a time where it does not hold all |
//! | `out_of_core` | what is in memory at a time of a graph that is on disk |
//! | `time` | predicted seconds |
//! | `host_memory` | bytes of host memory |
//! | `device_memory` | the same as it is reported |
//! | `bytes` | what the formulas for bytes have in common |
//! | `reason` | rules, the facts that hold or do not, and choices |
//! | `explanation` | what was decided, predicted, and measured |
//!
//! What was decided is part of a count's [`Explanation`], where the option `explain` asks for it.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

pub mod bytes;
pub mod device;
mod device_memory;
mod estimate;
mod explanation;
mod host_memory;
mod out_of_core;
pub mod reason;
pub mod row_parts;
mod task;
pub mod time;

use tribin_base::{Message, hint};

pub use bytes::countable;
pub use device_memory::{DeviceMemory, PhaseMemory};
pub use estimate::affordable_draws;
pub use explanation::{Explanation, Step, StepPrediction};
pub use host_memory::HostMemory;
pub use host_memory::on_host;
pub use out_of_core::OutOfCore;
pub use out_of_core::{
    CHUNK_WEDGES, LISTED_EDGES, LISTED_WEDGES, MARKED_RANKS, OutOfCoreFacts, Residence, SEGMENT,
    ScratchPlace, Sizes, VERTEX_RECORD, block_bits, bytes_of_a_place_counter, bytes_of_a_thread,
    bytes_of_a_visitor, bytes_to_peel, degree_bytes, piece, residence, scratch_place,
};
pub use reason::Chosen;
pub use reason::{Decision, Reason, Rejected};
pub use task::Task;
