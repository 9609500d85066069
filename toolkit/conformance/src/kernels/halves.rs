//! 16-bit floating-point numbers, and products of small matrices of numbers.

use warpwise_device::half::{Bf16, Bf16x2, F16, F16x2};
use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, matrix, shared, thread, warp};

macro_rules! halves {
    ($($narrow:ident, $widen:ident, $fused:ident: $half:ident, $pair:ident;)*) => {
        $(kernel!(
            /// The nearest number of 16 bits of every `x`, which passes shared memory.
            #[requires(|shape| shape.block.x <= 32, shape.shared_bytes >= 64, shape.threads() <= x.len(), out.len() >= x.len())]
            pub unsafe fn $narrow(x: In<f32>, out: InOut<$half>) {
                let (i, me) = (thread::index_1d(), thread::thread_idx_x());
                let passed = shared::array::<$half>(0, 32);
                passed.set(me, $half::from_f32(x.get(i)));
                out.set(i, passed.get(me));
            }

            /// Every `x`, as wide as an `f32`.
            #[requires(|shape| shape.threads() <= x.len(), out.len() >= x.len())]
            pub unsafe fn $widen(x: In<$half>, out: InOut<f32>) {
                let i = thread::index_1d();
                out.set(i, x.get(i).to_f32());
            }

            /// The sum (0), the product (1) or `x * y + z` (2) of two numbers in each word.
            #[requires(|shape| shape.threads() <= x.len(), y.len() >= x.len(), z.len() >= x.len(), out.len() >= x.len())]
            pub unsafe fn $fused(x: In<$pair>, y: In<$pair>, z: In<$pair>, out: InOut<$pair>, which: u32) {
                let i = thread::index_1d();
                let (x, y) = (x.get(i), y.get(i));
                out.set(i, match which {
                    0 => x + y,
                    1 => x * y,
                    _ => x.fma(y, z.get(i)),
                });
            }
        );)*
    };
}

halves! {
    narrow_f16, widen_f16, fuse_f16: F16, F16x2;
    narrow_bf16, widen_bf16, fuse_bf16: Bf16, Bf16x2;
}

kernel!(
    /// The products of 16 rows and 8 columns of 8 words each, added to `sums`, by one warp: signed bytes (0), binary16 (1), bfloat16 (2)
    /// or `f32` (3).
    #[requires(|shape| shape.threads() == 32, rows.len() >= 128, columns.len() >= 64, sums.len() >= 128)]
    pub unsafe fn products(rows: In<u32>, columns: In<u32>, sums: InOut<u32>, which: u32) {
        let lane = warp::lane_id();
        let (g, t) = (lane / 4, lane % 4);
        let row = |row: u32, word: u32| rows.get(u64::from(8 * row + word));
        let column = |word: u32| columns.get(u64::from(8 * g + word));
        let a = [row(g, t), row(g + 8, t), row(g, t + 4), row(g + 8, t + 4)];
        let b = [column(t), column(t + 4)];
        let place = |i: u32| u64::from(8 * (g + i / 2 * 8) + 2 * t + i % 2);
        let before = [0, 1, 2, 3].map(|i| sums.get(place(i)));
        let floats = before.map(f32::from_bits);
        let tf32 = |word: u32| matrix::to_tf32(f32::from_bits(word)).to_bits();
        let after = match which {
            0 => {
                matrix::mma_signed_bytes(a, b, before.map(u32::cast_signed)).map(i32::cast_unsigned)
            }
            1 => matrix::mma_f16(a, b, floats).map(f32::to_bits),
            2 => matrix::mma_bf16(a, b, floats).map(f32::to_bits),
            _ => matrix::mma_tf32(a.map(tf32), b.map(tf32), floats).map(f32::to_bits),
        };
        for (i, &sum) in (0..).zip(&after) {
            sums.set(place(i), sum);
        }
    }
);
