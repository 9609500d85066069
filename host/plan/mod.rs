//! Plan: what is known of a graph and of the machine, and what to do about it.
//!
//! Everything here is a pure function: facts go in, and a choice with its reasons comes out. Nothing is
//! measured or run here, so that every rule is tested without a device.
//!
//! | module | what it decides |
//! | --- | --- |
//! | `preparation` | the order of the vertices, and how the edges are sorted |
//! | `counting` | the counting method |
//! | `team` | one GPU or several, and in how many parts |
//! | `device` | whether a GPU that was left to the program does some work, or the CPU |
//! | `finder` | whether a GPU finds the triangles by direction |
//! | `listing` | how many triangles a GPU lists at a time |
//! | `support` | how the support of edges is counted on a GPU |
//! | `truss` | how the triangles of edges are found that go while trusses are peeled |
//! | `preparer` | who prepares a graph that a GPU counts |
//! | `passes` | how many entries are in device memory at a time where it does not hold all |
//! | `memory` | bytes of device memory |
//! | `row_parts` | how many rows are in device memory at a time where it does not hold all |
//! | `out_of_core` | what is in memory at a time of a graph that is on disk |
//! | `time` | predicted seconds |
//! | `making` | who makes the entries of a generated graph |
//! | `upload` | with how many bits an id the entries go to a GPU |
//! | `windows` | how large a window is of a graph with 64-bit places |
//! | `cores` | whether a GPU finds the core numbers, or the CPU |
//! | `host_memory` | bytes of host memory |
//! | `rank_memory` | bytes of host memory of one of several processes, and whether it holds all rows |
//! | `device_memory` | the same as it is reported |
//! | `bytes` | what the formulas for bytes have in common |
//! | `facts` | what the rules look at |
//! | `reason` | rules, the facts that hold or do not, and choices |
//! | `explanation` | what was decided, predicted, and measured |
//! | `tuning` | the cut-offs that the rules go by |
//!
//! What was decided is part of a count's [`Explanation`], where [`CountOptions::explain`] asks for it.
//!
//! [`CountOptions::explain`]: crate::count::CountOptions::explain

mod bytes;
#[cfg(feature = "gpu")]
pub(crate) mod cores;
#[cfg(feature = "lab")]
pub mod counting;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod counting;
pub(crate) mod device;
mod device_memory;
mod explanation;
#[cfg(feature = "gpu")]
mod facts;
pub(crate) mod finder;
mod host_memory;
#[cfg(feature = "lab")]
pub mod listing;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod listing;
#[cfg(feature = "gpu")]
pub(crate) mod making;
#[cfg(feature = "lab")]
pub mod memory;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod memory;
mod out_of_core;
#[cfg(feature = "gpu")]
pub(crate) mod passes;
#[cfg(feature = "lab")]
pub mod preparation;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod preparation;
#[cfg(feature = "gpu")]
mod preparer;
mod rank_memory;
mod reason;
#[cfg(feature = "lab")]
pub mod row_parts;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod row_parts;
#[cfg(feature = "lab")]
pub mod support;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod support;
#[cfg(feature = "lab")]
pub mod team;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod team;
#[cfg(feature = "lab")]
pub mod time;
#[cfg(not(feature = "lab"))]
pub(crate) mod time;
#[cfg(feature = "lab")]
pub mod truss;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod truss;
#[cfg(feature = "lab")]
pub mod tuning;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod tuning;
#[cfg(feature = "gpu")]
pub(crate) mod upload;
#[cfg(feature = "gpu")]
pub(crate) mod windows;

pub(crate) use bytes::countable;
pub use device::Purpose;
pub use device_memory::{DeviceMemory, PhaseMemory};
pub use explanation::{Explanation, Step};
#[cfg(feature = "lab")]
pub use facts::{
    ByVertex, CountingFacts, EdgeOrder, EntryFacts, LandmarkClass, Landmarks, OfFirstRanks, Sample,
    Share,
};
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) use facts::{
    ByVertex, CountingFacts, EdgeOrder, EntryFacts, LandmarkClass, Landmarks, OfFirstRanks, Sample,
    Share,
};
pub use host_memory::HostMemory;
pub(crate) use host_memory::on_host;
pub(crate) use out_of_core::{
    CHUNK_WEDGES, DEGREES, LISTED_EDGES, LISTED_WEDGES, OutOfCoreFacts, Residence, SEGMENT,
    ScratchPlace, Sizes, VERTEX_RECORD, block_bits, degree_bytes, piece, residence, scratch_place,
};
pub use out_of_core::{OutOfCore, OutOfCoreTask};
#[cfg(feature = "lab")]
pub use preparer::{Preparer, WHO_PREPARES, preparer};
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) use preparer::{Preparer, WHO_PREPARES, preparer};
pub(crate) use rank_memory::{RankFacts, RankLimit, on_a_rank};
#[cfg(feature = "lab")]
pub use reason::Chosen;
#[cfg(not(feature = "lab"))]
pub(crate) use reason::Chosen;
pub use reason::{Decision, Reason, Rejected};
#[cfg(feature = "lab")]
pub use tuning::Tuning;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) use tuning::Tuning;
