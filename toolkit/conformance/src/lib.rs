//! Kernels that use every part of the device library. The tests run them in the emulator and, unchanged, on a GPU,
//! and compare what they write with plain Rust.

// What the macros write is no warning in crates that ask for more of them.
#![warn(clippy::expl_impl_clone_on_copy)]

pub mod kernels;

/// The kernels' PTX, or a comment that says why this build has none.
pub const PTX: &str = include_str!(env!("KERNELS_PTX"));
