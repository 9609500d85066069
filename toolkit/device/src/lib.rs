//! What a kernel sees of a GPU, and what a host needs to launch it.
//!
//! A kernel is declared once, with [`kernel!`], against [`thread`], [`warp`], [`shared`] and
//! [`memory`]. The names are those of Rust-CUDA's `cuda_std` where it has the same thing.
//!
//! | built for | a declaration becomes | the intrinsics are |
//! | --- | --- | --- |
//! | `nvptx64-nvidia-cuda` | a `.visible .entry` of the PTX module | one PTX instruction each |
//! | anything else | a typed launch function, generic over [`launch::Device`] | the [`emulator`](emulated)'s |
//!
//! The launch function runs the PTX on a GPU or the same body, thread by thread, in the emulator:
//! which one is the device's business, never the kernel's.
//!
//! Without the feature `emulator`, which is on by default, a host can only launch on a GPU.
// The device functions of a module share one contract, which the module's docs state.
#![allow(clippy::missing_safety_doc)]
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(abi_ptx, asm_experimental_arch, link_llvm_intrinsics, stdarch_nvptx),
    allow(internal_features)
)]

#[cfg(all(not(target_arch = "nvptx64"), not(feature = "emulator")))]
mod absent;
mod kernel;
pub mod matrix;
pub mod memory;
#[cfg(target_arch = "nvptx64")]
mod ptx;
pub mod registers;
pub mod shared;
pub mod thread;
pub mod warp;

pub use kernel::Param;
#[cfg(all(not(target_arch = "nvptx64"), feature = "emulator"))]
pub use tribin_emulator as emulated;
#[cfg(not(target_arch = "nvptx64"))]
pub use tribin_launch as launch;

#[cfg(target_arch = "nvptx64")]
use ptx as imp;
#[cfg(all(not(target_arch = "nvptx64"), feature = "emulator"))]
use tribin_emulator::intrinsics as imp;

#[cfg(all(not(target_arch = "nvptx64"), not(feature = "emulator")))]
use absent as imp;
