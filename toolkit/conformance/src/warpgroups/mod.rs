//! What compute capability 9.0 has, and no other.

use warpwise_device::half::{Bf16x2, F16x2};
use warpwise_device::memory::{In, InOut};
use warpwise_device::warpgroup::{COLUMNS, ROWS, WORDS, wgmma_bf16, wgmma_f16, word_of};
use warpwise_device::{kernel, shared, thread};

kernel!(
    /// Adds to `sums`, row by row, the products of 64 rows and 128 columns of `steps` times 64 numbers, which are of `F16` or of `Bf16`.
    #[requires(
        |shape| shape.grid.count() == 1, shape.block == 128.into(), shape.shared_bytes >= (ROWS + COLUMNS) * WORDS * 4,
        rows.len() >= u64::from(ROWS * WORDS) * u64::from(steps), columns.len() >= u64::from(COLUMNS * WORDS) * u64::from(steps),
        sums.len() >= u64::from(ROWS * COLUMNS)
    )]
    pub unsafe fn multiply_in_warpgroup(
        rows: In<u32>,
        columns: In<u32>,
        sums: InOut<f32>,
        steps: u32,
        of_f16: bool,
    ) {
        let me = thread::thread_idx_x();
        let behind = ROWS * WORDS * 4;
        let (row_words, column_words) =
            (shared::array::<u32>(0, ROWS * WORDS), shared::array::<u32>(behind, COLUMNS * WORDS));
        let (top, left) = (me / 32 * 16 + me % 32 / 4, me % 4 * 2);
        let at = |i: u32| u64::from((top + i / 2 % 2 * 8) * COLUMNS + left + i / 4 * 8 + i % 2);
        let mut own = [0.0; 64];
        for i in 0..64 {
            own[i as usize] = sums.get(at(i));
        }
        let mut step = 0;
        while step < steps {
            for i in thread::strided(me..ROWS * WORDS, 128) {
                row_words.set(
                    word_of(i / WORDS, i % WORDS),
                    rows.get(u64::from(step * ROWS * WORDS + i)),
                );
            }
            for i in thread::strided(me..COLUMNS * WORDS, 128) {
                column_words.set(
                    word_of(i / WORDS, i % WORDS),
                    columns.get(u64::from(step * COLUMNS * WORDS + i)),
                );
            }
            thread::sync_threads();
            own = match of_f16 {
                true => wgmma_f16(
                    shared::array::<F16x2>(0, ROWS * WORDS),
                    shared::array(behind, COLUMNS * WORDS),
                    own,
                ),
                false => wgmma_bf16(
                    shared::array::<Bf16x2>(0, ROWS * WORDS),
                    shared::array(behind, COLUMNS * WORDS),
                    own,
                ),
            };
            thread::sync_threads();
            step += 1;
        }
        for i in 0..64 {
            sums.set(at(i), own[i as usize]);
        }
    }
);
