//! What a host needs to run kernels on a device, whatever the device is.
//!
//! | type | what it is |
//! | --- | --- |
//! | [`Device`] | runs kernels and holds their memory: a GPU, or an emulator |
//! | [`DeviceId`] | tells devices apart: memory of one is refused by all others |
//! | [`Peer`] | a device that takes copies of the memory of others |
//! | [`Buffer`] | an array in a device's memory, freed when it is dropped |
//! | [`View`], [`ViewMut`], both a [`Part`] | a borrowed part of a buffer, which a kernel reads or writes |
//! | [`Shape`], [`Dim3`] | how many blocks and threads run a kernel |
//! | [`Launch`], [`Arg`] | a launch with its types forgotten, as a device takes it |
//! | [`Entry`] | names a kernel, to ask how many of its blocks fit |
//! | [`DeviceFault`], [`OutOfMemory`] | what the errors of all devices have in common |
//! | [`Element`] | what a buffer holds |
//! | [`BINARY16`], [`BFLOAT16`], both a [`HalfFormat`] | 16-bit floating-point numbers on a host |
//! | [`LaunchGraph`], a sequence of [`LaunchStep`]s | launches that are captured once and done as often as one likes |
//! | [`Metered`] | a device whose launches and bytes are counted |
//!
//! Kernels are declared with the `kernel!` macro of `warpwise-device`, which makes a typed function of
//! each: its arguments are views, so that the compiler checks who reads and who writes.
//!
//! Compiled for a GPU, the crate is [`U64x2`] and [`Scope`] alone.
#![cfg_attr(target_arch = "nvptx64", no_std)]

#[cfg(not(target_arch = "nvptx64"))]
mod buffer;
#[cfg(not(target_arch = "nvptx64"))]
mod device;
mod element;
#[cfg(not(target_arch = "nvptx64"))]
mod fault;
#[cfg(not(target_arch = "nvptx64"))]
mod graph;
#[cfg(not(target_arch = "nvptx64"))]
mod half;
#[cfg(not(target_arch = "nvptx64"))]
mod launch;
#[cfg(not(target_arch = "nvptx64"))]
mod metered;
#[cfg(not(target_arch = "nvptx64"))]
mod peer;
#[cfg(not(target_arch = "nvptx64"))]
mod shape;
#[cfg(not(target_arch = "nvptx64"))]
mod view;

/// The crate that says which types are plain bytes, for what `warpwise_device::element!` declares.
#[cfg(not(target_arch = "nvptx64"))]
pub use bytemuck;

#[cfg(not(target_arch = "nvptx64"))]
pub use buffer::Buffer;
#[cfg(not(target_arch = "nvptx64"))]
pub use device::{Device, DeviceId, Pieces, Then, Write};
#[cfg(not(target_arch = "nvptx64"))]
pub use element::Element;
#[doc(hidden)]
pub use element::{AtomicAccess, Shuffle, WarpReduction};
pub use element::{Scope, U64x2};
#[cfg(not(target_arch = "nvptx64"))]
pub use fault::{DeviceFault, OutOfMemory};
#[cfg(not(target_arch = "nvptx64"))]
pub use graph::{BorrowedMemory, LaunchGraph, LaunchStep};
#[cfg(not(target_arch = "nvptx64"))]
pub use half::{BFLOAT16, BINARY16, HalfFormat};
#[cfg(not(target_arch = "nvptx64"))]
pub use launch::{Arg, ArgValue, Entry, Launch, Plain, named_by};
#[cfg(not(target_arch = "nvptx64"))]
pub use metered::{Metered, MeteredMemory};
#[cfg(not(target_arch = "nvptx64"))]
pub use peer::Peer;
#[cfg(not(target_arch = "nvptx64"))]
pub use shape::{Dim3, Shape};
#[cfg(not(target_arch = "nvptx64"))]
pub use view::{Part, View, ViewMut};
