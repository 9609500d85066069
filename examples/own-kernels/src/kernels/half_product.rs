//! Products of matrices of 16-bit numbers, on the tensor cores.

use warpwise_device::half::F16x2;
use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, matrix, thread, warp};

/// Rows and columns of the product that a warp makes.
pub const TILE: [u32; 2] = [16, 8];

kernel!(
    /// `c = a * b` for matrices of `n` rows and columns: `a` and `c` row by row, `b` column by column, and two numbers in a
    /// word of `a` and `b`.
    ///
    /// Launch with a warp in a block, and as many blocks as there are tiles: `n / 8` across, and `n / 16` down.
    #[requires(|shape|
        n.is_multiple_of(16),
        shape.block.count() == 32,
        shape.grid == (n / 8, n / 16).into(),
        a.len() >= u64::from(n) * u64::from(n / 2),
        b.len() >= a.len(),
        c.len() >= u64::from(n) * u64::from(n),
    )]
    pub unsafe fn half_product(a: In<F16x2>, b: In<F16x2>, c: InOut<f32>, n: u32) {
        let (g, t) = (warp::lane_id() / 4, warp::lane_id() % 4);
        let [rows, columns] = TILE;
        let (top, left) = (rows * thread::block_idx_y(), columns * thread::block_idx_x());
        let words = n / 2;
        let word = |of: In<F16x2>, line: u32, word: u32| {
            of.get(u64::from(line) * u64::from(words) + u64::from(word)).to_word()
        };
        let mut sums = [0.0; 4];
        let mut k = t;
        while k < words {
            let (upper, lower) = (top + g, top + g + 8);
            let a = [
                word(a, upper, k),
                word(a, lower, k),
                word(a, upper, k + 4),
                word(a, lower, k + 4),
            ];
            let b = [word(b, left + g, k), word(b, left + g, k + 4)];
            sums = matrix::mma_f16(a, b, sums);
            k += 8;
        }
        for (i, &sum) in (0..).zip(&sums) {
            let (row, column) = (top + g + i / 2 * 8, left + 2 * t + i % 2);
            c.set(u64::from(row) * u64::from(n) + u64::from(column), sum);
        }
    }
);
