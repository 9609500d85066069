//! What the PTX of this crate is made of: all of its kernels.

pub use tribin_primitives::*;
