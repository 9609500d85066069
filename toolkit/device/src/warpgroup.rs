//! Products of larger matrices on the tensor cores of compute capability 9.0, `wgmma.mma_async` (PTX ISA, "Asynchronous warpgroup level
//! matrix multiply-accumulate operation").
//!
//! Kernels are compiled for `sm_90a`, which runs on compute capability 9.0 and no other: `.arch("sm_90a").ptx_version("8.0")` of the
//! builder. [`matrix`](crate::matrix) has products for every GPU.
//!
//! A warpgroup is four warps, threads 128 i to 128 i + 127 of the block. Its operands are in shared memory: [`ROWS`] rows and [`COLUMNS`]
//! columns of [`WORDS`] words, each of two numbers, where [`word_of`] says. Both arrays begin at a multiple of 16 bytes. The sums are in
//! registers. With w the warp of the group, g = lane / 4 and t = lane mod 4, `sums[i]` is that of row 16 w + g + 8 (i / 2 mod 2) and column
//! 8 (i / 4) + 2 t + i mod 2.
//!
//! On a GPU products go on beside other instructions, but the registers of their sums must not be touched until they are done. rustc knows
//! nothing of that. So a call here waits for its products: a block of several warpgroups has one at work while others bring data.
//!
//! Every function here is under the [contract of a kernel](crate#the-contract-of-a-kernel): all threads of the warpgroup reach this same
//! call, with the same arrays, behind a barrier that orders what was written there. The emulator sees whether all of a warp do.

use crate::half::{Bf16x2, F16x2};
use crate::imp;
use crate::shared::Shared;

/// Rows of a product.
pub const ROWS: u32 = 64;
/// Columns of a product.
pub const COLUMNS: u32 = 128;
/// Words of a row or a column.
pub const WORDS: u32 = 32;

/// Where word `word` of row or column `line` is: eight lines by four words are side by side, 128 bytes.
#[inline(always)]
pub fn word_of(line: u32, word: u32) -> u32 {
    (line / 8 * (WORDS / 4) + word / 4) * 32 + line % 8 * 4 + word % 4
}

/// `sums` with the products of each row and column of 64 numbers of [`F16`](crate::half::F16), added as by
/// [`mma_f16`](crate::matrix::mma_f16).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn wgmma_f16(rows: Shared<F16x2>, columns: Shared<F16x2>, sums: [f32; 64]) -> [f32; 64] {
    imp::wgmma_f16(rows.base, columns.base, sums)
}

/// `sums` with the products of each row and column of 64 numbers of [`Bf16`](crate::half::Bf16), added as by
/// [`mma_f16`](crate::matrix::mma_f16).
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn wgmma_bf16(rows: Shared<Bf16x2>, columns: Shared<Bf16x2>, sums: [f32; 64]) -> [f32; 64] {
    imp::wgmma_bf16(rows.base, columns.base, sums)
}
