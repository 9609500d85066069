//! Global memory, as a kernel's parameters name it.
//!
//! Indices count elements. On a GPU nothing is checked: no length travels with the pointer, and a
//! kernel's contract (`requires` in [`kernel!`](crate::kernel)) is checked once, on the host, at
//! launch. The emulator checks every access.
//!
//! # Safety
//! Holds for every access here: `index` lies inside the buffer; and memory that one thread writes
//! and another touches in the same launch is accessed with atomics, or with a barrier between.

use crate::imp;

pub use tribin_launch::{Element, U64x2};

/// An [`Element`] that the GPU's atomic units work on.
pub trait Atomic: Element + imp::AtomicWord {}
impl Atomic for u32 {}
impl Atomic for u64 {}

/// Memory that nothing writes while the kernel runs: read through the read-only cache
/// (paper 004, section III-D4).
#[derive(Clone, Copy)]
pub struct In<T: Element> {
    pub(crate) base: imp::Global<T>,
}

/// Memory that the kernel reads and writes.
#[derive(Clone, Copy)]
pub struct InOut<T: Element> {
    pub(crate) base: imp::Global<T>,
}

impl<T: Element> In<T> {
    /// The element at `index`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn get(self, index: u64) -> T {
        self.base.load(index)
    }
}

impl<T: Element> InOut<T> {
    /// The element at `index`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn get(self, index: u64) -> T {
        self.base.load(index)
    }

    /// Writes the element at `index`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn set(self, index: u64, value: T) {
        self.base.store(index, value);
    }
}

impl<T: Atomic> InOut<T> {
    /// Adds `value` (modulo the word's range) and returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn atomic_add(self, index: u64, value: T) -> T {
        self.base.atomic_add(index, value)
    }

    /// Replaces the element by the larger of it and `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn atomic_max(self, index: u64, value: T) -> T {
        self.base.atomic_max(index, value)
    }

    /// Sets the bits of `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn atomic_or(self, index: u64, value: T) -> T {
        self.base.atomic_or(index, value)
    }

    /// Reads a word that another block may be writing, in one piece.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn atomic_load(self, index: u64) -> T {
        self.base.atomic_load(index)
    }

    /// Writes a word that another block may be reading, in one piece.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn atomic_store(self, index: u64, value: T) {
        self.base.atomic_store(index, value);
    }
}
