//! Products of small matrices on the tensor cores, `mma.sync` (PTX ISA, "Matrix multiply-accumulate
//! operation using mma instruction").
//!
//! A warp holds an operand of 16 rows, one of 8 columns, and their sums. With g = lane / 4 and
//! t = lane mod 4, lane's registers are these 32-bit words of a row or column of eight words:
//!
//! | registers | row or column | word |
//! | --- | --- | --- |
//! | `rows[0]`, `rows[2]` | row g | t, t + 4 |
//! | `rows[1]`, `rows[3]` | row g + 8 | t, t + 4 |
//! | `columns[0]`, `columns[1]` | column g | t, t + 4 |
//! | `sums[0]`, `sums[1]` | row g | columns 2t, 2t + 1 |
//! | `sums[2]`, `sums[3]` | row g + 8 | columns 2t, 2t + 1 |
//!
//! Every function here is under the [contract of a kernel](crate#the-contract-of-a-kernel): all lanes of the warp reach
//! this same call.

use crate::imp;

/// `sums` with the number of bits that each row and column have in common: 256 bits each.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn mma_common_bits(rows: [u32; 4], columns: [u32; 2], sums: [u32; 4]) -> [u32; 4] {
    imp::mma_common_bits(rows, columns, sums)
}

/// `sums` with the products of each row and column of 32 unsigned bytes.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn mma_bytes(rows: [u32; 4], columns: [u32; 2], sums: [u32; 4]) -> [u32; 4] {
    imp::mma_bytes(rows, columns, sums)
}
