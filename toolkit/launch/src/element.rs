//! What arrays in device memory hold. Kernels and hosts share it, so this is compiled for both.

/// What can be stored in device memory: plain bytes of which every pattern is a value, without padding.
///
/// On a host these are the types that are [`bytemuck::Pod`]. Compiled for a GPU, where no crate of the host is
/// there, they are the numbers and what `tribin_device::element!` declares; that macro makes a structure an
/// element on both sides.
///
/// # Safety
/// Every bit pattern is a value, and there is no padding.
#[cfg(not(target_arch = "nvptx64"))]
pub unsafe trait Element: bytemuck::Pod + Send + Sync {}

// SAFETY: `Pod` promises the same.
#[cfg(not(target_arch = "nvptx64"))]
unsafe impl<T: bytemuck::Pod + Send + Sync> Element for T {}

/// What can be stored in device memory: plain bytes of which every pattern is a value, without padding.
///
/// # Safety
/// Every bit pattern is a value, and there is no padding.
#[cfg(target_arch = "nvptx64")]
pub unsafe trait Element: Copy + Send + Sync + 'static {}

#[cfg(target_arch = "nvptx64")]
macro_rules! numbers {
    ($($number:ident)*) => {
        $(
            // SAFETY: a number has no padding and no invalid patterns.
            unsafe impl Element for $number {}
        )*
    };
}

#[cfg(target_arch = "nvptx64")]
numbers!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64);

// SAFETY: the items of an array have no padding between them.
#[cfg(target_arch = "nvptx64")]
unsafe impl<T: Element, const N: usize> Element for [T; N] {}

/// Two 64-bit words that are read and written as one 16-byte access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(16))]
pub struct U64x2(pub [u64; 2]);

// SAFETY: two words of 8 bytes fill 16 bytes aligned to 16.
#[cfg(target_arch = "nvptx64")]
unsafe impl Element for U64x2 {}
// SAFETY: zero is a value of a word.
#[cfg(not(target_arch = "nvptx64"))]
unsafe impl bytemuck::Zeroable for U64x2 {}
// SAFETY: two words of 8 bytes fill 16 bytes aligned to 16.
#[cfg(not(target_arch = "nvptx64"))]
unsafe impl bytemuck::Pod for U64x2 {}
