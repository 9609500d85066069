use warpwise_device::warp;

/// Wedges of a lane between two looks at whether there are more.
const ROUND: u32 = 2;

/// Bit d - 1, for d from 1 to `own`: whether the `bits` of the lane at distance d before this one pass, 1 or 0. Looks at
/// whether there are more after each `ROUND`. All lanes call it.
#[inline(always)]
pub fn passing_before(own: u32, bits: u32, passes: impl Fn(u32) -> u32) -> u32 {
    let most = warp::warp_reduce_max_32(warp::ALL, own);
    let mut found = 0u32;
    // The farthest first: every test shifts those before it up. A distance past the lanes gets some lane's bits, which
    // do not count.
    let mut distance = most.next_multiple_of(ROUND);
    while distance > 0 {
        for k in 0..ROUND {
            let other = warp::warp_shuffle_up(warp::ALL, bits, distance - k);
            found = found << 1 | passes(other);
        }
        distance -= ROUND;
    }
    found & ((1 << own) - 1)
}

/// Bit l, for l below `batch`: whether the `bits` of lane l pass, 1 or 0, on every lane by its own `passes`. All lanes call
/// it with the same `batch`, from 1 to 32.
#[inline(always)]
pub fn passing_of_batch(batch: u32, bits: u32, passes: impl Fn(u32) -> u32) -> u32 {
    let mut found = 0u32;
    let mut end = batch.next_multiple_of(ROUND);
    while end > 0 {
        let mut k = 1;
        while k <= ROUND {
            let other = warp::warp_shuffle_idx(warp::ALL, bits, end - k);
            found = found << 1 | passes(other);
            k += 1;
        }
        end -= ROUND;
    }
    found & (u32::MAX >> (warp::SIZE - batch))
}
