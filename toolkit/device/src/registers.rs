//! Where a value is computed, for code that must fit a thread's registers.

use crate::imp;

/// The value, computed here and not where it is used; and to the compiler a new value, so that what
/// is derived from it is derived again and not kept in a register since an earlier time.
#[inline(always)]
pub fn pin_32(value: u32) -> u32 {
    imp::pin_32(value)
}
