//! The sum of the values of each key.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

/// The largest value: 32 of them fit 32 bits.
pub const LARGEST: u32 = u32::MAX / warp::SIZE;

kernel!(
    /// Adds to `sums[k]` the values of the first `n` elements with key `k`.
    ///
    /// Launch with at least `n` threads. Lanes of a warp with the same key add up their values, and one of them adds the
    /// sum to global memory. Keys are below the length of `sums`, and values at most `LARGEST`.
    #[requires(|shape|
        keys.len() >= n,
        values.len() >= n,
        !sums.is_empty(),
        shape.is_1d() && shape.threads() >= n,
        shape.block.x.is_multiple_of(32),
    )]
    pub unsafe fn reduce_by_key(keys: In<u32>, values: In<u32>, sums: InOut<u64>, n: u64) {
        let i = thread::index_1d();
        let active = warp::warp_vote_ballot(warp::ALL, i < n);
        if i < n {
            let key = keys.get(i);
            let alike = warp::warp_match_any(active, key);
            let sum = warp::warp_reduce_add_32(alike, values.get(i));
            if alike & warp::lane_mask_lt() == 0 {
                sums.atomic_add(u64::from(key), u64::from(sum));
            }
        }
    }
);
