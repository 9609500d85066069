//! What the engines run on.

pub mod cpu;
#[cfg(feature = "gpu")]
pub mod cuda;
#[cfg(feature = "gpu")]
pub mod driver;
#[cfg(feature = "gpu")]
pub mod team;
