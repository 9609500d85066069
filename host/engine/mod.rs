//! The counting methods.

pub mod forward_gpu;
