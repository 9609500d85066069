//! What the formulas for bytes have in common.

/// More entries or vertices than any memory or disk holds: 2⁵⁴ entries are 128 PiB.
const MOST: u64 = 1 << 54;

/// A number of entries, edges or vertices as a formula for bytes takes it. A file's header may say any number, and a sum of bytes
/// has 64 bits: a number beyond 2⁵⁴ is taken for 2⁵⁴, because no machine has memory for either. The factors of a formula may
/// add up to 2⁹.
pub fn countable(number: u64) -> u64 {
    number.min(MOST)
}

/// Bytes of totals, scans and tickets, and of what allocations are rounded up by.
pub const ROUNDING: u64 = 64 << 10;
