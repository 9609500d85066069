//! The passes of a radix sort.

use tribin_kernels::radix_sort::{DIGIT_BITS, WIDE_DIGIT_BITS};

/// The passes of a radix sort, each of which sorts by one digit of the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortPasses {
    /// How many.
    pub passes: u32,
    /// Bits of a digit: [`DIGIT_BITS`] or [`WIDE_DIGIT_BITS`].
    pub digit_bits: u32,
}

impl SortPasses {
    /// The passes that keys are sorted by groups of ranks with, the fastest first. With more there are as many as by both ranks, or
    /// groups are rows.
    pub const OF_GROUPS: [SortPasses; 4] =
        [SortPasses::narrow(1), SortPasses::narrow(2), SortPasses::wide(2), SortPasses::narrow(3)];

    /// `passes` passes by digits of [`DIGIT_BITS`].
    pub const fn narrow(passes: u32) -> SortPasses {
        SortPasses { passes, digit_bits: DIGIT_BITS }
    }

    /// `passes` passes by digits of [`WIDE_DIGIT_BITS`].
    pub const fn wide(passes: u32) -> SortPasses {
        SortPasses { passes, digit_bits: WIDE_DIGIT_BITS }
    }

    /// The passes by digits of [`DIGIT_BITS`] that sort by `bits` bits.
    pub const fn of_bits(bits: u32) -> SortPasses {
        SortPasses::narrow(bits.div_ceil(DIGIT_BITS))
    }

    /// Bits that are sorted by.
    pub const fn bits(self) -> u32 {
        self.passes * self.digit_bits
    }
}
