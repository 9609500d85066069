//! Kernels that use every part of the device library. The tests run them in the emulator and, unchanged, on a GPU,
//! and compare what they write with plain Rust.

pub mod kernels;

/// The kernels' PTX, or a comment that says why this build has none.
pub const PTX: &str = include_str!(env!("KERNELS_PTX"));
