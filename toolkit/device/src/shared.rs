//! Shared memory: what the threads of one block have in common, sized at launch.
//!
//! rustc has no address space for statics, so all of it is CUDA's dynamic shared memory, and the launch says how
//! many bytes. A [`Layout`] places arrays of any types behind one another; the host asks it for the bytes:
//!
//! ```
//! use warpwise_device::memory::{In, InOut};
//! use warpwise_device::shared::{Layout, Place};
//! use warpwise_device::{kernel, thread};
//!
//! /// Where the block keeps its counts and its largest value.
//! struct Tile {
//!     counts: Place<u32>,
//!     largest: Place<f32>,
//!     bytes: u32,
//! }
//!
//! const TILE: Tile = {
//!     let (layout, counts) = Layout::new().array(256);
//!     let (layout, largest) = layout.array(1);
//!     Tile { counts, largest, bytes: layout.bytes() }
//! };
//!
//! kernel!(
//!     #[requires(|shape| shape.shared_bytes >= TILE.bytes, values.len() >= 256, out.len() >= 256)]
//!     pub unsafe fn tile(values: In<u32>, out: InOut<u32>) {
//!         let (counts, largest) = (TILE.counts.here(), TILE.largest.here());
//!         let me = thread::thread_idx_x();
//!         counts.set(me, values.get(me.into()));
//!         if me == 0 {
//!             largest.set(0, 0.5);
//!         }
//!         thread::sync_threads();
//!         out.set(me.into(), counts.get(255 - me));
//!     }
//! );
//! # fn main() {}
//! ```
//!
//! Arrays of one layout cannot overlap. The emulator reports an array that overlaps one of another layout, that ends
//! past what the launch gave, and every index past the end. [`array()`] places an array by hand, where two
//! arrays take turns in the same bytes.
//!
//! Every access here is under the [contract of a kernel](crate#the-contract-of-a-kernel): `index` lies inside the
//! array, what is read was written, and two threads touch the same element only atomically or with a barrier between.

use core::marker::PhantomData;
#[cfg(not(target_arch = "nvptx64"))]
use core::panic::Location;

use warpwise_launch::AtomicAccess;

use crate::imp::{self, SharedAccess};
use crate::memory::{Atomic, AtomicInteger, Element};

/// An array in the block's shared memory, or in that of another block of its [`cluster`](crate::cluster).
#[derive(Clone, Copy)]
pub struct Shared<T: Element, B: SharedAccess = imp::SharedBase> {
    pub(crate) base: B,
    element: PhantomData<T>,
}

/// The array of `len` elements that starts `byte_offset` bytes into the block's shared memory: inside what the launch
/// asked for, and aligned to its element. Arrays that are in use at the same time do not overlap.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn array<T: Element>(byte_offset: u32, len: u32) -> Shared<T> {
    Shared {
        base: imp::SharedBase::new(byte_offset, len * size_of::<T>() as u32),
        element: PhantomData,
    }
}

/// A plan of a block's shared memory: arrays behind one another, each aligned to its element.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    bytes: u32,
    /// Which layout it is, for the emulator.
    #[cfg(not(target_arch = "nvptx64"))]
    made_at: &'static Location<'static>,
}

impl Layout {
    /// Without an array.
    #[expect(clippy::new_without_default, reason = "a layout is known by the line that makes it")]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub const fn new() -> Layout {
        Layout {
            bytes: 0,
            #[cfg(not(target_arch = "nvptx64"))]
            made_at: Location::caller(),
        }
    }

    /// The layout with one more array, of `len` elements behind the others, and that array's place.
    ///
    /// # Panics
    /// If the arrays take 2³² bytes or more: in a constant that is an error of the compiler.
    pub const fn array<T: Element>(self, len: u32) -> (Layout, Place<T>) {
        let start = self.bytes.next_multiple_of(align_of::<T>() as u32);
        let Some(bytes) = len.checked_mul(size_of::<T>() as u32) else { too_large() };
        let Some(end) = start.checked_add(bytes) else { too_large() };
        let place = Place {
            start,
            len,
            #[cfg(not(target_arch = "nvptx64"))]
            made_at: self.made_at,
            element: PhantomData,
        };
        (Layout { bytes: end, ..self }, place)
    }

    /// Bytes that the arrays take: what the launch asks for, with [`Shape::shared`](warpwise_launch::Shape::shared).
    pub const fn bytes(self) -> u32 {
        self.bytes
    }
}

const fn too_large() -> ! {
    panic!("a layout of 2^32 bytes or more")
}

/// Where a [`Layout`] has an array.
#[derive(Debug, Clone, Copy)]
pub struct Place<T: Element> {
    start: u32,
    len: u32,
    #[cfg(not(target_arch = "nvptx64"))]
    made_at: &'static Location<'static>,
    element: PhantomData<T>,
}

impl<T: Element> Place<T> {
    /// The array in the shared memory of the calling thread's block.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn here(self) -> Shared<T> {
        let array = array(self.start, self.len);
        #[cfg(not(target_arch = "nvptx64"))]
        array.base.claim(self.made_at);
        array
    }

    /// Elements.
    pub const fn len(self) -> u32 {
        self.len
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl<T: Element> Shared<T> {
    /// The same array of another block.
    #[inline(always)]
    pub(crate) fn elsewhere<B: SharedAccess>(self, base: B) -> Shared<T, B> {
        Shared { base, element: PhantomData }
    }
}

impl<T: Element, B: SharedAccess> Shared<T, B> {
    /// The element at `index`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn get(self, index: u32) -> T {
        self.base.load(index)
    }

    /// Writes the element at `index`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn set(self, index: u32, value: T) {
        self.base.store(index, value);
    }
}

impl<T: Atomic, B: SharedAccess> Shared<T, B> {
    /// Adds `value` (integers: modulo the word's range) and returns what was there before. The order in which threads
    /// add is not determined, so that the last bits of a sum of floating-point numbers are not either.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_add(self, index: u32, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Add(value))
    }

    /// Replaces the element and returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_exchange(self, index: u32, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Exchange(value))
    }
}

impl<T: AtomicInteger, B: SharedAccess> Shared<T, B> {
    /// Replaces the element by the smaller of it and `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_min(self, index: u32, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Min(value))
    }

    /// Replaces the element by the larger of it and `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_max(self, index: u32, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Max(value))
    }

    /// Keeps only the bits of `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_and(self, index: u32, value: T) -> T {
        self.base.atomic(index, AtomicAccess::And(value))
    }

    /// Sets the bits of `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_or(self, index: u32, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Or(value))
    }

    /// Flips the bits of `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_xor(self, index: u32, value: T) -> T {
        self.base.atomic(index, AtomicAccess::Xor(value))
    }

    /// Replaces the element by `new` if it is `expected`; returns what was there before, which is `expected` exactly
    /// if the element was replaced.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub fn atomic_compare_exchange(self, index: u32, expected: T, new: T) -> T {
        self.base.atomic(index, AtomicAccess::CompareExchange(expected, new))
    }
}
