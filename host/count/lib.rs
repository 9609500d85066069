//! Count: what was decided in [`plan`](mod@crate::plan) is run, and what was found is put together.
//!
//! A `Session` counts. [`CountOptions`] say how, and a [`Count`] is what comes back.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

mod found;
mod options;
mod outcome;
mod over_ranks;
pub mod verify;

use tribin_base::{Disagreement, Error, Result, control, engine_choice};
use tribin_graph::{self as graph, Graph};
use tribin_plan as plan;

pub use found::RanOn;
pub use found::{EngineCount, Figure, On};
pub use options::{CountOptions, EngineChoice};
pub use outcome::{Count, Seconds};
pub use outcome::{CountTimes, transitivity};
pub use over_ranks::OverRanks;
pub use tribin_base::control::EngineSeconds;
