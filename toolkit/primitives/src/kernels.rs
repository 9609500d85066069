//! What the PTX of this crate is made of: all of its kernels.

pub use warpwise_primitives::*;
