//! Shared memory. Rust has no address space for it, so accesses are inline assembly.

use core::arch::asm;
use core::convert::identity;
use core::mem::MaybeUninit;

use warpwise_launch::AtomicAccess;

use super::AtomicWord;

/// An address in the block's shared memory.
#[derive(Clone, Copy)]
pub struct SharedBase(u32);

macro_rules! loads_and_stores {
    ($space:literal, $($load:ident, $store:ident, $word:ty, $register:ident, $type:literal;)*) => {
        $(
            #[inline(always)]
            pub(super) unsafe fn $load(at: u32) -> $word {
                let value: $word;
                // SAFETY: the caller's promise.
                unsafe {
                    asm!(
                        concat!("ld.", $space, ".", $type, " {}, [{}];"), out($register) value,
                        in(reg32) at, options(pure, readonly, nostack)
                    );
                }
                value
            }

            #[inline(always)]
            pub(super) unsafe fn $store(at: u32, value: $word) {
                // SAFETY: the caller's promise.
                unsafe {
                    asm!(
                        concat!("st.", $space, ".", $type, " [{}], {};"), in(reg32) at,
                        in($register) value, options(nostack)
                    );
                }
            }
        )*
    };
}

// Bytes and halves take the lower part of a 32-bit register.
loads_and_stores! {
    "shared",
    load_8, store_8, u32, reg32, "u8";
    load_16, store_16, u32, reg32, "u16";
    load_32, store_32, u32, reg32, "u32";
    load_64, store_64, u64, reg64, "u64";
}

// Those of a block of the cluster, from sm_90 on.
loads_and_stores! {
    "shared::cluster",
    load_cluster_32, store_cluster_32, u32, reg32, "u32";
    load_cluster_64, store_cluster_64, u64, reg64, "u64";
}

/// Two words that one instruction loads. The address is aligned to 16.
#[inline(always)]
unsafe fn load_128(at: u32) -> [u64; 2] {
    let (low, high): (u64, u64);
    // SAFETY: the caller's promise.
    unsafe {
        asm!(
            "ld.shared.v2.u64 {{{}, {}}}, [{}];", out(reg64) low, out(reg64) high, in(reg32) at,
            options(pure, readonly, nostack)
        );
    }
    [low, high]
}

/// Writes two words by one instruction. The address is aligned to 16.
#[inline(always)]
unsafe fn store_128(at: u32, [low, high]: [u64; 2]) {
    // SAFETY: the caller's promise.
    unsafe {
        asm!(
            "st.shared.v2.u64 [{}], {{{}, {}}};", in(reg32) at, in(reg64) low, in(reg64) high,
            options(nostack)
        );
    }
}

/// What can be stored in device memory: plain bytes of which every pattern is a value, without padding.
///
/// # Safety
/// Every bit pattern is a value, and there is no padding.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The value at an address in shared memory.
    ///
    /// # Safety
    /// The address is inside the block's memory, and aligned to the type.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn load_shared(at: u32) -> Self {
        // SAFETY: the caller's promise.
        unsafe { load_words(at) }
    }

    /// Writes the value at an address in shared memory.
    ///
    /// # Safety
    /// As [`load_shared`](Self::load_shared).
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn store_shared(at: u32, value: Self) {
        // SAFETY: the caller's promise.
        unsafe { store_words(at, value) };
    }
}

/// Numbers that one instruction loads and stores. A generic function that chooses among the instructions
/// would be too long to be inlined before the compiler looks for branches that it can join.
macro_rules! numbers {
    ($($number:ty, $load:ident, $store:ident, $from_word:expr, $to_word:expr;)*) => {
        $(
            // SAFETY: a number has no padding and no invalid patterns.
            unsafe impl Element for $number {
                #[inline(always)]
                unsafe fn load_shared(at: u32) -> Self {
                    // SAFETY: the caller's promise.
                    $from_word(unsafe { $load(at) })
                }

                #[inline(always)]
                unsafe fn store_shared(at: u32, value: Self) {
                    // SAFETY: the caller's promise.
                    unsafe { $store(at, $to_word(value)) };
                }
            }
        )*
    };
}

numbers! {
    u8, load_8, store_8, |word| word as u8, u32::from;
    i8, load_8, store_8, |word| word as i8, |value| value as u32;
    u16, load_16, store_16, |word| word as u16, u32::from;
    i16, load_16, store_16, |word| word as i16, |value| value as u32;
    u32, load_32, store_32, identity, identity;
    i32, load_32, store_32, u32::cast_signed, i32::cast_unsigned;
    f32, load_32, store_32, f32::from_bits, f32::to_bits;
    u64, load_64, store_64, identity, identity;
    i64, load_64, store_64, u64::cast_signed, i64::cast_unsigned;
    f64, load_64, store_64, f64::from_bits, f64::to_bits;
}

// SAFETY: numbers of two words.
unsafe impl Element for u128 {}
// SAFETY: as above.
unsafe impl Element for i128 {}
// SAFETY: two words of 8 bytes fill 16 bytes aligned to 16.
unsafe impl Element for warpwise_launch::U64x2 {}
// SAFETY: the items of an array have no padding between them.
unsafe impl<T: Element, const N: usize> Element for [T; N] {}

/// A value of any type, by the words that it is aligned to.
///
/// # Safety
/// As [`Element::load_shared`].
#[inline(always)]
unsafe fn load_words<T: Element>(at: u32) -> T {
    let mut value = MaybeUninit::<T>::uninit();
    let to = value.as_mut_ptr();
    let align = align_of::<T>();
    let mut i = 0;
    // SAFETY: the caller's promise; every pattern of bytes is a value of an element.
    unsafe {
        while i < size_of::<T>() {
            let from = at + i as u32;
            match align {
                1 => to.cast::<u8>().add(i).write(load_8(from) as u8),
                2 => to.cast::<u16>().add(i / 2).write(load_16(from) as u16),
                4 => to.cast::<u32>().add(i / 4).write(load_32(from)),
                8 => to.cast::<u64>().add(i / 8).write(load_64(from)),
                _ => to.cast::<[u64; 2]>().add(i / 16).write(load_128(from)),
            }
            i += if align < 16 { align } else { 16 };
        }
        value.assume_init()
    }
}

/// Writes a value of any type, by the words that it is aligned to.
///
/// # Safety
/// As [`Element::store_shared`].
#[inline(always)]
unsafe fn store_words<T: Element>(at: u32, value: T) {
    let from = &raw const value;
    let align = align_of::<T>();
    let mut i = 0;
    // SAFETY: the caller's promise; an element has no padding, so that all its bytes can be read.
    unsafe {
        while i < size_of::<T>() {
            let to = at + i as u32;
            match align {
                1 => store_8(to, from.cast::<u8>().add(i).read().into()),
                2 => store_16(to, from.cast::<u16>().add(i / 2).read().into()),
                4 => store_32(to, from.cast::<u32>().add(i / 4).read()),
                8 => store_64(to, from.cast::<u64>().add(i / 8).read()),
                _ => store_128(to, from.cast::<[u64; 2]>().add(i / 16).read()),
            }
            i += if align < 16 { align } else { 16 };
        }
    }
}

// SAFETY of the accesses: the kernel's contract is that `index` lies inside the array, and that the launch
// gives as much shared memory as the array takes.

impl SharedBase {
    #[inline(always)]
    pub(crate) fn new(byte_offset: u32, _bytes: u32) -> SharedBase {
        let base: u32;
        // SAFETY: reads an address.
        unsafe {
            asm!("mov.u32 {}, dynamic_shared;", out(reg32) base, options(pure, nomem, nostack));
        }
        SharedBase(base + byte_offset)
    }

    /// The element's address.
    #[inline(always)]
    pub(crate) fn at<T>(self, index: u32) -> u32 {
        self.0 + index * size_of::<T>() as u32
    }
}

/// Accesses to an array in shared memory.
pub trait SharedAccess: Copy {
    fn load<T: Element>(self, index: u32) -> T;
    fn store<T: Element>(self, index: u32, value: T);
    fn atomic<T: AtomicWord>(self, index: u32, access: AtomicAccess<T>) -> T;
}

impl SharedAccess for SharedBase {
    #[inline(always)]
    fn load<T: Element>(self, index: u32) -> T {
        // SAFETY: the kernel's contract, as above.
        unsafe { T::load_shared(self.at::<T>(index)) }
    }

    #[inline(always)]
    fn store<T: Element>(self, index: u32, value: T) {
        // SAFETY: the kernel's contract, as above.
        unsafe { T::store_shared(self.at::<T>(index), value) };
    }

    #[inline(always)]
    fn atomic<T: AtomicWord>(self, index: u32, access: AtomicAccess<T>) -> T {
        // SAFETY: the kernel's contract, as above.
        unsafe { T::shared(self.at::<T>(index), access) }
    }
}
