//! Report: the figures, for people and for machines.
//!
//! | what | people | machines |
//! | --- | --- | --- |
//! | a count | [`human::count`] | [`json::line`] of [`crate::count::Count`] |
//! | a graph's figures | [`human::stats`] | [`json::line`] of [`crate::analytics::Stats`] |
//! | a table | [`human::table`] | the table itself: [`table`] |
//! | a dry run | [`human::plan`] | [`json::line`] of [`crate::Plan`] |
//! | the machine | [`Diagnosis`]'s text | [`json::line`] of [`Diagnosis`] |
//!
//! [`table`] writes long tables, and [`OutputFile`] writes a report to a file that is either whole or not there.

pub(crate) mod compressed;
#[cfg(feature = "gpu")]
mod diagnosis;
mod fold;
pub mod human;
pub mod json;
pub(crate) mod number;
mod output_file;
mod quoted;
mod standard_output;
pub mod table;

pub use crate::printable::printable;
#[cfg(feature = "gpu")]
pub use diagnosis::{Cpu, Diagnosis, GpuFacts, Ptx};
pub use number::counted;
pub use output_file::OutputFile;
pub(crate) use quoted::push_quoted;
pub use standard_output::standard_output;

pub use crate::control::{allocation_may_fail, remove_all, remove_all_if_free, remove_on_signals};
