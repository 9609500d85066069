//! What the engines run on.

pub mod cpu;
#[cfg(feature = "gpu")]
pub mod cuda;
