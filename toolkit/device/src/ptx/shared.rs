//! Shared memory. Rust has no address space for it, so accesses are inline assembly.

use core::arch::asm;
use core::mem::{MaybeUninit, transmute_copy};

use super::{AtomicInteger, AtomicWord};
use crate::memory::Element;

/// An address in the block's shared memory.
#[derive(Clone, Copy)]
pub(crate) struct SharedBase(u32);

macro_rules! loads_and_stores {
    ($($load:ident, $store:ident, $word:ty, $register:ident, $type:literal;)*) => {
        $(
            #[inline(always)]
            unsafe fn $load(at: u32) -> $word {
                let value: $word;
                // SAFETY: the caller's promise.
                unsafe {
                    asm!(
                        concat!("ld.shared.", $type, " {}, [{}];"), out($register) value,
                        in(reg32) at, options(pure, readonly, nostack)
                    );
                }
                value
            }

            #[inline(always)]
            unsafe fn $store(at: u32, value: $word) {
                // SAFETY: the caller's promise.
                unsafe {
                    asm!(
                        concat!("st.shared.", $type, " [{}], {};"), in(reg32) at,
                        in($register) value, options(nostack)
                    );
                }
            }
        )*
    };
}

// Bytes and halves take the lower part of a 32-bit register.
loads_and_stores! {
    load_8, store_8, u32, reg32, "u8";
    load_16, store_16, u32, reg32, "u16";
    load_32, store_32, u32, reg32, "u32";
    load_64, store_64, u64, reg64, "u64";
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

    #[inline(always)]
    pub(crate) fn load<T: Element>(self, index: u32) -> T {
        let at = self.at::<T>(index);
        // SAFETY: the kernel's contract, as above; every pattern of bytes is a value of an element, and the
        // sizes of the words and of the type are the same.
        unsafe {
            match (size_of::<T>(), align_of::<T>()) {
                (1, _) => transmute_copy(&(load_8(at) as u8)),
                (2, 2) => transmute_copy(&(load_16(at) as u16)),
                (4, 4) => transmute_copy(&load_32(at)),
                (8, 8) => transmute_copy(&load_64(at)),
                (_, align) => {
                    let mut value = MaybeUninit::<T>::uninit();
                    let to = value.as_mut_ptr();
                    let mut i = 0;
                    while i < size_of::<T>() {
                        let from = at + i as u32;
                        match align {
                            1 => to.cast::<u8>().add(i).write(load_8(from) as u8),
                            2 => to.cast::<u16>().add(i / 2).write(load_16(from) as u16),
                            4 => to.cast::<u32>().add(i / 4).write(load_32(from)),
                            _ => to.cast::<u64>().add(i / 8).write(load_64(from)),
                        }
                        i += if align < 8 { align } else { 8 };
                    }
                    value.assume_init()
                }
            }
        }
    }

    #[inline(always)]
    pub(crate) fn store<T: Element>(self, index: u32, value: T) {
        let at = self.at::<T>(index);
        // SAFETY: as in `load`; an element has no padding, so that all its bytes can be read.
        unsafe {
            match (size_of::<T>(), align_of::<T>()) {
                (1, _) => store_8(at, transmute_copy::<T, u8>(&value).into()),
                (2, 2) => store_16(at, transmute_copy::<T, u16>(&value).into()),
                (4, 4) => store_32(at, transmute_copy(&value)),
                (8, 8) => store_64(at, transmute_copy(&value)),
                (_, align) => {
                    let from = &raw const value;
                    let mut i = 0;
                    while i < size_of::<T>() {
                        let to = at + i as u32;
                        match align {
                            1 => store_8(to, from.cast::<u8>().add(i).read().into()),
                            2 => store_16(to, from.cast::<u16>().add(i / 2).read().into()),
                            4 => store_32(to, from.cast::<u32>().add(i / 4).read()),
                            _ => store_64(to, from.cast::<u64>().add(i / 8).read()),
                        }
                        i += if align < 8 { align } else { 8 };
                    }
                }
            }
        }
    }
}

macro_rules! atomics {
    ($($name:ident: $bound:ident = $function:ident;)*) => {
        impl SharedBase {
            $(
                #[inline(always)]
                pub(crate) fn $name<T: $bound>(self, index: u32, value: T) -> T {
                    // SAFETY: the kernel's contract, as above.
                    unsafe { T::$function(self.at::<T>(index), value) }
                }
            )*
        }
    };
}

atomics! {
    atomic_add: AtomicWord = add_shared;
    atomic_exchange: AtomicWord = exchange_shared;
    atomic_min: AtomicInteger = min_shared;
    atomic_max: AtomicInteger = max_shared;
    atomic_and: AtomicInteger = and_shared;
    atomic_or: AtomicInteger = or_shared;
    atomic_xor: AtomicInteger = xor_shared;
}

impl SharedBase {
    #[inline(always)]
    pub(crate) fn atomic_compare_exchange<T: AtomicInteger>(
        self,
        index: u32,
        expected: T,
        new: T,
    ) -> T {
        // SAFETY: the kernel's contract, as above.
        unsafe { T::compare_exchange_shared(self.at::<T>(index), expected, new) }
    }
}
