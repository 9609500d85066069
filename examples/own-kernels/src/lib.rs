//! Kernels that have nothing to do with triangles: what a package outside tribin's repository looks like.

pub mod for_python;
pub mod kernels;
pub mod repeated;
pub mod two_streams;

/// The kernels' PTX, or a comment that says why this build has none.
pub const PTX: &str = include_str!(env!("KERNELS_PTX"));
