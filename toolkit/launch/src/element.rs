//! What arrays in device memory hold, and for whom accesses to them are ordered. Kernels and hosts share it, so this is compiled for both.

/// What can be stored in device memory: plain bytes of which every pattern is a value, without padding.
///
/// On a host these are the types that are [`bytemuck::Pod`]. Compiled for a GPU, where no crate of the host is
/// there, `warpwise_device` has a trait of the same name, of the numbers and of what its macro `element!`
/// declares; that macro makes a structure an element on both sides.
///
/// # Safety
/// Every bit pattern is a value, and there is no padding.
#[cfg(not(target_arch = "nvptx64"))]
#[diagnostic::on_unimplemented(
    message = "device memory holds no `{Self}`",
    note = "it holds numbers, arrays of them, and structures that `warpwise_device::element!` declares"
)]
pub unsafe trait Element: bytemuck::Pod + Send + Sync {}

// SAFETY: `Pod` promises the same.
#[cfg(not(target_arch = "nvptx64"))]
unsafe impl<T: bytemuck::Pod + Send + Sync> Element for T {}

/// Two 64-bit words that are read and written as one 16-byte access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(16))]
pub struct U64x2(pub [u64; 2]);

// SAFETY: zero is a value of a word.
#[cfg(not(target_arch = "nvptx64"))]
unsafe impl bytemuck::Zeroable for U64x2 {}
// SAFETY: two words of 8 bytes fill 16 bytes aligned to 16.
#[cfg(not(target_arch = "nvptx64"))]
unsafe impl bytemuck::Pod for U64x2 {}

/// The threads that an ordered access orders the accesses of its own thread for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The threads of the same block.
    Block,
    /// All threads of the device.
    Device,
    /// All threads of the device, the host, and other devices.
    System,
}

/// What an atomic access does to a word. Floating-point numbers are read, written, added to and exchanged.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum AtomicAccess<T> {
    /// Reads it.
    Load,
    /// Writes it.
    Store(T),
    /// Adds to it.
    Add(T),
    /// Replaces it.
    Exchange(T),
    /// Replaces a larger number.
    Min(T),
    /// Replaces a smaller number.
    Max(T),
    /// Keeps its bits alone.
    And(T),
    /// Sets its bits.
    Or(T),
    /// Flips its bits.
    Xor(T),
    /// Replaces the first number, and no other, by the second.
    CompareExchange(T, T),
}

/// Whose value a lane of a warp takes.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shuffle {
    /// That of a lane.
    Index,
    /// That of the lane as far below as the operand says.
    Up,
    /// That of the lane as far above as the operand says.
    Down,
    /// That of the lane whose number has other bits.
    Xor,
}

/// How the values of lanes become one.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarpReduction {
    /// Their sum.
    Add,
    /// The least.
    Min,
    /// The largest.
    Max,
    /// The bits that all have.
    And,
    /// The bits that any has.
    Or,
    /// The bits that an odd number of them has.
    Xor,
    /// The least, of signed numbers.
    MinSigned,
    /// The largest, of signed numbers.
    MaxSigned,
}
