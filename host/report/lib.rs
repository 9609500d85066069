//! Report: the figures, for people and for machines.
//!
//! | what | people | machines |
//! | --- | --- | --- |
//! | a count | [`human::count`] | [`json::line`] of [`crate::count::Count`] |
//! | a graph's figures | [`human::stats`] | [`json::line`] of [`crate::analytics::Stats`] |
//! | a table | [`human::table`] | the table itself: [`table`] |
//! | a graph on a page | [`page::html`], with [`plot`]s | |
//! | a dry run | [`human::plan`] | [`json::line`] of [`crate::Plan`] |
//! | the machine | [`Diagnosis`]'s text | [`json::line`] of [`Diagnosis`] |
//!
//! [`table`] writes long tables, and [`OutputFile`] writes a report to a file that is either whole or not there.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

// Where GPUs are left out, much of what they share is unused.
#![cfg_attr(not(feature = "gpu"), allow(dead_code, unused_imports))]

pub mod compressed;
#[cfg(feature = "gpu")]
mod diagnosis;
mod fold;
pub mod human;
pub mod json;
pub mod number;
mod output_file;
pub mod page;
pub mod plot;
mod quoted;
mod standard_output;
pub mod table;

use tribin_analytics as analytics;
use tribin_base::{Error, Message, Result, control, hint};
use tribin_count as count;
use tribin_graph::{self as graph, VertexIds};
use tribin_plan as plan;
use tribin_read as read;
use tribin_session::{Plan, PreparedGraph};

#[cfg(feature = "gpu")]
pub use diagnosis::{Cpu, Diagnosis, GpuFacts, KernelFacts};
pub use number::counted;
pub use output_file::{Destination, OutputFile};
pub use quoted::push_quoted;
pub use standard_output::standard_output;
pub use tribin_base::printable::printable;

pub use tribin_base::control::{
    allocation_may_fail, remove_all, remove_all_if_free, remove_on_signals,
};
