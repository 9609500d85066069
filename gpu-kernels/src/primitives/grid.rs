use tribin_device::memory::InOut;
use tribin_device::thread;

/// Words that [`grid_barrier`] takes, zero before the first launch; the two in use lie on cache
/// lines of their own.
pub const GRID_BARRIER_WORDS: u64 = 32;

const ARRIVED: u64 = 0;
const RELEASED: u64 = 16;

/// Waits until every thread of the grid is here, and makes their writes to global memory visible to
/// one another. `between` runs once, on one thread, when all have come and none has gone on.
///
/// All blocks of the grid have to be on the GPU together: launch as many as fit. Contains two
/// barriers of the block.
#[inline(always)]
pub unsafe fn grid_barrier(words: InOut<u64>, between: impl FnOnce()) {
    thread::sync_threads();
    if thread::thread_idx_x() == 0 {
        // It cannot change before this block has arrived.
        let round = words.atomic_load(RELEASED);
        thread::device_fence();
        let arrived = words.atomic_add(ARRIVED, 1) + 1;
        thread::device_fence();
        if arrived == u64::from(thread::grid_dim_x()) {
            between();
            words.atomic_store(ARRIVED, 0);
            thread::device_fence();
            words.atomic_store(RELEASED, round + 1);
        } else {
            while words.atomic_load(RELEASED) == round {
                thread::nanosleep(20);
            }
        }
        thread::device_fence();
    }
    thread::sync_threads();
}
