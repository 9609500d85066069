use warpwise_device::memory::{Element, InOut};
use warpwise_device::shared::Shared;
use warpwise_device::thread;

/// Sets the first `len` elements to `value`. There is no barrier.
#[inline(always)]
pub fn block_fill<T: Element>(array: Shared<T>, len: u32, value: T) {
    for at in thread::strided(thread::thread_idx_x()..len, thread::block_dim_x()) {
        array.set(at, value);
    }
}

/// Sets the first `len` counts to 0. Ends with a barrier.
#[inline(always)]
pub fn block_clear_counts(counts: Shared<u32>, len: u32) {
    block_fill(counts, len, 0);
    thread::sync_threads();
}

/// Adds the block's first `len` counts to those of the grid. The caller has put a barrier before.
#[inline(always)]
pub fn block_flush_counts(counts: Shared<u32>, of_grid: InOut<u32>, len: u32) {
    for slot in thread::strided(thread::thread_idx_x()..len, thread::block_dim_x()) {
        let count = counts.get(slot);
        if count != 0 {
            of_grid.atomic_add(u64::from(slot), count);
        }
    }
}
