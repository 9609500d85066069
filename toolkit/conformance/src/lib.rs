//! Kernels that use every part of the device library. The tests run them in the emulator and, unchanged, on a GPU,
//! and compare what they write with plain Rust.

// What the macros write is no warning in crates that ask for more of them.
#![warn(clippy::expl_impl_clone_on_copy)]

pub mod hopper;
pub mod kernels;
pub mod warpgroups;

/// The kernels' PTX, or a comment that says why this build has none.
pub const PTX: &str = include_str!(env!("KERNELS_PTX"));

/// The PTX of the kernels for compute capability 9.0 and later, or as [`PTX`].
pub const HOPPER_PTX: &str = include_str!(env!("HOPPER_PTX"));

/// The PTX of the kernels for compute capability 9.0 and no other, or as [`PTX`].
pub const WARPGROUPS_PTX: &str = include_str!(env!("WARPGROUPS_PTX"));
