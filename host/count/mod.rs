//! Count: what was decided in [`plan`](mod@crate::plan) is run, and what was found is put together.
//!
//! A [`Session`](crate::Session) counts. [`CountOptions`] say how, and a [`Count`] is what comes back.

pub mod forward;
mod found;
pub mod hybrid;
mod options;
mod outcome;
pub mod radix;
pub mod sample;
pub mod verify;

pub use crate::methods::radix_binning::{Level, Orientation};
pub(crate) use found::RanOn;
pub use found::{Binning, EngineCount, EngineSeconds, Stats};
pub use options::{CountOptions, EngineChoice};
pub(crate) use outcome::{Around, transitivity};
pub use outcome::{Count, Seconds};
