//! Count: what was decided in [`plan`](mod@crate::plan) is run, and what was found is put together.
//!
//! A [`Session`](crate::Session) counts. [`CountOptions`] say how, and a [`Count`] is what comes back.

#[cfg(feature = "lab")]
pub mod forward;
mod found;
#[cfg(feature = "lab")]
pub mod hybrid;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod hybrid;
mod options;
mod outcome;
mod over_ranks;
#[cfg(feature = "lab")]
pub mod sample;
#[cfg(all(feature = "gpu", not(feature = "lab")))]
pub(crate) mod sample;
#[cfg(feature = "lab")]
pub mod verify;
#[cfg(not(feature = "lab"))]
pub(crate) mod verify;

pub(crate) use found::RanOn;
pub use found::{EngineCount, EngineSeconds, Figure, On};
pub use options::{CountOptions, EngineChoice};
pub(crate) use outcome::{Around, transitivity};
pub use outcome::{Count, Seconds};
pub use over_ranks::OverRanks;
