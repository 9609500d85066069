//! Stable radix sort of 64-bit keys by 8-bit digits, least significant first, one read and one
//! write of the keys a pass (Adinets and Merrill, "Onesweep", 2022; the count matrix and its scan
//! are 003's, section II-D, with the scan running along with the scatter).
//!
//! | launch | does |
//! | --- | --- |
//! | `radix_histogram` | counts the digits of all passes in one read (or the kernel that makes the keys does) |
//! | `radix_offsets` | where each digit starts, for every pass |
//! | `radix_scatter`, once a pass | ranks a tile's keys by digit, finds the tile's place by look-back, writes |

mod histogram;
mod offsets;
mod scatter;

pub use histogram::{HISTOGRAM_BLOCK, histogram_add, radix_histogram};
pub use offsets::radix_offsets;
pub use scatter::{SCATTER_BLOCK, SCATTER_SHARED_BYTES, TILE, radix_scatter};

/// Bits of a digit.
pub const DIGIT_BITS: u32 = 8;

/// Values of a digit.
pub const DIGITS: u32 = 1 << DIGIT_BITS;

/// Passes that sort keys of `bits` bits.
pub const fn passes(bits: u32) -> u32 {
    bits.div_ceil(DIGIT_BITS)
}
