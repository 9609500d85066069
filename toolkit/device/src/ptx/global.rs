//! Global memory.

use core::arch::asm;
use core::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

use tribin_launch::{OrderedAccess, Scope};

use crate::memory::Element;

/// A pointer into global memory.
#[derive(Clone, Copy)]
pub struct Global<T: Element>(*mut T);

/// A word of 4 or 8 bytes that atomic operations add to, exchange, read and write.
///
/// # Safety
/// The functions take a pointer to such a word, aligned.
pub trait AtomicWord: Element {
    unsafe fn add(at: *mut Self, value: Self) -> Self;
    unsafe fn exchange(at: *mut Self, value: Self) -> Self;
    unsafe fn load(at: *mut Self) -> Self;
    unsafe fn store(at: *mut Self, value: Self);
    unsafe fn ordered(at: *mut Self, access: OrderedAccess<Self>, scope: Scope) -> Self;
    unsafe fn add_shared(at: u32, value: Self) -> Self;
    unsafe fn exchange_shared(at: u32, value: Self) -> Self;
}

/// An integer, for the operations that compare or work on bits.
///
/// # Safety
/// As [`AtomicWord`].
pub trait AtomicInteger: AtomicWord {
    unsafe fn min(at: *mut Self, value: Self) -> Self;
    unsafe fn max(at: *mut Self, value: Self) -> Self;
    unsafe fn and(at: *mut Self, value: Self) -> Self;
    unsafe fn or(at: *mut Self, value: Self) -> Self;
    unsafe fn xor(at: *mut Self, value: Self) -> Self;
    unsafe fn compare_exchange(at: *mut Self, expected: Self, new: Self) -> Self;
    unsafe fn min_shared(at: u32, value: Self) -> Self;
    unsafe fn max_shared(at: u32, value: Self) -> Self;
    unsafe fn and_shared(at: u32, value: Self) -> Self;
    unsafe fn or_shared(at: u32, value: Self) -> Self;
    unsafe fn xor_shared(at: u32, value: Self) -> Self;
    unsafe fn compare_exchange_shared(at: u32, expected: Self, new: Self) -> Self;
}

/// Functions that update a word by a method of `core`'s atomic type.
macro_rules! by_core {
    ($atomic:ty: $($name:ident = $method:ident;)*) => {
        $(
            #[inline(always)]
            unsafe fn $name(at: *mut Self, value: Self) -> Self {
                // SAFETY: the caller's promise.
                unsafe { <$atomic>::from_ptr(at) }.$method(value, Relaxed)
            }
        )*
    };
}

/// Functions that update a word of shared memory by one instruction.
macro_rules! shared {
    ($register:ident: $($name:ident = $instruction:literal;)*) => {
        $(
            #[inline(always)]
            unsafe fn $name(at: u32, value: Self) -> Self {
                let before: Self;
                // SAFETY: the caller's promise.
                unsafe {
                    asm!(
                        concat!("atom.shared.", $instruction, " {}, [{}], {};"),
                        out($register) before, in(reg32) at, in($register) value, options(nostack)
                    );
                }
                before
            }
        )*
    };
}

/// An instruction on a word of global memory, whose address it finds in `%at`.
macro_rules! global {
    ($at:ident, $instruction:expr, $($operand:tt)*) => {
        asm!(
            "{{",
            ".reg .u64 %at;",
            "cvta.to.global.u64 %at, {at};",
            $instruction,
            "}}",
            at = in(reg64) $at, $($operand)*, options(nostack)
        )
    };
}

/// The instruction of a scope, of which `$head` stands before the scope and `$tail` behind it.
macro_rules! ordered {
    ($scope:ident, $at:ident, $head:literal, $tail:expr, $($operand:tt)*) => {
        match $scope {
            Scope::Block => global!($at, concat!($head, ".cta.global.", $tail), $($operand)*),
            Scope::Device => global!($at, concat!($head, ".gpu.global.", $tail), $($operand)*),
            Scope::System => global!($at, concat!($head, ".sys.global.", $tail), $($operand)*),
        }
    };
}

/// An access that orders others, of a word of so many bits. Once it is inlined, one instruction is left.
macro_rules! ordered_word {
    ($register:ident, $bits:literal, $add:literal) => {
        #[inline(always)]
        unsafe fn ordered(at: *mut Self, access: OrderedAccess<Self>, scope: Scope) -> Self {
            let before: Self;
            // SAFETY: the caller's promise.
            unsafe {
                match access {
                    OrderedAccess::Load => ordered!(
                        scope, at, "ld.acquire", concat!("b", $bits, " {before}, [%at];"), before = out($register) before
                    ),
                    OrderedAccess::Store(value) => {
                        ordered!(
                            scope, at, "st.release", concat!("b", $bits, " [%at], {value};"), value = in($register) value
                        );
                        before = value;
                    }
                    OrderedAccess::Add(value) => ordered!(
                        scope, at, "atom.acq_rel", concat!($add, " {before}, [%at], {value};"),
                        before = out($register) before, value = in($register) value
                    ),
                    OrderedAccess::Exchange(value) => ordered!(
                        scope, at, "atom.acq_rel", concat!("exch.b", $bits, " {before}, [%at], {value};"),
                        before = out($register) before, value = in($register) value
                    ),
                    OrderedAccess::CompareExchange(expected, new) => ordered!(
                        scope, at, "atom.acq_rel", concat!("cas.b", $bits, " {before}, [%at], {expected}, {new};"),
                        before = out($register) before, expected = in($register) expected, new = in($register) new
                    ),
                }
            }
            before
        }
    };
}

macro_rules! integer {
    (
        $word:ty, $atomic:ty, $register:ident $bits:literal, add $add:literal, exchange $exchange:literal,
        min $min:literal, max $max:literal, and $and:literal, or $or:literal, xor $xor:literal,
        compare_exchange $compare_exchange:literal
    ) => {
        impl AtomicWord for $word {
            by_core! { $atomic: add = fetch_add; exchange = swap; }
            ordered_word! { $register, $bits, $add }
            shared! { $register: add_shared = $add; exchange_shared = $exchange; }

            #[inline(always)]
            unsafe fn load(at: *mut Self) -> Self {
                // SAFETY: the caller's promise.
                unsafe { <$atomic>::from_ptr(at) }.load(Relaxed)
            }

            #[inline(always)]
            unsafe fn store(at: *mut Self, value: Self) {
                // SAFETY: the caller's promise.
                unsafe { <$atomic>::from_ptr(at) }.store(value, Relaxed);
            }
        }

        impl AtomicInteger for $word {
            by_core! {
                $atomic:
                min = fetch_min; max = fetch_max; and = fetch_and; or = fetch_or; xor = fetch_xor;
            }
            shared! {
                $register:
                min_shared = $min; max_shared = $max; and_shared = $and; or_shared = $or; xor_shared = $xor;
            }

            #[inline(always)]
            unsafe fn compare_exchange(at: *mut Self, expected: Self, new: Self) -> Self {
                let before: Self;
                // The scope is the GPU, as that of the others. That of `core`'s function is the system.
                // SAFETY: the caller's promise.
                unsafe {
                    global!(
                        at, concat!("atom.global.", $compare_exchange, " {before}, [%at], {expected}, {new};"),
                        before = out($register) before, expected = in($register) expected, new = in($register) new
                    );
                }
                before
            }

            #[inline(always)]
            unsafe fn compare_exchange_shared(at: u32, expected: Self, new: Self) -> Self {
                let before: Self;
                // SAFETY: the caller's promise.
                unsafe {
                    asm!(
                        concat!("atom.shared.", $compare_exchange, " {}, [{}], {}, {};"),
                        out($register) before, in(reg32) at, in($register) expected,
                        in($register) new, options(nostack)
                    );
                }
                before
            }
        }
    };
}

integer!(
    u32, AtomicU32, reg32 32, add "add.u32", exchange "exch.b32", min "min.u32", max "max.u32",
    and "and.b32", or "or.b32", xor "xor.b32", compare_exchange "cas.b32"
);
integer!(
    i32, AtomicI32, reg32 32, add "add.s32", exchange "exch.b32", min "min.s32", max "max.s32",
    and "and.b32", or "or.b32", xor "xor.b32", compare_exchange "cas.b32"
);
integer!(
    u64, AtomicU64, reg64 64, add "add.u64", exchange "exch.b64", min "min.u64", max "max.u64",
    and "and.b64", or "or.b64", xor "xor.b64", compare_exchange "cas.b64"
);
// Two's complement: the sum of unsigned words is that of signed ones.
integer!(
    i64, AtomicI64, reg64 64, add "add.u64", exchange "exch.b64", min "min.s64", max "max.s64",
    and "and.b64", or "or.b64", xor "xor.b64", compare_exchange "cas.b64"
);

macro_rules! real {
    ($word:ty, $atomic:ty, $register:ident $bits:literal, $add:literal, $exchange:literal) => {
        impl AtomicWord for $word {
            ordered_word! { $register, $bits, $add }
            shared! { $register: add_shared = $add; exchange_shared = $exchange; }

            #[inline(always)]
            unsafe fn add(at: *mut Self, value: Self) -> Self {
                let before: Self;
                // SAFETY: the caller's promise.
                unsafe {
                    global!(
                        at, concat!("atom.global.", $add, " {before}, [%at], {value};"),
                        before = out($register) before, value = in($register) value
                    );
                }
                before
            }

            #[inline(always)]
            unsafe fn exchange(at: *mut Self, value: Self) -> Self {
                // SAFETY: the caller's promise; both types have the same size and alignment.
                let word = unsafe { <$atomic>::from_ptr(at.cast()) };
                Self::from_bits(word.swap(value.to_bits(), Relaxed))
            }

            #[inline(always)]
            unsafe fn load(at: *mut Self) -> Self {
                // SAFETY: as above.
                let word = unsafe { <$atomic>::from_ptr(at.cast()) };
                Self::from_bits(word.load(Relaxed))
            }

            #[inline(always)]
            unsafe fn store(at: *mut Self, value: Self) {
                // SAFETY: as above.
                let word = unsafe { <$atomic>::from_ptr(at.cast()) };
                word.store(value.to_bits(), Relaxed);
            }
        }
    };
}

real!(f32, AtomicU32, reg32 32, "add.f32", "exch.b32");
real!(f64, AtomicU64, reg64 64, "add.f64", "exch.b64");

// SAFETY of the accesses: the kernel's contract is that `index` lies inside the array that the launch passed.

impl<T: Element> Global<T> {
    #[inline(always)]
    pub(crate) fn from_ptr(ptr: *mut T) -> Self {
        Global(ptr)
    }

    /// The element's address.
    #[inline(always)]
    pub(crate) fn at(self, index: u64) -> *mut T {
        // SAFETY: the kernel's contract, as above.
        unsafe { self.0.add(index as usize) }
    }

    #[inline(always)]
    pub(crate) fn load(self, index: u64) -> T {
        // SAFETY: the kernel's contract, as above.
        unsafe { self.at(index).read() }
    }

    #[inline(always)]
    pub(crate) fn store(self, index: u64, value: T) {
        // SAFETY: the kernel's contract, as above.
        unsafe { self.at(index).write(value) };
    }
}

macro_rules! atomics {
    ($($name:ident = $function:ident;)*) => {
        $(
            #[inline(always)]
            pub(crate) fn $name(self, index: u64, value: T) -> T {
                // SAFETY: the kernel's contract, as above.
                unsafe { T::$function(self.at(index), value) }
            }
        )*
    };
}

impl<T: AtomicWord> Global<T> {
    atomics! { atomic_add = add; atomic_exchange = exchange; }

    #[inline(always)]
    pub(crate) fn atomic_load(self, index: u64) -> T {
        // SAFETY: the kernel's contract, as above.
        unsafe { T::load(self.at(index)) }
    }

    #[inline(always)]
    pub(crate) fn atomic_store(self, index: u64, value: T) {
        // SAFETY: the kernel's contract, as above.
        unsafe { T::store(self.at(index), value) };
    }

    #[inline(always)]
    pub(crate) fn ordered(self, index: u64, access: OrderedAccess<T>, scope: Scope) -> T {
        // SAFETY: the kernel's contract, as above.
        unsafe { T::ordered(self.at(index), access, scope) }
    }
}

impl<T: AtomicInteger> Global<T> {
    atomics! {
        atomic_min = min; atomic_max = max; atomic_and = and; atomic_or = or; atomic_xor = xor;
    }

    #[inline(always)]
    pub(crate) fn atomic_compare_exchange(self, index: u64, expected: T, new: T) -> T {
        // SAFETY: the kernel's contract, as above.
        unsafe { T::compare_exchange(self.at(index), expected, new) }
    }
}
