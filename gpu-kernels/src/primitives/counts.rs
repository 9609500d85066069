use tribin_device::memory::InOut;
use tribin_device::shared::Shared;
use tribin_device::thread;

/// Sets the first `len` counts to 0. Ends with a barrier.
#[inline(always)]
pub fn block_clear_counts(counts: Shared<u32>, len: u32) {
    let mut slot = thread::thread_idx_x();
    while slot < len {
        counts.set(slot, 0);
        slot += thread::block_dim_x();
    }
    thread::sync_threads();
}

/// Adds the block's first `len` counts to those of the grid. The caller has put a barrier before.
#[inline(always)]
pub fn block_flush_counts(counts: Shared<u32>, of_grid: InOut<u32>, len: u32) {
    let mut slot = thread::thread_idx_x();
    while slot < len {
        let count = counts.get(slot);
        if count != 0 {
            of_grid.atomic_add(u64::from(slot), count);
        }
        slot += thread::block_dim_x();
    }
}
