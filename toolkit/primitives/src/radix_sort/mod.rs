//! Stable radix sort of keys of 64 bits by digits of 8 or 9 bits, least significant first, one read and one
//! write of the keys a pass (Adinets and Merrill, "Onesweep", 2022; the count matrix and its scan
//! are 003's, section II-D, with the scan running along with the scatter).
//!
//! | launch | does |
//! | --- | --- |
//! | `radix_histogram` | counts the digits of all passes in one read (or the kernel that makes the keys does) |
//! | `radix_offsets` | where each digit starts, for every pass |
//! | `radix_scatter`, once a pass | ranks a tile's keys by digit, finds the tile's place by look-back, writes |
//!
//! A pass of 9 bits takes longer than one of 8: a tile has half as many keys of each digit, and writes shorter stretches. It pays
//! where it saves a pass.

mod histogram;
#[cfg(not(target_arch = "nvptx64"))]
#[path = "../../host/radix_sort.rs"]
mod launch;
mod offsets;
mod scatter;

use warpwise_device::memory::Element;

pub(crate) use histogram::count_digits;
pub use histogram::{HISTOGRAM_BLOCK, histogram_add, radix_histogram};
#[cfg(not(target_arch = "nvptx64"))]
pub use launch::*;
pub use offsets::{OFFSETS_SHARED_BYTES, radix_offsets};
pub use scatter::*;

/// Bits of a digit.
pub const DIGIT_BITS: u32 = 8;

/// Bits of a digit where these save a pass.
pub const WIDE_DIGIT_BITS: u32 = 9;

/// Values of a digit of [`DIGIT_BITS`].
pub const DIGITS: u32 = digits(DIGIT_BITS);

/// Values of a digit of this many bits.
pub const fn digits(digit_bits: u32) -> u32 {
    1 << digit_bits
}

/// Keys that are sorted.
pub trait Key: Element {
    /// No key is larger.
    const LARGEST: Self;

    /// The key's bits from `shift` on, which is below [`u32::BITS`] for keys of 32 bits, and as many of them as fit.
    fn bits_from(self, shift: u32) -> u64;
}

impl Key for u64 {
    const LARGEST: u64 = u64::MAX;

    #[inline(always)]
    fn bits_from(self, shift: u32) -> u64 {
        self >> shift
    }
}

impl Key for u32 {
    const LARGEST: u32 = u32::MAX;

    #[inline(always)]
    fn bits_from(self, shift: u32) -> u64 {
        u64::from(self >> shift)
    }
}
