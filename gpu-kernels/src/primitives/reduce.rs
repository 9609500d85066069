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

/// Raises `largest[index]` to the largest `value` of the block, with one atomic maximum a warp.
#[inline(always)]
pub fn block_max_to(largest: InOut<u64>, index: u64, value: u64) {
    let high = (value >> 32) as u32;
    let largest_high = warp::warp_reduce_max_32(warp::ALL, high);
    let low = if high == largest_high { value as u32 } else { 0 };
    let largest_low = warp::warp_reduce_max_32(warp::ALL, low);
    if thread::thread_idx_x().is_multiple_of(warp::SIZE) {
        largest.atomic_max(index, u64::from(largest_high) << 32 | u64::from(largest_low));
    }
}
