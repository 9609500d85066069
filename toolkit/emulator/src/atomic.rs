//! Words that atomic operations work on.

use std::ops::{BitAnd, BitOr, BitXor};

use tribin_launch::{Element, bytemuck};

/// A number of 4 or 8 bytes that can be added to, exchanged, read and written in one piece.
pub trait AtomicWord: Element {
    /// The sum: of integers modulo the word's range.
    fn sum(self, other: Self) -> Self;
}

/// An integer of 4 or 8 bytes, for the operations that compare or work on bits.
pub trait AtomicInteger:
    AtomicWord + Ord + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
}

macro_rules! integers {
    ($($word:ty)*) => {
        $(
            impl AtomicWord for $word {
                fn sum(self, other: Self) -> Self {
                    self.wrapping_add(other)
                }
            }

            impl AtomicInteger for $word {}
        )*
    };
}

integers!(u32 u64 i32 i64);

impl AtomicWord for f32 {
    fn sum(self, other: Self) -> Self {
        self + other
    }
}

impl AtomicWord for f64 {
    fn sum(self, other: Self) -> Self {
        self + other
    }
}

/// A word from its bits: the lower ones of a word of 4 bytes.
#[inline]
pub(crate) fn from_word<T: AtomicWord>(word: u64) -> T {
    match size_of::<T>() {
        4 => bytemuck::pod_read_unaligned(&(word as u32).to_ne_bytes()),
        _ => bytemuck::pod_read_unaligned(&word.to_ne_bytes()),
    }
}

/// The bits of a word.
#[inline]
pub(crate) fn to_word<T: AtomicWord>(value: T) -> u64 {
    match size_of::<T>() {
        4 => bytemuck::pod_read_unaligned::<u32>(bytemuck::bytes_of(&value)).into(),
        _ => bytemuck::pod_read_unaligned(bytemuck::bytes_of(&value)),
    }
}
