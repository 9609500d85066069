//! Products of a warp against their definition: matrices are cut into the lanes' registers, and the sums
//! put together again.

use warpwise_device::emulated::{Config, Emulator, EmulatorError};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::matrix::{mma_bytes, mma_common_bits};
use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

kernel!(
    /// A product: every lane has four words of rows, two of columns and four sums.
    #[requires(rows.len() == 128, columns.len() == 64, sums.len() == 128)]
    pub unsafe fn multiply(rows: In<u32>, columns: In<u32>, sums: InOut<u32>, bytes: u32) {
        let lane = thread::index_1d();
        let rows = core::array::from_fn(|k| rows.get(4 * lane + k as u64));
        let columns = core::array::from_fn(|k| columns.get(2 * lane + k as u64));
        let before = core::array::from_fn(|k| sums.get(4 * lane + k as u64));
        let after = if bytes != 0 {
            mma_bytes(rows, columns, before)
        } else {
            mma_common_bits(rows, columns, before)
        };
        for (k, sum) in after.into_iter().enumerate() {
            sums.set(4 * lane + k as u64, sum);
        }
    }
);

/// Where the lanes have them: lane and register of a word of 16 rows, of 8 columns, and of a sum.
fn row_register(row: usize, word: usize) -> usize {
    4 * (row % 8 * 4 + word % 4) + row / 8 + word / 4 * 2
}

fn column_register(column: usize, word: usize) -> usize {
    2 * (column * 4 + word % 4) + word / 4
}

fn sum_register(row: usize, column: usize) -> usize {
    4 * (row % 8 * 4 + column / 2) + row / 8 * 2 + column % 2
}

/// Numbers without a pattern.
fn draw(state: &mut u64) -> u32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 32) as u32
}

#[test]
fn products_are_sums_of_common_bits_and_of_bytes() -> Result<(), EmulatorError> {
    let mut state = 1;
    for seed in 0..20 {
        for bytes in [false, true] {
            // Once all ones, the largest sums.
            let mut word = || if seed == 0 { u32::MAX } else { draw(&mut state) };
            let rows: [[u32; 8]; 16] = [(); 16].map(|()| [(); 8].map(|()| word()));
            let columns: [[u32; 8]; 8] = [(); 8].map(|()| [(); 8].map(|()| word()));
            let sums: [[u32; 8]; 16] = [(); 16].map(|()| [(); 8].map(|()| word()));
            let (mut a, mut b, mut c, mut expected) = ([0; 128], [0; 64], [0; 128], [0; 128]);
            for row in 0..16 {
                for k in 0..8 {
                    a[row_register(row, k)] = rows[row][k];
                    b[column_register(row % 8, k)] = columns[row % 8][k];
                    c[sum_register(row, k)] = sums[row][k];
                    let both = rows[row].iter().zip(&columns[k]);
                    let product: u32 = if bytes {
                        both.flat_map(|(x, y)| x.to_le_bytes().into_iter().zip(y.to_le_bytes()))
                            .map(|(x, y)| u32::from(x) * u32::from(y))
                            .sum()
                    } else {
                        both.map(|(x, y)| (x & y).count_ones()).sum()
                    };
                    expected[sum_register(row, k)] = sums[row][k].wrapping_add(product);
                }
            }
            let emulator = Emulator::with(Config::seeded(seed));
            let a = Buffer::from_host(&emulator, &a)?;
            let b = Buffer::from_host(&emulator, &b)?;
            let mut c = Buffer::from_host(&emulator, &c)?;
            let shape = Shape::new(1, 32);
            multiply(&emulator, shape, a.view(), b.view(), c.view_mut(), u32::from(bytes))?;
            assert_eq!(c.to_vec(&emulator)?, expected, "bytes {bytes}, seed {seed}");
        }
    }
    Ok(())
}
