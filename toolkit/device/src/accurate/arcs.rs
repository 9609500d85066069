//! Angles: the inverse functions of the sine, the cosine and the tangent.

use super::polynomial;
use crate::math::{fma, sqrt};

/// π/2 in two parts.
const FRAC_PI_2_PARTS: [f32; 2] = [core::f32::consts::FRAC_PI_2, -4.371_139e-8];

/// `turn` times π/2, less an angle: it is rounded last.
#[inline(always)]
fn less(turn: f32, angle: f32) -> f32 {
    let [high, low] = FRAC_PI_2_PARTS;
    turn * high - fma(-turn, low, angle)
}

/// Up to here the polynomial gives the arc sine.
const MOST_OF_SMALL: f32 = 0.5625;

/// The arc sine of a number up to [`MOST_OF_SMALL`], whose square this is.
#[inline(always)]
fn asin_of_small(x: f32, square: f32) -> f32 {
    let coefficients =
        [4.305_599_6e-2, 1.103_576_9e-2, 3.248_609e-2, 4.447_284e-2, 7.500_492e-2, 1.666_666_4e-1];
    fma(polynomial(square, coefficients), square * x, x)
}

/// For larger |x|: the arc sine of the square root of (1 - |x|) / 2, which is half of the angle whose cosine |x| is.
#[inline(always)]
fn half_acos(x: f32) -> f32 {
    let square = fma(x.abs(), -0.5, 0.5);
    asin_of_small(sqrt(square), square)
}

/// The angle whose sine is `x`: at most 1.5 ulp off.
#[inline(always)]
pub fn asin(x: f32) -> f32 {
    if x.abs() <= MOST_OF_SMALL {
        asin_of_small(x, x * x)
    } else if x.abs() <= 1.0 {
        less(1.0, 2.0 * half_acos(x)).copysign(x)
    } else {
        f32::NAN
    }
}

/// The angle whose cosine is `x`: at most 1.2 ulp off.
#[inline(always)]
pub fn acos(x: f32) -> f32 {
    if x.abs() <= MOST_OF_SMALL {
        less(1.0, asin_of_small(x, x * x))
    } else if x.abs() <= 1.0 {
        let angle = 2.0 * half_acos(x);
        if x < 0.0 { less(2.0, angle) } else { angle }
    } else {
        f32::NAN
    }
}

/// The angle whose tangent is a number between 0 and 1.
#[inline(always)]
fn atan_of_small(x: f32) -> f32 {
    let coefficients = [
        -2.386_997_2e-3,
        1.350_777_1e-2,
        -3.587_154e-2,
        6.250_169e-2,
        -8.656_88e-2,
        1.103_376_45e-1,
        -1.427_856_8e-1,
        1.999_974e-1,
        -3.333_333e-1,
    ];
    let square = x * x;
    fma(polynomial(square, coefficients), square * x, x)
}

/// The angle whose tangent is `x`: at most 1.7 ulp off.
#[inline(always)]
pub fn atan(x: f32) -> f32 {
    atan2(x, 1.0)
}

/// The angle from the positive x axis to the point at `x` and `y`: at most 1.8 ulp off. Special cases are those of C's `atan2`.
#[inline(always)]
pub fn atan2(y: f32, x: f32) -> f32 {
    if x.is_nan() || y.is_nan() {
        return f32::NAN;
    }
    let (width, height) = (x.abs(), y.abs());
    let is_steep = height > width;
    let [small, large] = if is_steep { [width, height] } else { [height, width] };
    // Of two zeros the angle is that of an axis, and of two infinite numbers one between.
    let is_diagonal = small == large && small > 0.0;
    let ratio = if is_diagonal { 1.0 } else { small / large };
    let angle = if large == 0.0 { 0.0 } else { atan_of_small(ratio) };
    let angle = match (is_steep, x.is_sign_negative()) {
        (true, false) => less(1.0, angle),
        (true, true) => less(1.0, -angle),
        (false, true) => less(2.0, angle),
        (false, false) => angle,
    };
    angle.copysign(y)
}
