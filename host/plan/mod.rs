//! Plan: what is known of a graph and of the machine, and what to do about it.
//!
//! Everything here is a pure function: facts go in, and a choice with its reasons comes out. Nothing is
//! measured or run here, so that every rule is tested without a device.
//!
//! | module | what it decides |
//! | --- | --- |
//! | [`preparation`] | the order of the vertices, and how the edges are sorted |
//! | [`counting`](mod@counting) | the counting method |
//! | [`memory`] | bytes of device memory |
//! | [`time`] | predicted seconds |
//! | [`tuning`] | the cut-offs that the rules go by |

pub mod counting;
mod explanation;
mod facts;
pub mod memory;
mod place;
pub mod preparation;
pub mod radix_memory;
mod reason;
pub mod time;
pub mod tuning;

pub use explanation::{Explanation, Step};
pub use facts::{CountingFacts, EdgeOrder, EntryFacts, Sample, Share};
pub use place::{Place, place};
pub use reason::{Bound, Chosen, Decision, Figure, Reason, Rejected};
pub use tuning::Tuning;
