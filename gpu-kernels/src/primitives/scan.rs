use tribin_device::shared::Shared;
use tribin_device::{thread, warp};

/// The sums of a scan.
#[derive(Clone, Copy)]
pub struct Scanned<T> {
    /// The sum of what is before.
    pub before: T,
    /// The sum of all.
    pub all: T,
}

/// For each thread, the sum of `value` over the threads before it; and the sum over the whole block.
///
/// `warp_totals` has one element a warp. Contains two barriers.
#[inline(always)]
pub fn block_scan_exclusive(warp_totals: Shared<u32>, value: u32) -> Scanned<u32> {
    let warp_index = thread::thread_idx_x() / warp::SIZE;
    let warps = thread::block_dim_x() / warp::SIZE;
    let inclusive = warp::warp_scan_add_32(value);
    if warp::lane_id() == warp::SIZE - 1 {
        warp_totals.set(warp_index, inclusive);
    }
    thread::sync_threads();
    let mut before = 0;
    let mut all = 0;
    // At most 32 broadcast reads: cheaper than a second round of shuffles and a third barrier.
    for w in 0..warps {
        let total = warp_totals.get(w);
        if w < warp_index {
            before += total;
        }
        all += total;
    }
    thread::sync_threads();
    Scanned { before: before + inclusive - value, all }
}

/// The same of a block of many warps: each warp scans the totals of all, for which the threads need a few registers more.
#[inline(always)]
pub fn large_block_scan_exclusive(warp_totals: Shared<u32>, value: u32) -> Scanned<u32> {
    let warp_index = thread::thread_idx_x() / warp::SIZE;
    let warps = thread::block_dim_x() / warp::SIZE;
    let lane = warp::lane_id();
    let inclusive = warp::warp_scan_add_32(value);
    if lane == warp::SIZE - 1 {
        warp_totals.set(warp_index, inclusive);
    }
    thread::sync_threads();
    let mut total = 0;
    if lane < warps {
        total = warp_totals.get(lane);
    }
    let up_to = warp::warp_scan_add_32(total);
    let all = warp::warp_shuffle_idx(warp::ALL, up_to, warp::SIZE - 1);
    let before = warp::warp_shuffle_idx(warp::ALL, up_to - total, warp_index);
    thread::sync_threads();
    Scanned { before: before + inclusive - value, all }
}

/// For each thread, the largest `value` of the threads before it; 0 for the first.
///
/// `warp_maxima` has one element a warp. Contains two barriers.
#[inline(always)]
pub fn block_scan_max_exclusive(warp_maxima: Shared<u32>, value: u32) -> u32 {
    let warp_index = thread::thread_idx_x() / warp::SIZE;
    let mut inclusive = value;
    let mut distance = 1;
    while distance < warp::SIZE {
        let below = warp::warp_shuffle_up(warp::ALL, inclusive, distance);
        if warp::lane_id() >= distance {
            inclusive = inclusive.max(below);
        }
        distance *= 2;
    }
    if warp::lane_id() == warp::SIZE - 1 {
        warp_maxima.set(warp_index, inclusive);
    }
    let below = warp::warp_shuffle_up(warp::ALL, inclusive, 1);
    let mut largest = if warp::lane_id() == 0 { 0 } else { below };
    thread::sync_threads();
    for w in 0..warp_index {
        largest = largest.max(warp_maxima.get(w));
    }
    thread::sync_threads();
    largest
}

/// The same as [`block_scan_exclusive`] for 64-bit values, modulo 2⁶⁴.
#[inline(always)]
pub fn block_scan_exclusive_64(warp_totals: Shared<u64>, value: u64) -> Scanned<u64> {
    let warp_index = thread::thread_idx_x() / warp::SIZE;
    let warps = thread::block_dim_x() / warp::SIZE;
    let inclusive = warp_scan_add_64(value);
    if warp::lane_id() == warp::SIZE - 1 {
        warp_totals.set(warp_index, inclusive);
    }
    thread::sync_threads();
    let mut before = 0u64;
    let mut all = 0u64;
    for w in 0..warps {
        let total = warp_totals.get(w);
        if w < warp_index {
            before = before.wrapping_add(total);
        }
        all = all.wrapping_add(total);
    }
    thread::sync_threads();
    Scanned { before: before.wrapping_add(inclusive).wrapping_sub(value), all }
}

/// For each lane, the sum of `value` over the lanes below; and the sum over the whole warp. Both modulo 2⁶⁴ (a whole
/// warp takes part).
#[inline(always)]
pub fn warp_scan_exclusive_64(value: u64) -> Scanned<u64> {
    let inclusive = warp_scan_add_64(value);
    let last = warp::SIZE - 1;
    let low = warp::warp_shuffle_idx(warp::ALL, inclusive as u32, last);
    let high = warp::warp_shuffle_idx(warp::ALL, (inclusive >> 32) as u32, last);
    let all = u64::from(high) << 32 | u64::from(low);
    Scanned { before: inclusive.wrapping_sub(value), all }
}

/// The sum of `value` over this lane and the lanes below, modulo 2⁶⁴ (a whole warp takes part).
#[inline(always)]
fn warp_scan_add_64(mut value: u64) -> u64 {
    let mut distance = 1;
    while distance < warp::SIZE {
        let low = warp::warp_shuffle_up(warp::ALL, value as u32, distance);
        let high = warp::warp_shuffle_up(warp::ALL, (value >> 32) as u32, distance);
        if warp::lane_id() >= distance {
            value = value.wrapping_add(u64::from(high) << 32 | u64::from(low));
        }
        distance *= 2;
    }
    value
}
