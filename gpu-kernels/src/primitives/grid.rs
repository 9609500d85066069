use tribin_device::memory::InOut;
use tribin_device::{thread, warp};

/// Words that [`grid_barrier`] takes, zero before the first launch; the two in use lie on cache
/// lines of their own.
pub const GRID_BARRIER_WORDS: u64 = 32;

const ARRIVED: u64 = 0;
const RELEASED: u64 = 16;

/// Waits until every thread of the grid is here, and makes their writes to global memory visible to
/// one another. When all have come and none has gone on, one warp of the grid runs `between`, every
/// lane of it.
///
/// All blocks of the grid have to be on the GPU together: launch as many as fit. Contains two
/// barriers of the block.
///
/// A whole warp waits, and takes every branch together: the compiler may make several barriers of the
/// last one, one for each way that leads there, and the lanes of a warp have to meet at the same.
#[inline(always)]
pub unsafe fn grid_barrier(words: InOut<u64>, between: impl FnOnce()) {
    thread::sync_threads();
    if thread::thread_idx_x() < warp::SIZE {
        // It cannot change before this block has arrived.
        let round = words.atomic_load(RELEASED);
        thread::device_fence();
        warp::sync_warp(warp::ALL);
        let mut before = 0;
        if warp::lane_id() == 0 {
            before = words.atomic_add(ARRIVED, 1) as u32;
        }
        let arrived = warp::warp_shuffle_idx(warp::ALL, before, 0) + 1;
        thread::device_fence();
        if arrived == thread::grid_dim_x() {
            between();
            words.atomic_store(ARRIVED, 0);
            thread::device_fence();
            warp::sync_warp(warp::ALL);
            words.atomic_store(RELEASED, round + 1);
        } else {
            while warp::warp_vote_any(warp::ALL, words.atomic_load(RELEASED) == round) {
                thread::nanosleep(20);
            }
        }
        thread::device_fence();
    }
    thread::sync_threads();
}
