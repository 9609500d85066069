//! The arithmetic of the conditions of kernels, which tells overflow whatever profile the crate is compiled with.

use std::cell::Cell;

/// An integer that conditions reckon with.
pub trait ConditionNumber: Copy + TryInto<i128> + TryFrom<i128> {}

impl<T: Copy + TryInto<i128> + TryFrom<i128>> ConditionNumber for T {}

/// What `exact` makes of two numbers; `a` where that is not a number of its type.
fn told<T: ConditionNumber>(
    overflow: &Cell<bool>,
    a: T,
    b: impl ConditionNumber,
    exact: fn(i128, i128) -> Option<i128>,
) -> T {
    let result = || T::try_from(exact(a.try_into().ok()?, b.try_into().ok()?)?).ok();
    result().unwrap_or_else(|| {
        overflow.set(true);
        a
    })
}

pub fn add<T: ConditionNumber>(overflow: &Cell<bool>, a: T, b: T) -> T {
    told(overflow, a, b, i128::checked_add)
}

pub fn sub<T: ConditionNumber>(overflow: &Cell<bool>, a: T, b: T) -> T {
    told(overflow, a, b, i128::checked_sub)
}

pub fn mul<T: ConditionNumber>(overflow: &Cell<bool>, a: T, b: T) -> T {
    told(overflow, a, b, i128::checked_mul)
}

pub fn shl<T: ConditionNumber>(overflow: &Cell<bool>, a: T, bits: impl ConditionNumber) -> T {
    told(overflow, a, bits, |a, bits| match bits {
        0..127 => a.checked_mul(1 << bits),
        _ => None,
    })
}
