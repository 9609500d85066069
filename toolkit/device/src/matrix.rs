//! Products of small matrices on the tensor cores, `mma.sync` (PTX ISA, "Matrix multiply-accumulate
//! operation using mma instruction").
//!
//! A warp holds an operand of 16 rows, one of 8 columns, and their sums. With g = lane / 4 and
//! t = lane mod 4, lane's registers are these 32-bit words of a row or column of eight words. A word holds 32 bits, four bytes, two
//! numbers of [`half`](crate::half), of which the first is in the lower half, or one `f32`:
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

macro_rules! products {
    ($($(#[$meta:meta])* $name:ident($type:ty);)*) => {
        $(
            $(#[$meta])*
            #[inline(always)]
            #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
            pub fn $name(rows: [u32; 4], columns: [u32; 2], sums: [$type; 4]) -> [$type; 4] {
                imp::$name(rows, columns, sums)
            }
        )*
    };
}

products! {
    /// `sums` with the number of bits that each row and column have in common: 256 bits each.
    mma_common_bits(u32);
    /// `sums` with the products of each row and column of 32 unsigned bytes.
    mma_bytes(u32);
    /// `sums` with the products of each row and column of 32 signed bytes.
    mma_signed_bytes(i32);
    /// `sums` with the products of each row and column of 16 numbers of [`F16`](crate::half::F16).
    ///
    /// The products are exact. They are added in an order and with a precision that the GPU chooses, at least that of `f32`.
    mma_f16(f32);
    /// `sums` with the products of each row and column of 16 numbers of [`Bf16`](crate::half::Bf16), added as by [`mma_f16`].
    mma_bf16(f32);
    /// `sums` with the products of each row and column of 8 numbers that [`to_tf32`] has rounded, by their bits, added as by
    /// [`mma_f16`].
    mma_tf32(f32);
}

/// The nearest number with 10 bits of fraction, the larger one by magnitude where two are as near: what [`mma_tf32`] takes.
#[inline(always)]
pub fn to_tf32(value: f32) -> f32 {
    #[cfg(target_arch = "nvptx64")]
    let rounded = imp::to_tf32(value);
    #[cfg(not(target_arch = "nvptx64"))]
    let rounded = match value.is_finite() {
        true => f32::from_bits((value.to_bits() + (1 << 12)) & !((1 << 13) - 1)),
        false => value,
    };
    rounded
}
