use warpwise_device::memory::InOut;
use warpwise_device::warp;

/// Takes `count` places for each lane from `totals[index]`, with one addition a warp; returns the
/// lane's first. The whole warp calls it.
///
/// The lanes' places lie side by side, in the order of the lanes. A lane's `count` is below 2³², and
/// the warp's together below 2³⁷.
#[inline(always)]
pub fn warp_append(totals: InOut<u64>, index: u64, count: u64) -> u64 {
    let lane = warp::lane_id();
    let mut inclusive = count;
    let mut distance = 1;
    while distance < warp::SIZE {
        let low = warp::warp_shuffle_up(warp::ALL, inclusive as u32, distance);
        let high = warp::warp_shuffle_up(warp::ALL, (inclusive >> 32) as u32, distance);
        if lane >= distance {
            inclusive += u64::from(high) << 32 | u64::from(low);
        }
        distance *= 2;
    }
    let mut first = 0;
    if lane == warp::SIZE - 1 {
        first = totals.atomic_add(index, inclusive);
    }
    let low = warp::warp_shuffle_idx(warp::ALL, first as u32, warp::SIZE - 1);
    let high = warp::warp_shuffle_idx(warp::ALL, (first >> 32) as u32, warp::SIZE - 1);
    (u64::from(high) << 32 | u64::from(low)) + (inclusive - count)
}
