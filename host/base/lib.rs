//! What every room of tribin stands on: errors, cancellation, progress, memory, and the names of formats and
//! engines that errors mention.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

pub mod control;
pub mod engine_choice;
pub mod error;
pub mod features;
pub mod file_format;
pub mod hint;
pub mod par;
pub mod printable;
pub mod processor;

pub use control::{Cancel, Context, Phase, Work};
pub use error::{Disagreement, Error, Message, Place, Result};
