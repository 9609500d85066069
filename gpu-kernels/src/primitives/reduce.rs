use tribin_device::memory::InOut;
use tribin_device::{thread, warp};

/// Adds the sum of `value` over the block to `total[index]`, with one atomic addition a warp: a
/// few thousand in a grid, against a barrier and shared memory that it would cost to have fewer.
#[inline(always)]
pub fn block_add_to(total: InOut<u64>, index: u64, value: u64) {
    let sum = warp::warp_reduce_add_64(value);
    if thread::thread_idx_x().is_multiple_of(warp::SIZE) && sum != 0 {
        total.atomic_add(index, sum);
    }
}
