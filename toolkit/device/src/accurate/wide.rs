//! Functions of `f64`, as those of `f32` are.

use core::f64::consts::{FRAC_2_PI, LOG2_E};

use super::polynomial;
use crate::math::{fma, round_ties_even};

/// ln(2) in two parts. The product of the first and an integer of 12 bits is exact.
const LN_2_PARTS: [f64; 2] = [0.693_147_180_559_663, 2.823_529_056_303_157_7e-13];

/// π/2 in three parts.
const FRAC_PI_2_PARTS: [f64; 3] =
    [core::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17, -1.497_384_904_859_169_8e-33];

/// Angles beyond this one, which is 2⁴⁰, are not reduced.
const LARGEST_ANGLE: f64 = 1_099_511_627_776.0;

/// 2 to the power of `n`, which is between -1022 and 1023.
#[inline(always)]
fn power_of_2(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// The `n` and `m` with `x` = n · ln(2) + m, where m is the least.
#[inline(always)]
fn split_exponent(x: f64) -> (i32, f64) {
    let n = round_ties_even(x * LOG2_E);
    (n as i32, fma(n, -LN_2_PARTS[1], fma(n, -LN_2_PARTS[0], x)))
}

/// (e to the power of `x`, less 1 and `x`) / x, for numbers between -ln(2)/2 and ln(2)/2.
#[inline(always)]
fn exp_less(x: f64) -> f64 {
    let coefficients = [
        2.091_475_532_589_32e-9,
        2.510_531_262_972_21e-8,
        2.755_727_347_871_858e-7,
        2.755_725_517_000_089e-6,
        2.480_158_732_567_746e-5,
        1.984_126_987_500_228e-4,
        1.388_888_888_888_371_1e-3,
        8.333_333_333_326_084e-3,
        4.166_666_666_666_667e-2,
        1.666_666_666_666_666_7e-1,
        0.5,
    ];
    polynomial(x, coefficients) * x
}

/// e to the power of `x`: at most 1 ulp off.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    // Beyond these numbers the result is 0 or infinite.
    let (n, m) = split_exponent(x.clamp(-746.0, 710.0));
    let power = fma(exp_less(m), m, m) + 1.0;
    power * power_of_2(n >> 1) * power_of_2(n - (n >> 1))
}

/// The sine of `x` and `quarters` right angles.
#[inline(always)]
fn sine_of(x: f64, quarters: i64) -> f64 {
    if !x.is_finite() || x.abs() > LARGEST_ANGLE {
        return f64::NAN;
    }
    let n = round_ties_even(x * FRAC_2_PI);
    let [high, middle, low] = FRAC_PI_2_PARTS;
    let x = fma(n, -low, fma(n, -middle, fma(n, -high, x)));
    let (n, square) = (n as i64 + quarters, x * x);
    let sine = if n & 1 == 0 {
        let coefficients = [
            1.591_784_852_480_826_2e-10,
            -2.505_112_794_401_418_8e-8,
            2.755_731_608_381_636e-6,
            -1.984_126_983_672_241_8e-4,
            8.333_333_333_330_925e-3,
            -1.666_666_666_666_666_6e-1,
        ];
        fma(polynomial(square, coefficients), square * x, x)
    } else {
        let coefficients = [
            -1.138_245_677_806_130_6e-11,
            2.087_614_382_799_313_3e-9,
            -2.755_731_726_000_883_7e-7,
            2.480_158_729_874_307e-5,
            -1.388_888_888_888_738_2e-3,
            4.166_666_666_666_666_4e-2,
            -0.5,
            1.0,
        ];
        polynomial(square, coefficients)
    };
    if n & 2 == 0 { sine } else { -sine }
}

/// The sine of an angle in radians: at most 1.6 ulp off, and NaN of one beyond 2⁴⁰.
#[inline(always)]
pub fn sin(x: f64) -> f64 {
    // Zero keeps its sign.
    if x == 0.0 { x } else { sine_of(x, 0) }
}

/// The cosine of an angle in radians: at most 1.6 ulp off, and NaN of one beyond 2⁴⁰.
#[inline(always)]
pub fn cos(x: f64) -> f64 {
    sine_of(x, 1)
}

/// The hyperbolic tangent: at most 2.6 ulp off.
#[inline(always)]
pub fn tanh(x: f64) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    // e to the power of 2x, less 1. Beyond 22 the result is 1.
    let (n, m) = split_exponent(2.0 * x.abs().min(22.0));
    let power = power_of_2(n);
    let less = fma(power, fma(exp_less(m), m, m), power - 1.0);
    (less / (less + 2.0)).copysign(x)
}
