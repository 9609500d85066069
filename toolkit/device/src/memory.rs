//! Global memory, as a kernel's parameters name it.
//!
//! Indices count elements. On a GPU nothing is checked: no length travels with the pointer, and a
//! kernel's contract (`requires` in [`kernel!`](crate::kernel)) is checked once, on the host, at
//! launch. The emulator checks every access.
//!
//! Every access here is under the [contract of a kernel](crate#the-contract-of-a-kernel): `index` lies inside the
//! buffer; and memory that one thread writes and another touches in the same launch is accessed with atomics, or
//! with a barrier between.

use crate::imp;

#[cfg(target_arch = "nvptx64")]
pub use crate::ptx::Element;
#[cfg(not(target_arch = "nvptx64"))]
pub use tribin_launch::Element;
pub use tribin_launch::U64x2;

/// A number that the GPU's atomic units add to and exchange.
pub trait Atomic: imp::AtomicWord {}

/// An integer that the GPU's atomic units compare and change by bits.
pub trait AtomicInteger: Atomic + imp::AtomicInteger {}

macro_rules! atomic {
    ($($integer:ident)*; $($real:ident)*) => {
        $(
            impl Atomic for $integer {}
            impl AtomicInteger for $integer {}
        )*
        $(impl Atomic for $real {})*
    };
}

atomic!(u32 u64 i32 i64; f32 f64);

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
    pub fn get(self, index: u64) -> T {
        self.base.load(index)
    }
}

impl<T: Element> InOut<T> {
    /// The element at `index`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn get(self, index: u64) -> T {
        self.base.load(index)
    }

    /// Writes the element at `index`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn set(self, index: u64, value: T) {
        self.base.store(index, value);
    }
}

impl<T: Atomic> InOut<T> {
    /// Adds `value` (integers: modulo the word's range) and returns what was there before. The order in which threads
    /// add is not determined, so that the last bits of a sum of floating-point numbers are not either.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_add(self, index: u64, value: T) -> T {
        self.base.atomic_add(index, value)
    }

    /// Replaces the element and returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_exchange(self, index: u64, value: T) -> T {
        self.base.atomic_exchange(index, value)
    }

    /// Reads a word that another block may be writing, in one piece.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_load(self, index: u64) -> T {
        self.base.atomic_load(index)
    }

    /// Writes a word that another block may be reading, in one piece.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_store(self, index: u64, value: T) {
        self.base.atomic_store(index, value);
    }
}

impl<T: AtomicInteger> InOut<T> {
    /// Replaces the element by the smaller of it and `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_min(self, index: u64, value: T) -> T {
        self.base.atomic_min(index, value)
    }

    /// Replaces the element by the larger of it and `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_max(self, index: u64, value: T) -> T {
        self.base.atomic_max(index, value)
    }

    /// Keeps only the bits of `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_and(self, index: u64, value: T) -> T {
        self.base.atomic_and(index, value)
    }

    /// Sets the bits of `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_or(self, index: u64, value: T) -> T {
        self.base.atomic_or(index, value)
    }

    /// Flips the bits of `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_xor(self, index: u64, value: T) -> T {
        self.base.atomic_xor(index, value)
    }

    /// Replaces the element by `new` if it is `expected`; returns what was there before, which is `expected` exactly
    /// if the element was replaced.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_compare_exchange(self, index: u64, expected: T, new: T) -> T {
        self.base.atomic_compare_exchange(index, expected, new)
    }

    /// Replaces the element by `change` of it, in one piece; returns what was there before. `change` is called again
    /// where another thread came between.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_update(self, index: u64, change: impl Fn(T) -> T) -> T
    where
        T: PartialEq,
    {
        let mut expected = self.atomic_load(index);
        loop {
            let before = self.atomic_compare_exchange(index, expected, change(expected));
            if before == expected {
                return before;
            }
            expected = before;
        }
    }
}
