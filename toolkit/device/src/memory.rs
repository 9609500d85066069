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
use warpwise_launch::AtomicAccess;
#[cfg(not(target_arch = "nvptx64"))]
pub use warpwise_launch::Element;
pub use warpwise_launch::{Scope, U64x2};

/// A number that the GPU's atomic units add to and exchange.
pub trait Atomic: imp::AtomicWord {}

/// An integer that the GPU's atomic units compare and change by bits.
pub trait AtomicInteger: Atomic {}

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
        self.base.atomic(index, AtomicAccess::Add(value), None)
    }

    /// Replaces the element and returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_exchange(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Exchange(value), None)
    }

    /// Reads a word that another block may be writing, in one piece.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_load(self, index: u64) -> T {
        self.base.atomic(index, AtomicAccess::Load, None)
    }

    /// Writes a word that another block may be reading, in one piece.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_store(self, index: u64, value: T) {
        self.base.atomic(index, AtomicAccess::Store(value), None);
    }
}

/// Words whose atomic accesses order all other accesses of their threads, for the threads of a [`Scope`].
///
/// A [`load`](Self::load) *acquires* and a [`store`](Self::store) *releases*: once a load sees what a store wrote, the thread that loads
/// sees all that the storing thread had done or seen before the store. Both have to be in each other's scope. The other accesses do both. With the
/// atomic methods of [`InOut`] alone, which order nothing, fences do the same.
///
/// ```
/// use warpwise_device::memory::{InOut, Scope};
/// use warpwise_device::{kernel, thread};
///
/// kernel!(
///     /// Block 0 writes a message, and block 1 waits for it.
///     #[requires(|shape| shape.grid.x == 2, message.len() >= 2, flag.len() >= 1)]
///     pub unsafe fn pass(message: InOut<u32>, flag: InOut<u32>) {
///         let flag = flag.ordered(Scope::Device);
///         if thread::thread_idx_x() > 0 {
///             return;
///         }
///         if thread::block_idx_x() == 0 {
///             message.set(0, 42);
///             flag.store(0, 1);
///         } else {
///             while flag.load(0) == 0 {
///                 thread::nanosleep(20);
///             }
///             message.set(1, message.get(0) + 1);
///         }
///     }
/// );
///
/// # fn main() -> Result<(), warpwise_device::emulated::EmulatorError> {
/// # use warpwise_device::launch::{Buffer, Shape};
/// # let device = warpwise_device::emulated::Emulator::new();
/// let (mut message, mut flag) = (Buffer::zeroed(&device, 2)?, Buffer::zeroed(&device, 1)?);
/// pass(&device, Shape::new(2, 32), message.view_mut(), flag.view_mut())?;
/// assert_eq!(message.to_vec(&device)?, [42, 43]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct Ordered<T: Element> {
    base: imp::Global<T>,
    scope: Scope,
}

impl<T: Atomic> InOut<T> {
    /// The array with accesses that order others.
    #[inline(always)]
    pub fn ordered(self, scope: Scope) -> Ordered<T> {
        Ordered { base: self.base, scope }
    }
}

impl<T: Atomic> Ordered<T> {
    /// Reads a word, and acquires.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn load(self, index: u64) -> T {
        self.base.atomic(index, AtomicAccess::Load, Some(self.scope))
    }

    /// Writes a word, and releases.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn store(self, index: u64, value: T) {
        self.base.atomic(index, AtomicAccess::Store(value), Some(self.scope));
    }

    /// Adds `value`, acquires and releases: see [`InOut::atomic_add`].
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn add(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Add(value), Some(self.scope))
    }

    /// Replaces the word, acquires and releases: see [`InOut::atomic_exchange`].
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn exchange(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Exchange(value), Some(self.scope))
    }
}

impl<T: AtomicInteger> Ordered<T> {
    /// Replaces the word by `new` if it is `expected`, acquires and releases: see [`InOut::atomic_compare_exchange`].
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn compare_exchange(self, index: u64, expected: T, new: T) -> T {
        self.base.atomic(index, AtomicAccess::CompareExchange(expected, new), Some(self.scope))
    }

    /// Replaces the word by the smaller of it and `value`, acquires and releases: see [`InOut::atomic_min`].
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn min(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Min(value), Some(self.scope))
    }

    /// Replaces the word by the larger of it and `value`, acquires and releases: see [`InOut::atomic_max`].
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn max(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Max(value), Some(self.scope))
    }

    /// Keeps only the bits of `value`, acquires and releases: see [`InOut::atomic_and`].
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn and(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::And(value), Some(self.scope))
    }

    /// Sets the bits of `value`, acquires and releases: see [`InOut::atomic_or`].
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn or(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Or(value), Some(self.scope))
    }

    /// Flips the bits of `value`, acquires and releases: see [`InOut::atomic_xor`].
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn xor(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Xor(value), Some(self.scope))
    }
}

impl<T: AtomicInteger> InOut<T> {
    /// Replaces the element by the smaller of it and `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_min(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Min(value), None)
    }

    /// Replaces the element by the larger of it and `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_max(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Max(value), None)
    }

    /// Keeps only the bits of `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_and(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::And(value), None)
    }

    /// Sets the bits of `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_or(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Or(value), None)
    }

    /// Flips the bits of `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_xor(self, index: u64, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Xor(value), None)
    }

    /// Replaces the element by `new` if it is `expected`; returns what was there before, which is `expected` exactly
    /// if the element was replaced.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_compare_exchange(self, index: u64, expected: T, new: T) -> T {
        self.base.atomic(index, AtomicAccess::CompareExchange(expected, new), None)
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
