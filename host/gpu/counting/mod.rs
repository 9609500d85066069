//! Runs what was planned for a count on a device.

pub mod forward;
pub mod hybrid;
mod named;
pub mod radix;
pub mod sample;

pub use named::{NamedMethod, in_place};
