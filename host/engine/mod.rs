//! The counting methods.

pub mod forward_cpu;
