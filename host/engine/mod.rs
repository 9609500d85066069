//! The counting methods.

pub mod forward_cpu;
pub mod forward_gpu;
pub mod radix_gpu;
