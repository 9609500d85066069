//! Words that atomic operations work on.

use warpwise_launch::{AtomicAccess, Element, bytemuck};

/// A number of 4 or 8 bytes that can be read, written and changed in one piece.
pub trait AtomicWord: Element {
    /// The word after an access.
    fn after(self, access: AtomicAccess<Self>) -> Self;
}

macro_rules! integers {
    ($($word:ty)*) => {
        $(
            impl AtomicWord for $word {
                fn after(self, access: AtomicAccess<Self>) -> Self {
                    match access {
                        AtomicAccess::Load => self,
                        AtomicAccess::Store(value) | AtomicAccess::Exchange(value) => value,
                        AtomicAccess::Add(value) => self.wrapping_add(value),
                        AtomicAccess::Min(value) => self.min(value),
                        AtomicAccess::Max(value) => self.max(value),
                        AtomicAccess::And(value) => self & value,
                        AtomicAccess::Or(value) => self | value,
                        AtomicAccess::Xor(value) => self ^ value,
                        AtomicAccess::CompareExchange(expected, new) if self == expected => new,
                        AtomicAccess::CompareExchange(..) => self,
                    }
                }
            }
        )*
    };
}

integers!(u32 u64 i32 i64);

macro_rules! reals {
    ($($word:ty)*) => {
        $(
            impl AtomicWord for $word {
                fn after(self, access: AtomicAccess<Self>) -> Self {
                    match access {
                        AtomicAccess::Add(value) => self + value,
                        AtomicAccess::Store(value) | AtomicAccess::Exchange(value) => value,
                        _ => self,
                    }
                }
            }
        )*
    };
}

reals!(f32 f64);

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
