//! Global memory.

use core::arch::asm;
use core::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};

use warpwise_launch::{AtomicAccess, Scope};

use crate::memory::Element;

/// A pointer into global memory.
#[derive(Clone, Copy)]
pub struct Global<T: Element>(*mut T);

/// A word of 4 or 8 bytes that atomic operations work on. Once an access is inlined, one instruction is left.
///
/// # Safety
/// The functions take a pointer to such a word, aligned, and an access that there is for its type.
pub trait AtomicWord: Element {
    unsafe fn relaxed(at: *mut Self, access: AtomicAccess<Self>) -> Self;
    unsafe fn ordered(at: *mut Self, access: AtomicAccess<Self>, scope: Scope) -> Self;
    unsafe fn shared(at: u32, access: AtomicAccess<Self>) -> Self;
    unsafe fn in_cluster(at: u32, access: AtomicAccess<Self>) -> Self;
}

/// An access that there is not for its type, or not in its memory.
///
/// # Safety
/// Nothing comes here: no accessor of a kernel makes such an access.
#[inline(always)]
unsafe fn absent() -> ! {
    // SAFETY: the caller's promise.
    unsafe { core::hint::unreachable_unchecked() }
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

/// An access that orders others, of a word of `$bits` bits.
macro_rules! ordered_word {
    ($register:ident, $bits:literal, $add:literal, $($access:ident = $instruction:expr),*) => {
        #[inline(always)]
        unsafe fn ordered(at: *mut Self, access: AtomicAccess<Self>, scope: Scope) -> Self {
            let before: Self;
            // SAFETY: the caller's promise.
            unsafe {
                match access {
                    AtomicAccess::Load => ordered!(
                        scope, at, "ld.acquire", concat!("b", $bits, " {before}, [%at];"), before = out($register) before
                    ),
                    AtomicAccess::Store(value) => {
                        ordered!(
                            scope, at, "st.release", concat!("b", $bits, " [%at], {value};"), value = in($register) value
                        );
                        before = value;
                    }
                    AtomicAccess::Add(value) => ordered!(
                        scope, at, "atom.acq_rel", concat!($add, " {before}, [%at], {value};"),
                        before = out($register) before, value = in($register) value
                    ),
                    AtomicAccess::Exchange(value) => ordered!(
                        scope, at, "atom.acq_rel", concat!("exch.b", $bits, " {before}, [%at], {value};"),
                        before = out($register) before, value = in($register) value
                    ),
                    AtomicAccess::CompareExchange(expected, new) => ordered!(
                        scope, at, "atom.acq_rel", concat!("cas.b", $bits, " {before}, [%at], {expected}, {new};"),
                        before = out($register) before, expected = in($register) expected, new = in($register) new
                    ),
                    $(AtomicAccess::$access(value) => ordered!(
                        scope, at, "atom.acq_rel", concat!($instruction, " {before}, [%at], {value};"),
                        before = out($register) before, value = in($register) value
                    ),)*
                    #[allow(unreachable_patterns, reason = "integers have all accesses")]
                    _ => absent(),
                }
            }
            before
        }
    };
}

/// An instruction that changes a word of shared memory. It gives the word before.
macro_rules! shared {
    ($space:literal, $register:ident, $at:ident, $instruction:expr, $($operand:ident)+) => {{
        let before: Self;
        asm!(
            concat!("atom.", $space, ".", $instruction, " {before}, [{at}]", $(", {", stringify!($operand), "}",)+ ";"),
            before = out($register) before, at = in(reg32) $at, $($operand = in($register) $operand,)+ options(nostack)
        );
        before
    }};
}

/// An access to a word of a kind of shared memory.
macro_rules! shared_integer {
    ($name:ident, $space:literal, $register:ident $bits:literal, $add:literal, $min:literal, $max:literal) => {
        #[inline(always)]
        unsafe fn $name(at: u32, access: AtomicAccess<Self>) -> Self {
            // SAFETY: the caller's promise.
            unsafe {
                match access {
                    AtomicAccess::Add(value) => shared!($space, $register, at, $add, value),
                    AtomicAccess::Exchange(value) => {
                        shared!($space, $register, at, concat!("exch.b", $bits), value)
                    }
                    AtomicAccess::Min(value) => shared!($space, $register, at, $min, value),
                    AtomicAccess::Max(value) => shared!($space, $register, at, $max, value),
                    AtomicAccess::And(value) => {
                        shared!($space, $register, at, concat!("and.b", $bits), value)
                    }
                    AtomicAccess::Or(value) => {
                        shared!($space, $register, at, concat!("or.b", $bits), value)
                    }
                    AtomicAccess::Xor(value) => {
                        shared!($space, $register, at, concat!("xor.b", $bits), value)
                    }
                    AtomicAccess::CompareExchange(expected, new) => {
                        shared!($space, $register, at, concat!("cas.b", $bits), expected new)
                    }
                    AtomicAccess::Load | AtomicAccess::Store(_) => absent(),
                }
            }
        }
    };
}

/// As for integers.
macro_rules! shared_real {
    ($name:ident, $space:literal, $register:ident $bits:literal, $add:literal) => {
        #[inline(always)]
        unsafe fn $name(at: u32, access: AtomicAccess<Self>) -> Self {
            // SAFETY: the caller's promise.
            unsafe {
                match access {
                    AtomicAccess::Add(value) => shared!($space, $register, at, $add, value),
                    AtomicAccess::Exchange(value) => {
                        shared!($space, $register, at, concat!("exch.b", $bits), value)
                    }
                    _ => absent(),
                }
            }
        }
    };
}

macro_rules! integer {
    (
        $word:ty, $atomic:ty, $register:ident $bits:literal, add $add:literal, min $min:literal, max $max:literal
    ) => {
        impl AtomicWord for $word {
            ordered_word! {
                $register, $bits, $add, Min = $min, Max = $max,
                And = concat!("and.b", $bits), Or = concat!("or.b", $bits), Xor = concat!("xor.b", $bits)
            }

            #[inline(always)]
            unsafe fn relaxed(at: *mut Self, access: AtomicAccess<Self>) -> Self {
                // SAFETY: the caller's promise.
                let word = unsafe { <$atomic>::from_ptr(at) };
                match access {
                    AtomicAccess::Load => word.load(Relaxed),
                    AtomicAccess::Store(value) => {
                        word.store(value, Relaxed);
                        value
                    }
                    AtomicAccess::Add(value) => word.fetch_add(value, Relaxed),
                    AtomicAccess::Exchange(value) => word.swap(value, Relaxed),
                    AtomicAccess::Min(value) => word.fetch_min(value, Relaxed),
                    AtomicAccess::Max(value) => word.fetch_max(value, Relaxed),
                    AtomicAccess::And(value) => word.fetch_and(value, Relaxed),
                    AtomicAccess::Or(value) => word.fetch_or(value, Relaxed),
                    AtomicAccess::Xor(value) => word.fetch_xor(value, Relaxed),
                    AtomicAccess::CompareExchange(expected, new) => {
                        let before: Self;
                        // The scope is the GPU, as that of the others. That of `core`'s function is the system.
                        // SAFETY: the caller's promise.
                        unsafe {
                            global!(
                                at, concat!("atom.global.cas.b", $bits, " {before}, [%at], {expected}, {new};"),
                                before = out($register) before, expected = in($register) expected, new = in($register) new
                            );
                        }
                        before
                    }
                }
            }

            shared_integer!(shared, "shared", $register $bits, $add, $min, $max);
            shared_integer!(in_cluster, "shared::cluster", $register $bits, $add, $min, $max);
        }
    };
}

integer!(u32, AtomicU32, reg32 32, add "add.u32", min "min.u32", max "max.u32");
integer!(i32, AtomicI32, reg32 32, add "add.s32", min "min.s32", max "max.s32");
integer!(u64, AtomicU64, reg64 64, add "add.u64", min "min.u64", max "max.u64");
// Two's complement: the sum of unsigned words is that of signed ones.
integer!(i64, AtomicI64, reg64 64, add "add.u64", min "min.s64", max "max.s64");

macro_rules! real {
    ($word:ty, $atomic:ty, $register:ident $bits:literal, $add:literal) => {
        impl AtomicWord for $word {
            ordered_word! { $register, $bits, $add, }

            #[inline(always)]
            unsafe fn relaxed(at: *mut Self, access: AtomicAccess<Self>) -> Self {
                // SAFETY: the caller's promise; both types have the same size and alignment.
                let word = unsafe { <$atomic>::from_ptr(at.cast()) };
                match access {
                    AtomicAccess::Load => Self::from_bits(word.load(Relaxed)),
                    AtomicAccess::Store(value) => {
                        word.store(value.to_bits(), Relaxed);
                        value
                    }
                    AtomicAccess::Add(value) => {
                        let before: Self;
                        // SAFETY: as above.
                        unsafe {
                            global!(
                                at, concat!("atom.global.", $add, " {before}, [%at], {value};"),
                                before = out($register) before, value = in($register) value
                            );
                        }
                        before
                    }
                    AtomicAccess::Exchange(value) => {
                        Self::from_bits(word.swap(value.to_bits(), Relaxed))
                    }
                    // SAFETY: as above.
                    _ => unsafe { absent() },
                }
            }

            shared_real!(shared, "shared", $register $bits, $add);
            shared_real!(in_cluster, "shared::cluster", $register $bits, $add);
        }
    };
}

real!(f32, AtomicU32, reg32 32, "add.f32");
real!(f64, AtomicU64, reg64 64, "add.f64");

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

impl<T: AtomicWord> Global<T> {
    /// An atomic access, which acquires and releases for a scope if there is one.
    #[inline(always)]
    pub(crate) fn atomic(self, index: u64, access: AtomicAccess<T>, scope: Option<Scope>) -> T {
        let at = self.at(index);
        // SAFETY: the kernel's contract, as above.
        unsafe {
            match scope {
                Some(scope) => T::ordered(at, access, scope),
                None => T::relaxed(at, access),
            }
        }
    }
}
