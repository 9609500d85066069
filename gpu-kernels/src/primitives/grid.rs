use tribin_device::memory::InOut;
use tribin_device::{thread, warp};

/// Waits until every thread of the grid is here, and makes their writes to global memory visible to
/// one another. `arrived[0]` counts the blocks that came, and is zero before the first barrier; this
/// is the barrier number `before`, counted from 0.
///
/// All blocks of the grid have to be on the GPU together: a kernel that calls this requires that its shape
/// is one of blocks that are [`together`](tribin_device::launch::Shape::together). The first warp of
/// the block returns when the whole grid is here; a barrier of the block has to follow, for the others.
///
/// The lanes of the first warp wait together, and come together to the barrier that follows.
#[inline(always)]
pub fn grid_arrive_and_wait(arrived: InOut<u64>, before: u64) {
    thread::sync_threads();
    if thread::thread_idx_x() < warp::SIZE {
        let everyone = (before + 1) * u64::from(thread::grid_dim_x());
        thread::device_fence();
        if warp::lane_id() == 0 {
            arrived.atomic_add(0, 1);
        }
        while warp::warp_vote_any(warp::ALL, arrived.atomic_load(0) < everyone) {
            thread::nanosleep(20);
        }
        thread::device_fence();
    }
}
