//! What arrays in device memory hold. Kernels and hosts share it, so this is compiled for both.

/// What can be stored in device memory: plain bits of 2, 4, 8 or 16 bytes, aligned to their size.
///
/// # Safety
/// Every bit pattern is a value, there is no padding, and the alignment equals the size.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The type's name in reports.
    const NAME: &'static str;
}

macro_rules! element {
    ($($number:ident)*) => {
        $(
            const _: () = assert!(align_of::<$number>() == size_of::<$number>());
            // SAFETY: a number has no padding and no invalid patterns, and the alignment was checked.
            unsafe impl Element for $number {
                const NAME: &'static str = stringify!($number);
            }
        )*
    };
}

element!(u16 u32 u64 i16 i32 i64 f32 f64);

/// Two 64-bit words that are read and written as one 16-byte access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(16))]
pub struct U64x2(pub [u64; 2]);

// SAFETY: two words of 8 bytes fill 16 bytes aligned to 16.
unsafe impl Element for U64x2 {
    const NAME: &'static str = "u64x2";
}
