use core::num::Wrapping;
use core::ops::{Add, Sub};

use warpwise_device::shared::Shared;
use warpwise_device::warp::WarpValue;
use warpwise_device::{thread, warp};

/// Integers, which scans add up modulo the range of their type.
pub trait Summand: WarpValue + Default {
    /// The sum.
    fn plus(self, other: Self) -> Self;

    /// The difference.
    fn minus(self, other: Self) -> Self;
}

impl<T: WarpValue + Default> Summand for T
where
    Wrapping<T>: Add<Output = Wrapping<T>> + Sub<Output = Wrapping<T>>,
{
    #[inline(always)]
    fn plus(self, other: T) -> T {
        (Wrapping(self) + Wrapping(other)).0
    }

    #[inline(always)]
    fn minus(self, other: T) -> T {
        (Wrapping(self) - Wrapping(other)).0
    }
}

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
pub fn block_scan_exclusive<T: Summand>(warp_totals: Shared<T>, value: T) -> Scanned<T> {
    let warp_index = thread::thread_idx_x() / warp::SIZE;
    let warps = thread::block_dim_x() / warp::SIZE;
    let inclusive = warp_scan_add(value);
    if warp::lane_id() == warp::SIZE - 1 {
        warp_totals.set(warp_index, inclusive);
    }
    thread::sync_threads();
    let mut before = T::default();
    let mut all = T::default();
    // At most 32 broadcast reads: cheaper than a second round of shuffles and a third barrier.
    for w in 0..warps {
        let total = warp_totals.get(w);
        if w < warp_index {
            before = before.plus(total);
        }
        all = all.plus(total);
    }
    thread::sync_threads();
    Scanned { before: before.plus(inclusive).minus(value), all }
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

/// For each lane, the sum of `value` over the lanes below; and the sum over the whole warp (which takes part as a whole).
#[inline(always)]
pub fn warp_scan_exclusive<T: Summand>(value: T) -> Scanned<T> {
    let inclusive = warp_scan_add(value);
    let all = warp::warp_shuffle_idx(warp::ALL, inclusive, warp::SIZE - 1);
    Scanned { before: inclusive.minus(value), all }
}

/// The sum of `value` over this lane and the lanes below (a whole warp takes part).
#[inline(always)]
fn warp_scan_add<T: Summand>(mut value: T) -> T {
    let mut distance = 1;
    while distance < warp::SIZE {
        let below = warp::warp_shuffle_up(warp::ALL, value, distance);
        if warp::lane_id() >= distance {
            value = value.plus(below);
        }
        distance *= 2;
    }
    value
}
