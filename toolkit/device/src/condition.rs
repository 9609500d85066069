//! The arithmetic of the conditions of kernels, which tells overflow whatever profile the crate is compiled with.

use std::cell::Cell;

/// What is done with two numbers.
#[derive(Debug, Clone, Copy)]
pub enum Arithmetic {
    Sum,
    Difference,
    Product,
}

/// A number that conditions reckon with.
pub trait ConditionNumber: Copy {
    /// What comes of both numbers, if it fits the type.
    fn with(self, operation: Arithmetic, other: Self) -> Option<Self>;
}

/// An integer that conditions reckon with.
pub trait ConditionInteger: ConditionNumber {
    /// The bits further up, if none is lost.
    fn shifted(self, bits: u32) -> Option<Self>;
}

macro_rules! condition_numbers {
    ($($integer:ty)*; $($real:ty)*) => {
        $(
            impl ConditionNumber for $integer {
                fn with(self, operation: Arithmetic, other: Self) -> Option<Self> {
                    match operation {
                        Arithmetic::Sum => self.checked_add(other),
                        Arithmetic::Difference => self.checked_sub(other),
                        Arithmetic::Product => self.checked_mul(other),
                    }
                }
            }

            impl ConditionInteger for $integer {
                fn shifted(self, bits: u32) -> Option<Self> {
                    self.checked_shl(bits).filter(|shifted| shifted >> bits == self)
                }
            }
        )*
        $(
            impl ConditionNumber for $real {
                fn with(self, operation: Arithmetic, other: Self) -> Option<Self> {
                    Some(match operation {
                        Arithmetic::Sum => self + other,
                        Arithmetic::Difference => self - other,
                        Arithmetic::Product => self * other,
                    })
                }
            }
        )*
    };
}

condition_numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize; f32 f64);

/// The result; `a` where there is none.
fn told<T>(overflow: &Cell<bool>, a: T, result: Option<T>) -> T {
    result.unwrap_or_else(|| {
        overflow.set(true);
        a
    })
}

pub fn add<T: ConditionNumber>(overflow: &Cell<bool>, a: T, b: T) -> T {
    told(overflow, a, a.with(Arithmetic::Sum, b))
}

pub fn sub<T: ConditionNumber>(overflow: &Cell<bool>, a: T, b: T) -> T {
    told(overflow, a, a.with(Arithmetic::Difference, b))
}

pub fn mul<T: ConditionNumber>(overflow: &Cell<bool>, a: T, b: T) -> T {
    told(overflow, a, a.with(Arithmetic::Product, b))
}

pub fn shl<T: ConditionInteger>(overflow: &Cell<bool>, a: T, bits: impl TryInto<u32>) -> T {
    told(overflow, a, bits.try_into().ok().and_then(|bits| a.shifted(bits)))
}
