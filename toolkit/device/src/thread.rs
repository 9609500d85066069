//! Threads of a block and blocks of a grid.
//!
//! Blocks and grids have up to three axes. Threads and blocks are numbered along x first, then y, then z; 32 threads
//! of consecutive numbers are a warp.

use core::num::Wrapping;
use core::ops::{Add, Range, Sub};

use crate::imp;

/// Index of this thread in its block, along x.
#[inline(always)]
pub fn thread_idx_x() -> u32 {
    imp::thread_idx_x()
}

/// Index of this thread in its block, along y.
#[inline(always)]
pub fn thread_idx_y() -> u32 {
    imp::thread_idx_y()
}

/// Index of this thread in its block, along z.
#[inline(always)]
pub fn thread_idx_z() -> u32 {
    imp::thread_idx_z()
}

/// Index of this block in the grid, along x.
#[inline(always)]
pub fn block_idx_x() -> u32 {
    imp::block_idx_x()
}

/// Index of this block in the grid, along y.
#[inline(always)]
pub fn block_idx_y() -> u32 {
    imp::block_idx_y()
}

/// Index of this block in the grid, along z.
#[inline(always)]
pub fn block_idx_z() -> u32 {
    imp::block_idx_z()
}

/// Threads of a block, along x.
#[inline(always)]
pub fn block_dim_x() -> u32 {
    imp::block_dim_x()
}

/// Threads of a block, along y.
#[inline(always)]
pub fn block_dim_y() -> u32 {
    imp::block_dim_y()
}

/// Threads of a block, along z.
#[inline(always)]
pub fn block_dim_z() -> u32 {
    imp::block_dim_z()
}

/// Blocks of the grid, along x.
#[inline(always)]
pub fn grid_dim_x() -> u32 {
    imp::grid_dim_x()
}

/// Blocks of the grid, along y.
#[inline(always)]
pub fn grid_dim_y() -> u32 {
    imp::grid_dim_y()
}

/// Blocks of the grid, along z.
#[inline(always)]
pub fn grid_dim_z() -> u32 {
    imp::grid_dim_z()
}

/// Index of this thread in the grid, along x. 64 bits wide: a grid can hold more than 2³² threads.
///
/// In a launch of one dimension it is the number of the thread.
#[inline(always)]
pub fn index_1d() -> u64 {
    u64::from(block_idx_x()) * u64::from(block_dim_x()) + u64::from(thread_idx_x())
}

/// Indices of this thread in the grid, along x and y.
#[inline(always)]
pub fn index_2d() -> [u64; 2] {
    [index_1d(), u64::from(block_idx_y()) * u64::from(block_dim_y()) + u64::from(thread_idx_y())]
}

/// Indices of this thread in the grid, along x, y and z.
#[inline(always)]
pub fn index_3d() -> [u64; 3] {
    let [x, y] = index_2d();
    [x, y, u64::from(block_idx_z()) * u64::from(block_dim_z()) + u64::from(thread_idx_z())]
}

/// Threads in the grid, along x: what a thread strides by.
#[inline(always)]
pub fn grid_size() -> u64 {
    u64::from(grid_dim_x()) * u64::from(block_dim_x())
}

/// What this thread does of `0..end`, when all threads of the grid share the range: its own index, and every
/// [`grid_size`]th after it.
///
/// Threads beside each other take numbers beside each other, so their reads of an array share cache lines, and a grid
/// of any size covers a range of any length.
///
/// ```
/// use warpwise_device::memory::InOut;
/// use warpwise_device::{kernel, thread};
///
/// kernel!(
///     /// Adds `by` to the first `n` numbers, with any number of threads.
///     #[requires(|shape| shape.is_1d(), to.len() >= n)]
///     pub unsafe fn shift(to: InOut<u64>, by: u64, n: u64) {
///         for i in thread::of_grid(n) {
///             to.set(i, to.get(i) + by);
///         }
///     }
/// );
/// # fn main() {}
/// ```
#[inline(always)]
pub fn of_grid(end: u64) -> Strided<u64> {
    of_grid_from(0, end)
}

/// What this thread does of `first..end`, when all threads of the grid share the range. [`of_grid`] starts at zero.
///
/// `end` plus the threads of the grid must fit in 64 bits.
#[inline(always)]
pub fn of_grid_from(first: u64, end: u64) -> Strided<u64> {
    strided(first + index_1d()..end, grid_size())
}

/// Every `step`th number of a range, from its first on: what one thread does of a range that threads share. Unlike
/// [`Iterator::step_by`] it divides nothing.
///
/// The end plus the step must fit in the type of the numbers.
///
/// ```
/// use warpwise_device::thread;
///
/// assert!(thread::strided(3..12u32, 4).eq([3, 7, 11]));
/// assert_eq!(thread::strided(3..3u32, 4).next(), None);
/// ```
#[inline(always)]
pub fn strided<N>(range: Range<N>, step: N) -> Strided<N>
where
    Wrapping<N>: Copy + Sub<Output = Wrapping<N>>,
{
    let step = Wrapping(step);
    Strided { last: Wrapping(range.start) - step, end: range.end, step }
}

/// The numbers that [`strided`] and [`of_grid`] give to one thread.
pub struct Strided<N> {
    /// The number that came last. To keep the next one instead would take a register more while a thread is at work on a number.
    last: Wrapping<N>,
    end: N,
    step: Wrapping<N>,
}

impl<N: Copy + PartialOrd> Iterator for Strided<N>
where
    Wrapping<N>: Add<Output = Wrapping<N>>,
{
    type Item = N;

    #[inline(always)]
    fn next(&mut self) -> Option<N> {
        let at = self.last + self.step;
        if at.0 >= self.end {
            return None;
        }
        self.last = at;
        Some(at.0)
    }
}

/// Number of this thread in its block, over all axes.
#[inline(always)]
pub fn index_in_block() -> u32 {
    (thread_idx_z() * block_dim_y() + thread_idx_y()) * block_dim_x() + thread_idx_x()
}

/// Threads of a block, over all axes.
#[inline(always)]
pub fn block_size() -> u32 {
    block_dim_x() * block_dim_y() * block_dim_z()
}

/// Waits until every thread of the block is here, and makes their writes to shared and global
/// memory visible to one another. Every thread of the block reaches this same call.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn sync_threads() {
    imp::sync_threads();
}

/// Waits as [`sync_threads`] does, and returns for how many threads of the block `predicate` holds.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn sync_threads_count(predicate: bool) -> u32 {
    imp::sync_threads_count(predicate)
}

/// Waits as [`sync_threads`] does, and returns whether `predicate` holds for all threads of the block.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn sync_threads_and(predicate: bool) -> bool {
    imp::sync_threads_count(!predicate) == 0
}

/// Waits as [`sync_threads`] does, and returns whether `predicate` holds for any thread of the block.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn sync_threads_or(predicate: bool) -> bool {
    imp::sync_threads_count(predicate) != 0
}

/// Makes this thread's earlier writes to global memory visible to the whole GPU before its later ones.
#[inline(always)]
pub fn device_fence() {
    imp::device_fence();
}

/// Makes this thread's earlier writes to global memory visible to the host and to all GPUs before its later ones.
#[inline(always)]
pub fn system_fence() {
    imp::system_fence();
}

/// Cycles of this thread's multiprocessor, from some moment on: what two readings in one block differ by is how long it took. The
/// emulator counts the accesses of the block.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn clock64() -> u64 {
    imp::clock64()
}

/// Nanoseconds from some moment on, the same for all blocks. A GPU counts them in steps of up to a microsecond.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn globaltimer() -> u64 {
    imp::globaltimer()
}

/// Lets others go first, in a loop that waits for another block's write.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn nanosleep(nanoseconds: u32) {
    imp::nanosleep(nanoseconds);
}
