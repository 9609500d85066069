//! Copies from global to shared memory that run while the thread goes on (`cp.async`).
//!
//! A thread starts copies with [`copy_async`], closes groups of them with [`copy_async_commit`], and waits for groups with
//! [`copy_async_wait`]. The wait orders the copies of the calling thread alone: for those of other threads a barrier
//! has to follow it. Until then nothing may touch the target, and until the wait nothing may write the source. The
//! emulator reports every access to a target before the wait.
//!
//! ```
//! use warpwise_device::async_copy::{copy_async, copy_async_commit, copy_async_wait};
//! use warpwise_device::memory::{In, InOut};
//! use warpwise_device::{kernel, shared, thread};
//!
//! kernel!(
//!     /// Reverses the values of each block.
//!     #[requires(|shape| shape.shared_bytes >= 4 * shape.block.x, out.len() >= values.len())]
//!     pub unsafe fn reverse_blocks(values: In<f32>, out: InOut<f32>) {
//!         let (me, threads) = (thread::thread_idx_x(), thread::block_dim_x());
//!         let tile = shared::array::<f32>(0, threads);
//!         copy_async(tile, me, values, thread::index_1d());
//!         copy_async_commit();
//!         copy_async_wait(0);
//!         thread::sync_threads();
//!         out.set(thread::index_1d(), tile.get(threads - 1 - me));
//!     }
//! );
//! # fn main() {}
//! ```

use crate::imp;
use crate::memory::{Element, In, InOut};
use crate::shared::Shared;

/// Global memory that can be copied from.
pub trait Source<T: Element>: Copy {
    #[doc(hidden)]
    fn base(self) -> imp::Global<T>;
}

impl<T: Element> Source<T> for In<T> {
    #[inline(always)]
    fn base(self) -> imp::Global<T> {
        self.base
    }
}

impl<T: Element> Source<T> for InOut<T> {
    #[inline(always)]
    fn base(self) -> imp::Global<T> {
        self.base
    }
}

/// Starts to copy element `from_index` of `from` to element `to_index` of `to`. Elements of 4, 8 and 16 bytes
/// that are aligned to their size can be copied; others are an error of the compiler.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn copy_async<T: Element>(to: Shared<T>, to_index: u32, from: impl Source<T>, from_index: u64) {
    const {
        assert!(matches!(size_of::<T>(), 4 | 8 | 16), "a copy moves 4, 8 or 16 bytes");
        assert!(align_of::<T>() == size_of::<T>(), "a copy moves elements aligned to their size");
    }
    imp::copy_async(to.base, to_index, from.base(), from_index);
}

/// Closes the group of the copies that the calling thread started since the last one.
#[inline(always)]
pub fn copy_async_commit() {
    imp::copy_async_commit();
}

/// Waits for the calling thread's groups but the latest `groups` of them, which may still be under way. `groups` is a
/// constant of at most 7.
#[inline(always)]
pub fn copy_async_wait(groups: u32) {
    imp::copy_async_wait(groups);
}
