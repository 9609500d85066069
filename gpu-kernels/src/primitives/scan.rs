use tribin_device::shared::Shared;
use tribin_device::{thread, warp};

/// For each thread, the sum of `value` over the threads before it; and the sum over the whole block.
///
/// `warp_totals` has one element a warp. Contains two barriers.
#[inline(always)]
pub unsafe fn block_scan_exclusive(warp_totals: Shared<u32>, value: u32) -> (u32, u32) {
    let warp_index = thread::thread_idx_x() / warp::SIZE;
    let warps = thread::block_dim_x() / warp::SIZE;
    let inclusive = warp::warp_scan_add_32(value);
    if warp::lane_id() == warp::SIZE - 1 {
        warp_totals.set(warp_index, inclusive);
    }
    thread::sync_threads();
    let mut before = 0;
    let mut all = 0;
    let mut w = 0;
    // At most 32 broadcast reads: cheaper than a second round of shuffles and a third barrier.
    while w < warps {
        let total = warp_totals.get(w);
        if w < warp_index {
            before += total;
        }
        all += total;
        w += 1;
    }
    thread::sync_threads();
    (before + inclusive - value, all)
}
