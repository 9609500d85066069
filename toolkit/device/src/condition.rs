//! The arithmetic of the conditions of kernels, which tells overflow whatever profile the crate is compiled with.

use std::cell::Cell;

/// A number that conditions reckon with. Each result comes with whether it is not the exact one.
pub trait ConditionNumber: Copy {
    fn sum(self, other: Self) -> (Self, bool);
    fn difference(self, other: Self) -> (Self, bool);
    fn product(self, other: Self) -> (Self, bool);
    fn shifted(self, bits: u32) -> (Self, bool);
    /// By how many bits a number is shifted.
    fn bits(self) -> u32;
}

macro_rules! integers {
    ($($type:ty)*) => {
        $(impl ConditionNumber for $type {
            fn sum(self, other: Self) -> (Self, bool) {
                self.overflowing_add(other)
            }
            fn difference(self, other: Self) -> (Self, bool) {
                self.overflowing_sub(other)
            }
            fn product(self, other: Self) -> (Self, bool) {
                self.overflowing_mul(other)
            }
            fn shifted(self, bits: u32) -> (Self, bool) {
                let shifted = self.checked_shl(bits).unwrap_or(0);
                (shifted, shifted.checked_shr(bits) != Some(self))
            }
            fn bits(self) -> u32 {
                u32::try_from(self).unwrap_or(u32::MAX)
            }
        })*
    };
}

integers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

macro_rules! functions {
    ($($name:ident = $method:ident;)*) => {
        $(pub fn $name<T: ConditionNumber>(overflow: &Cell<bool>, a: T, b: T) -> T {
            told(overflow, a.$method(b))
        })*
    };
}

functions! {
    add = sum;
    sub = difference;
    mul = product;
}

pub fn shl<T: ConditionNumber>(overflow: &Cell<bool>, a: T, bits: impl ConditionNumber) -> T {
    told(overflow, a.shifted(bits.bits()))
}

fn told<T>(overflow: &Cell<bool>, (result, is_wrong): (T, bool)) -> T {
    overflow.set(overflow.get() || is_wrong);
    result
}
