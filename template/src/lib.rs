//! GPU kernels.

pub mod kernels;

/// The kernels' PTX, or a comment that says why this build has none.
pub const PTX: &str = include_str!(env!("KERNELS_PTX"));
