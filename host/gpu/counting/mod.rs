//! Runs what was planned for a count on a device.

pub mod forward;
pub mod hybrid;
pub mod sample;
