//! Runs what was planned for a count on a device.

pub mod hybrid;
pub mod sample;
