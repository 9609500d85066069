//! Products of a warpgroup.

use warpwise_launch::{BFLOAT16, BINARY16, HalfFormat};

use crate::engine;
use crate::intrinsics::{ALL_LANES, of_halves, warp_vote_ballot};
use crate::shared::{SharedAccess, SharedBase};

/// The words of a row or a column, of which eight lines by four words are side by side.
#[track_caller]
fn words(matrix: SharedBase, line: usize) -> [u32; 32] {
    std::array::from_fn(|word| {
        let at = (line / 8 * 8 + word / 4) * 32 + line % 8 * 4 + word % 4;
        matrix.load(at as u32)
    })
}

#[track_caller]
fn wgmma(
    format: HalfFormat,
    rows: SharedBase,
    columns: SharedBase,
    mut sums: [f32; 64],
) -> [f32; 64] {
    warp_vote_ballot(ALL_LANES, true);
    let thread = engine::current().thread.get() as usize;
    let (warp, lane) = (thread / 32 % 4, thread % 32);
    let rows = [0, 8].map(|below| words(rows, 16 * warp + lane / 4 + below));
    for (pair, sums) in sums.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let columns = [0, 1].map(|right| words(columns, 8 * pair + lane % 4 * 2 + right));
        for (i, sum) in sums.iter_mut().enumerate() {
            let (row, column) = (rows[i / 2].as_chunks().0, columns[i % 2].as_chunks().0);
            for (row, column) in row.iter().zip(column) {
                *sum = of_halves(format, row, column, *sum);
            }
        }
    }
    sums
}

#[track_caller]
pub fn wgmma_f16(rows: SharedBase, columns: SharedBase, sums: [f32; 64]) -> [f32; 64] {
    wgmma(BINARY16, rows, columns, sums)
}

#[track_caller]
pub fn wgmma_bf16(rows: SharedBase, columns: SharedBase, sums: [f32; 64]) -> [f32; 64] {
    wgmma(BFLOAT16, rows, columns, sums)
}
