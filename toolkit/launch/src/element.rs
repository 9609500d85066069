//! What arrays in device memory hold. Kernels and hosts share it, so this is compiled for both.

/// What can be stored in device memory: plain bits of 2, 4, 8 or 16 bytes, aligned to their size.
///
/// # Safety
/// Every bit pattern is a value, there is no padding, and the alignment equals the size.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The type's name in reports.
    const NAME: &'static str;
}

// SAFETY: an integer has no padding and no invalid patterns, and is aligned to its size.
unsafe impl Element for u16 {
    const NAME: &'static str = "u16";
}
// SAFETY: as above.
unsafe impl Element for u32 {
    const NAME: &'static str = "u32";
}
// SAFETY: as above.
unsafe impl Element for u64 {
    const NAME: &'static str = "u64";
}

/// Two 64-bit words that are read and written as one 16-byte access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(16))]
pub struct U64x2(pub [u64; 2]);

// SAFETY: two words of 8 bytes fill 16 bytes aligned to 16.
unsafe impl Element for U64x2 {
    const NAME: &'static str = "u64x2";
}
