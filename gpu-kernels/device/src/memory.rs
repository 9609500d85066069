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

/// What can be stored in device memory: plain bits of 4, 8 or 16 bytes, aligned to their size.
///
/// # Safety
/// Every bit pattern is a value, there is no padding, and the alignment equals the size.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The type's name in reports.
    const NAME: &'static str;
}

// SAFETY: an integer has no padding and no invalid patterns, and is aligned to its size.
unsafe impl Element for u16 {
    const NAME: &'static str = "u16";
}
// SAFETY: as above.
unsafe impl Element for u32 {
    const NAME: &'static str = "u32";
}
// SAFETY: as above.
unsafe impl Element for u64 {
    const NAME: &'static str = "u64";
}

/// Two 64-bit words that are read and written as one 16-byte access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(16))]
pub struct U64x2(pub [u64; 2]);

// SAFETY: two words of 8 bytes fill 16 bytes aligned to 16.
unsafe impl Element for U64x2 {
    const NAME: &'static str = "u64x2";
}

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
