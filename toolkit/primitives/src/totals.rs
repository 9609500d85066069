use warpwise_device::memory::InOut;
use warpwise_device::{thread, warp};

/// Adds the sum of `value` over the block to `total[index]`, with one atomic addition a warp: a
/// few thousand in a grid, against a barrier and shared memory that it would cost to have fewer.
#[inline(always)]
pub fn block_add_to(total: InOut<u64>, index: u64, value: u64) {
    let sum = warp::warp_reduce_add_64(value);
    if thread::thread_idx_x().is_multiple_of(warp::SIZE) && sum != 0 {
        total.atomic_add(index, sum);
    }
}

/// Adds the sum over the warp of each of `count` values to `totals[index..]`: `value(k)` is this lane's k-th. The warp's
/// sums are below 2³², and there are at most as many as lanes.
///
/// One lane adds one sum, so that the warp adds all of them at once. Where several warps add to one sector, they do so
/// one after the other.
#[inline(always)]
pub fn warp_add_all_to(totals: InOut<u64>, index: u64, count: u32, value: impl Fn(u32) -> u32) {
    let lane = warp::lane_id();
    let mut own = 0;
    for k in 0..count {
        let sum = warp::warp_reduce_add_32(warp::ALL, value(k));
        if lane == k {
            own = sum;
        }
    }
    if own != 0 {
        totals.atomic_add(index + u64::from(lane), u64::from(own));
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
