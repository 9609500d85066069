//! Shared memory: what the threads of one block have in common, sized at launch.
//!
//! Arrays are laid out by hand, by byte offset: rustc has no address space for statics, so all of
//! it is CUDA's dynamic shared memory, and the launch says how many bytes.
//!
//! # Safety
//! Holds for every access here: `index` lies inside the array, what is read was written, and
//! two threads touch the same word only atomically or with a barrier between.

use core::marker::PhantomData;

use crate::imp;
use crate::memory::Element;

/// An array in the block's shared memory.
#[derive(Clone, Copy)]
pub struct Shared<T: Element> {
    base: imp::SharedBase,
    element: PhantomData<T>,
}

/// The array of `len` elements that starts `byte_offset` bytes into the block's shared memory.
///
/// # Safety
/// The array lies inside what the launch asked for, aligned to its element, and arrays that are in
/// use at the same time do not overlap.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn array<T: Element>(byte_offset: u32, len: u32) -> Shared<T> {
    Shared {
        base: imp::shared_base(byte_offset, len * size_of::<T>() as u32),
        element: PhantomData,
    }
}

impl Shared<u32> {
    /// The element at `index`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn get(self, index: u32) -> u32 {
        self.base.load_32(index)
    }

    /// Writes the element at `index`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn set(self, index: u32, value: u32) {
        self.base.store_32(index, value);
    }

    /// Adds `value` modulo 2³² and returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn atomic_add(self, index: u32, value: u32) -> u32 {
        self.base.atomic_add_32(index, value)
    }

    /// Sets the bits of `value` and returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn atomic_or(self, index: u32, value: u32) -> u32 {
        self.base.atomic_or_32(index, value)
    }

    /// Keeps only the bits of `value`; returns what was there before.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn atomic_and(self, index: u32, value: u32) -> u32 {
        self.base.atomic_and_32(index, value)
    }
}

impl Shared<u64> {
    /// The element at `index`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn get(self, index: u32) -> u64 {
        self.base.load_64(index)
    }

    /// Writes the element at `index`.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    pub unsafe fn set(self, index: u32, value: u64) {
        self.base.store_64(index, value);
    }
}
