//! Threads of a block and blocks of a grid (one dimension: all that tribin needs).

use crate::imp;

/// Index of this thread in its block.
#[inline(always)]
pub fn thread_idx_x() -> u32 {
    imp::thread_idx_x()
}

/// Index of this block in the grid.
#[inline(always)]
pub fn block_idx_x() -> u32 {
    imp::block_idx_x()
}

/// Threads in a block.
#[inline(always)]
pub fn block_dim_x() -> u32 {
    imp::block_dim_x()
}

/// Blocks in the grid.
#[inline(always)]
pub fn grid_dim_x() -> u32 {
    imp::grid_dim_x()
}

/// Index of this thread in the grid. 64 bits wide: a grid can hold more than 2³² threads.
#[inline(always)]
pub fn index_1d() -> u64 {
    u64::from(block_idx_x()) * u64::from(block_dim_x()) + u64::from(thread_idx_x())
}

/// Threads in the grid.
#[inline(always)]
pub fn grid_size() -> u64 {
    u64::from(grid_dim_x()) * u64::from(block_dim_x())
}

/// Waits until every thread of the block is here, and makes their writes to shared and global
/// memory visible to one another.
///
/// # Safety
/// Every thread of the block reaches this same call.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub unsafe fn sync_threads() {
    imp::sync_threads();
}

/// Makes this thread's earlier writes to global memory visible to the whole GPU before its later ones.
#[inline(always)]
pub fn device_fence() {
    imp::device_fence();
}

/// Lets others go first, in a loop that waits for another block's write.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn nanosleep(nanoseconds: u32) {
    imp::nanosleep(nanoseconds);
}
