//! What the engines run on.

pub mod cpu;
pub mod cuda;
