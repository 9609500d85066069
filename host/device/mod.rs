//! What the engines run on.

pub mod counted;
pub mod cpu;
pub mod cuda;
