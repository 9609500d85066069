//! What tests and benches share: the devices to run on, oracles without an engine, the places of
//! files, reference graphs with known figures, and the signals of started processes.

#![allow(missing_docs, reason = "fields and functions that say what they are")]

pub use warpwise_harness::{effort, skip};

#[cfg(feature = "devices")]
pub mod devices;
pub mod generators;
pub mod oracle;
#[cfg(feature = "devices")]
pub mod parts;
pub mod places;
pub mod reference;
#[cfg(unix)]
pub mod signals;
pub mod table_one;
pub mod theory;
