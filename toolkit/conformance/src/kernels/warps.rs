//! What the lanes of a warp do together.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

macro_rules! exchanges {
    ($($name:ident: $type:ty, $combine:expr;)*) => {
        $(kernel!(
            /// Operation `which` on one value a lane, by the lanes of `mask`.
            #[requires(|shape| shape.threads() <= values.len(), out.len() >= values.len())]
            pub unsafe fn $name(values: In<$type>, out: InOut<$type>, which: u32, mask: u32, operand: u32) {
                let i = thread::index_1d();
                let value = values.get(i);
                if mask >> warp::lane_id() & 1 == 1 {
                    let result = match which {
                        0 => warp::warp_shuffle_idx(mask, value, operand),
                        1 => warp::warp_shuffle_up(mask, value, operand),
                        2 => warp::warp_shuffle_down(mask, value, operand),
                        3 => warp::warp_shuffle_xor(mask, value, operand),
                        // Of the whole warp.
                        _ => warp::warp_reduce(value, $combine),
                    };
                    out.set(i, result);
                }
            }
        );)*
    };
}

exchanges! {
    exchange_u32: u32, u32::max;
    exchange_i32: i32, i32::wrapping_add;
    exchange_f32: f32, |a, b| a + b;
    exchange_u64: u64, u64::wrapping_add;
    exchange_i64: i64, i64::min;
    exchange_f64: f64, |a, b| a + b;
}

kernel!(
    /// Operation `which` on one value a lane, by the lanes of `mask`, as a word of 32 bits.
    #[requires(|shape| shape.threads() <= values.len(), out.len() >= values.len())]
    pub unsafe fn decide(values: In<u32>, out: InOut<u32>, which: u32, mask: u32) {
        let i = thread::index_1d();
        let value = values.get(i);
        let wide = u64::from(value) << 32 | 7;
        if mask >> warp::lane_id() & 1 == 1 {
            let result = match which {
                0 => warp::warp_vote_ballot(mask, value % 2 == 1),
                1 => u32::from(warp::warp_vote_any(mask, value == 3)),
                2 => u32::from(warp::warp_vote_all(mask, value < 5)),
                3 => warp::warp_match_any(mask, value),
                4 => warp::warp_match_any(mask, wide),
                5 => u32::from(warp::warp_match_all(mask, value)),
                6 => u32::from(warp::warp_match_all(mask, wide as i64)),
                7 => warp::warp_reduce_add_32(mask, value),
                8 => warp::warp_reduce_min_32(mask, value),
                9 => warp::warp_reduce_max_32(mask, value),
                10 => warp::warp_reduce_and_32(mask, value),
                11 => warp::warp_reduce_or_32(mask, value),
                12 => warp::warp_reduce_xor_32(mask, value),
                13 => warp::warp_reduce_min_signed_32(mask, value as i32 - 4) as u32,
                14 => warp::warp_reduce_max_signed_32(mask, value as i32 - 4) as u32,
                // Whether the lane itself runs, and who else does is not determined.
                15 => warp::active_mask() >> warp::lane_id() & 1,
                _ => warp::lane_mask_lt(),
            };
            out.set(i, result);
        }
    }

    /// Reverses each warp's values through global memory.
    #[requires(|shape| shape.threads() <= values.len())]
    pub unsafe fn reverse_warps(values: InOut<u32>) {
        let i = thread::index_1d();
        warp::sync_warp(warp::ALL);
        let other = values.get(i ^ 31);
        warp::sync_warp(warp::ALL);
        values.set(i, other);
    }
);
