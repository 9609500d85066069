//! Functions from exactly rounded operations alone: they have the same bits on every device, and take no memory.
//!
//! The polynomials interpolate at Chebyshev's points (mpmath's `chebyfit`). The largest errors were looked for among every eleventh number, and for [`pow`] among drawn ones.

use core::f32::consts::{FRAC_2_PI, LN_2, LOG2_E, LOG10_2, LOG10_E};
use core::f64::consts::FRAC_PI_2;

use crate::math::{Float, fma, round_ties_even, sqrt, trunc};

mod arcs;
pub(crate) mod wide;

pub use arcs::{acos, asin, atan, atan2};

/// ln(2) in two parts. The product of the first and an integer of 8 bits is exact.
const LN_2_PARTS: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];

/// What [`LOG2_E`] lacks of log2(e).
const LOG2_E_REST: f32 = 1.925_963e-8;

/// What [`LOG10_E`] and [`LOG10_2`] lack of log10(e) and log10(2).
const LOG10_RESTS: [f32; 2] = [-1.010_305e-8, -1.432_098_9e-8];

/// π/2 in three parts.
const FRAC_PI_2_PARTS: [f32; 3] = [f32::from_bits(0x3FC9_0FD8), 3.139_164_7e-7, 5.390_302_5e-15];

/// The bits of 2/π, from those before the point on.
const BITS_OF_FRAC_2_PI: [u32; 8] =
    [0, 0xA2F9_836E, 0x4E44_1529, 0xFC27_57D1, 0xF534_DDC0, 0xDB62_9599, 0x3C43_9041, 0xFE51_63AB];

/// The polynomial with these coefficients, that of the highest power first.
#[inline(always)]
fn polynomial<T: Float, const N: usize>(x: T, coefficients: [T; N]) -> T {
    let mut sum = coefficients[0];
    let mut i = 1;
    while i < N {
        sum = fma(sum, x, coefficients[i]);
        i += 1;
    }
    sum
}

/// The sum of two numbers of which the first is the larger one, and what it lacks.
#[inline(always)]
fn sum_of(large: f32, small: f32) -> [f32; 2] {
    let sum = large + small;
    [sum, (large - sum) + small]
}

/// `x` times 2 to the power of `n`, which is between -252 and 254, rounded once.
#[inline(always)]
fn scaled(x: f32, n: i32) -> f32 {
    let power = |n: i32| f32::from_bits(((n + 127) as u32) << 23);
    x * power(n >> 1) * power(n - (n >> 1))
}

/// (e to the power of `x`, less 1 and `x`) / x², for numbers between -ln(2)/2 and ln(2)/2.
#[inline(always)]
fn exp_less(x: f32) -> f32 {
    polynomial(x, [1.392_625e-3, 8.363_233e-3, 4.166_655_2e-2, 1.666_657_6e-1, 0.5])
}

/// e to the power of a number between -ln(2)/2 and ln(2)/2.
#[inline(always)]
fn exp_of_small(x: f32) -> f32 {
    fma(fma(exp_less(x), x, 1.0), x, 1.0)
}

/// The `n` and `m` with `x` = n · ln(2) + m, where m is the least.
#[inline(always)]
fn split_exponent(x: f32) -> [f32; 2] {
    let n = round_ties_even(x * LOG2_E);
    [n, fma(n, -LN_2_PARTS[1], fma(n, -LN_2_PARTS[0], x))]
}

/// e to the power of `x + rest`, where the rest is small, times 2 to the power of `shift`, which is 0 or -1.
#[inline(always)]
fn exp_of(x: f32, rest: f32, shift: i32) -> f32 {
    // Beyond these numbers the result is 0 or infinite.
    let [n, x] = split_exponent(x.clamp(-104.0, 90.0));
    scaled(exp_of_small(x + rest), n as i32 + shift)
}

/// e to the power of `x`: at most 1 ulp off.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    if x.is_nan() { f32::NAN } else { exp_of(x, 0.0, 0) }
}

/// e to the power of `x`, less 1: at most 1.7 ulp off.
#[inline(always)]
pub fn exp_m1(x: f32) -> f32 {
    if x.is_nan() {
        return f32::NAN;
    }
    if x > 30.0 {
        return exp_of(x, 0.0, 0);
    }
    let [n, m] = split_exponent(x.max(-30.0));
    let power = scaled(1.0, n as i32);
    fma(power, fma(exp_less(m) * m, m, m), power - 1.0).copysign(x)
}

/// 2 to the power of `x`: at most 1 ulp off.
#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    if x.is_nan() {
        return f32::NAN;
    }
    let x = x.clamp(-151.0, 129.0);
    let n = round_ties_even(x);
    scaled(exp_of_small((x - n) * LN_2), n as i32)
}

/// The `n` and `m` with `x` = 2ⁿ · (1 + m), where 1 + m is at least `least` and below twice that.
#[inline(always)]
fn split(x: f32, least: f32) -> [f32; 2] {
    // Numbers without an exponent get one.
    let [x, shift] = if x < f32::MIN_POSITIVE { [x * 8_388_608.0, -23.0] } else { [x, 0.0] };
    let exponent = x.to_bits().wrapping_sub(least.to_bits()).cast_signed() >> 23;
    let m = f32::from_bits(x.to_bits().wrapping_sub((exponent << 23).cast_unsigned()));
    [exponent as f32 + shift, m - 1.0]
}

/// The logarithm of a number that is not positive and finite.
#[inline(always)]
fn ln_of_rest(x: f32) -> f32 {
    match x {
        0.0 => f32::NEG_INFINITY,
        f32::INFINITY => f32::INFINITY,
        _ => f32::NAN,
    }
}

/// ln(1 + m) - m, for m between -1/3 and 1/3.
#[inline(always)]
fn ln_1p_less(m: f32) -> f32 {
    let coefficients = [
        -1.242_22e-1,
        1.374_830_9e-1,
        -1.228_872_2e-1,
        1.405_581_2e-1,
        -1.667_331_6e-1,
        2.000_723_3e-1,
        -2.499_994_5e-1,
        3.333_327_2e-1,
        -0.5,
    ];
    polynomial(m, coefficients) * (m * m)
}

/// The natural logarithm: at most 1 ulp off.
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    if !(x > 0.0 && x < f32::INFINITY) {
        return ln_of_rest(x);
    }
    let [n, m] = split(x, 2.0 / 3.0);
    fma(n, LN_2, m + ln_1p_less(m))
}

/// The natural logarithm of `1 + x`: at most 1.8 ulp off.
#[inline(always)]
pub fn ln_1p(x: f32) -> f32 {
    if !(x > -1.0 && x < f32::INFINITY) {
        return ln_of_rest(1.0 + x);
    }
    // 1 + x is rounded, so that m is made of x anew.
    let [n, _] = split(1.0 + x, 2.0 / 3.0);
    let m = scaled(x, -(n as i32)) + (scaled(1.0, -(n as i32)) - 1.0);
    fma(n, LN_2, m + ln_1p_less(m)).copysign(x)
}

/// The logarithm to the base 10: at most 1.5 ulp off.
#[inline(always)]
pub fn log10(x: f32) -> f32 {
    if !(x > 0.0 && x < f32::INFINITY) {
        return ln_of_rest(x);
    }
    let [n, m] = split(x, 2.0 / 3.0);
    let rest = fma(n, LOG10_RESTS[1], fma(m, LOG10_RESTS[0], ln_1p_less(m) * LOG10_E));
    fma(n, LOG10_2, fma(m, LOG10_E, rest))
}

/// The logarithm to the base 2: at most 1.7 ulp off.
#[inline(always)]
pub fn log2(x: f32) -> f32 {
    if !(x > 0.0 && x < f32::INFINITY) {
        return ln_of_rest(x);
    }
    let [n, m] = split(x, 2.0 / 3.0);
    fma(m, LOG2_E, fma(m, LOG2_E_REST, ln_1p_less(m) * LOG2_E)) + n
}

/// An angle beyond a multiple of π/2, between -π/4 and π/4, and the number of that multiple modulo 4.
struct ReducedAngle {
    angle: f32,
    quarters: u32,
}

/// What a finite angle is beyond a multiple of π/2.
#[inline(always)]
fn reduced(x: f32) -> ReducedAngle {
    if x.abs() < 65_536.0 {
        let n = round_ties_even(x * FRAC_2_PI);
        let [high, middle, low] = FRAC_PI_2_PARTS;
        let angle = fma(n, -low, fma(n, -middle, fma(n, -high, x)));
        ReducedAngle { angle, quarters: (n as i32).cast_unsigned() }
    } else {
        reduced_by_bits(x)
    }
}

/// An angle of 65,536 and more, reduced by the bits of 2/π that matter (Payne and Hanek, "Radian reduction for trigonometric
/// functions", 1983).
#[inline(always)]
fn reduced_by_bits(x: f32) -> ReducedAngle {
    let bits = x.to_bits();
    let fraction = u64::from(bits & 0x007F_FFFF | 0x0080_0000);
    // The bits before this one make multiples of 4.
    let start = (bits >> 23 & 0xFF) - 120;
    // Words are moved and not looked up: a table would be in memory.
    let (mut words, mut step) = (BITS_OF_FRAC_2_PI, 4);
    while step > 0 {
        let mut i = 0;
        while i + step < words.len() {
            words[i] = if (start / 32) & step as u32 == 0 { words[i] } else { words[i + step] };
            i += 1;
        }
        step /= 2;
    }
    let [a, b, c, d, ..] = words;
    let word = |high: u32, low: u32| (u64::from(high) << 32 | u64::from(low)) << (start % 32) >> 32;
    // A product of 24 and 96 bits, of which the lower 96 count. The first two are the multiple of π/2.
    let low = fraction * word(c, d);
    let middle = fraction * word(b, c) + (low >> 32);
    let high = fraction * word(a, b) + (middle >> 32);
    let beyond = high << 34 | (middle & 0xFFFF_FFFF) << 2 | (low & 0xFFFF_FFFF) >> 30;
    let beyond = beyond.cast_signed();
    let n = (high as u32 >> 30).wrapping_add(u32::from(beyond < 0));
    let angle = (beyond as f64 * (FRAC_PI_2 / 18_446_744_073_709_551_616.0)) as f32;
    match x < 0.0 {
        true => ReducedAngle { angle: -angle, quarters: n.wrapping_neg() },
        false => ReducedAngle { angle, quarters: n },
    }
}

/// The sine of `x` and `quarters` right angles.
#[inline(always)]
fn sine_of(x: f32, quarters: u32) -> f32 {
    if !x.is_finite() {
        return f32::NAN;
    }
    let ReducedAngle { angle: x, quarters: n } = reduced(x);
    let (n, square) = (n.wrapping_add(quarters), x * x);
    let sine = if n & 1 == 0 {
        let coefficients = [2.724_992_6e-6, -1.984_008_7e-4, 8.333_332e-3, -1.666_666_7e-1];
        fma(polynomial(square, coefficients), square * x, x)
    } else {
        polynomial(square, [2.454_794_2e-5, -1.388_830_2e-3, 4.166_666_4e-2, -0.5, 1.0])
    };
    if n & 2 == 0 { sine } else { -sine }
}

/// The sine of any angle in radians: at most 1.6 ulp off.
#[inline(always)]
pub fn sin(x: f32) -> f32 {
    // Zero keeps its sign.
    if x == 0.0 { x } else { sine_of(x, 0) }
}

/// The cosine of any angle in radians: at most 1.6 ulp off.
#[inline(always)]
pub fn cos(x: f32) -> f32 {
    sine_of(x, 1)
}

/// The tangent of any angle in radians: at most 2.3 ulp off.
#[inline(always)]
pub fn tan(x: f32) -> f32 {
    if x == 0.0 {
        return x;
    }
    if !x.is_finite() {
        return f32::NAN;
    }
    let ReducedAngle { angle: x, quarters: n } = reduced(x);
    let square = x * x;
    let coefficients = [
        3.843_972_2e-3,
        1.183_918_6e-3,
        9.963_025e-3,
        2.162_087_7e-2,
        5.399_449_5e-2,
        1.333_323_1e-1,
        3.333_333_4e-1,
    ];
    let [tangent, rest] = sum_of(x, polynomial(square, coefficients) * square * x);
    let cotangent = 1.0 / tangent;
    if n & 1 == 0 {
        return tangent;
    }
    // What the quotient lacks, too.
    let off = fma(cotangent, rest, fma(cotangent, tangent, -1.0));
    fma(cotangent, off, -cotangent)
}

/// The hyperbolic sine: at most 1.7 ulp off.
#[inline(always)]
pub fn sinh(x: f32) -> f32 {
    if x.is_nan() {
        return f32::NAN;
    }
    if x.abs() < 1.0 {
        let square = x * x;
        let coefficients = [2.806_280_2e-6, 1.983_810_2e-4, 8.333_339e-3, 1.666_666_7e-1];
        return fma(polynomial(square, coefficients) * square, x, x);
    }
    let half = exp_of(x.abs(), 0.0, -1);
    (half - 0.25 / half).copysign(x)
}

/// The hyperbolic cosine: at most 1.5 ulp off.
#[inline(always)]
pub fn cosh(x: f32) -> f32 {
    if x.is_nan() {
        return f32::NAN;
    }
    let half = exp_of(x.abs(), 0.0, -1);
    half + 0.25 / half
}

/// The hyperbolic tangent: at most 1.7 ulp off.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    if x.is_nan() {
        return f32::NAN;
    }
    if x.abs() < 0.55 {
        let square = x * x;
        let coefficients =
            [-6.610_227_7e-3, 2.130_938_9e-2, -5.390_943e-2, 1.333_311_3e-1, -3.333_333e-1];
        return fma(polynomial(square, coefficients) * square, x, x).copysign(x);
    }
    (1.0 - 2.0 / (exp_of(2.0 * x.abs(), 0.0, 0) + 1.0)).copysign(x)
}

/// The natural logarithm of a positive, finite number in two parts.
#[inline(always)]
fn ln_parts(x: f32) -> [f32; 2] {
    let [n, m] = split(x, 0.707_031_25);
    // It is n · ln(2) + 2 · atanh(q).
    let q = m / (m + 2.0);
    let q_rest = fma(q, -m, fma(q, -2.0, m)) / (m + 2.0);
    let square = q * q;
    let square_rest = fma(q, q_rest + q_rest, fma(q, q, -square));
    let cube = square * q;
    let cube_rest = fma(square, q_rest, fma(square_rest, q, fma(square, q, -cube)));
    let factor = polynomial(square, [1.166_608_4e-1, 1.427_538e-1, 2.000_006_1e-1, 3.333_333_4e-1]);
    let rest = fma(factor, cube, fma(factor, cube_rest, q_rest));
    // Of n = 0 nothing is larger than q.
    let [high, low] = sum_of(n * LN_2_PARTS[0], 2.0 * q);
    sum_of(high, low + fma(n, LN_2_PARTS[1], 2.0 * rest))
}

/// `x` to the power of `y`: at most 1.8 ulp off. Special cases are those of C's `pow`.
#[inline(always)]
pub fn pow(x: f32, y: f32) -> f32 {
    if x == 1.0 || y == 0.0 {
        return 1.0;
    }
    let is_whole = trunc(y) == y;
    if x.is_nan() || y.is_nan() || x < 0.0 && !is_whole && x.is_finite() {
        return f32::NAN;
    }
    // Numbers of 2²⁴ and more are even.
    let is_odd = is_whole && y.abs() < 16_777_216.0 && (y as i32) & 1 == 1;
    let magnitude = x.abs();
    let is_edge = magnitude == 0.0 || magnitude == f32::INFINITY || y.is_infinite();
    let power = if magnitude == 1.0 {
        1.0
    } else if is_edge {
        if (magnitude > 1.0) == (y > 0.0) { f32::INFINITY } else { 0.0 }
    } else {
        let [high, low] = ln_parts(magnitude);
        let product = high * y;
        let rest = fma(low, y, fma(high, y, -product));
        let [high, low] = sum_of(product, rest);
        // Of what is far too large the parts mean nothing.
        if product.abs() < 200.0 { exp_of(high, low, 0) } else { exp_of(product, 0.0, 0) }
    };
    if is_odd && x.is_sign_negative() { -power } else { power }
}

/// The cube root: at most 1.1 ulp off.
#[inline(always)]
pub fn cbrt(x: f32) -> f32 {
    if x == 0.0 || x.is_infinite() {
        return x;
    }
    if x.is_nan() {
        return f32::NAN;
    }
    // Numbers without an exponent get one.
    let [number, root] =
        if x.abs() < f32::MIN_POSITIVE { [16_777_216.0, 3.906_25e-3] } else { [1.0, 1.0] };
    let number = x.abs() * number;
    // About the reciprocal of the root: a third of the exponent, with the other sign.
    let mut y = f32::from_bits(0x54A2_1D2A - number.to_bits() / 3);
    let mut i = 0;
    while i < 2 {
        let off = fma(-number * y * y, y, 1.0);
        y = fma(y * off, fma(off, 2.0 / 9.0, 1.0 / 3.0), y);
        i += 1;
    }
    let z = number * y * y;
    let square = z * z;
    let off = fma(square, z, -number) + fma(z, z, -square) * z;
    (fma(off * (-1.0 / 3.0), y * y, z) * root).copysign(x)
}

/// The length of the hypotenuse of a right triangle, without an overflow on the way: at most 1.2 ulp off.
#[inline(always)]
pub fn hypot(x: f32, y: f32) -> f32 {
    let (x, y) = (x.abs(), y.abs());
    if x == f32::INFINITY || y == f32::INFINITY {
        return f32::INFINITY;
    }
    if x.is_nan() || y.is_nan() {
        return f32::NAN;
    }
    let large = x.max(y);
    let n = if large > 1e18 {
        -70
    } else if large < 1e-18 {
        90
    } else {
        0
    };
    let (x, y) = (scaled(x, n), scaled(y, n));
    scaled(sqrt(fma(x, x, y * y)), -n)
}

/// The error function: at most 1.3 ulp off.
#[inline(always)]
pub fn erf(x: f32) -> f32 {
    if x.is_nan() {
        return f32::NAN;
    }
    if x.abs() < 0.9 {
        let coefficients = [
            -6.102_687e-4,
            5.014_484_3e-3,
            -2.678_071_9e-2,
            1.128_219_44e-1,
            -3.761_252_8e-1,
            1.283_791_5e-1,
        ];
        return fma(polynomial(x * x, coefficients), x, x);
    }
    // The logarithm of what is missing to 1.
    let coefficients = [
        1.643_063_7e-6,
        -4.616_386e-5,
        5.975_857_5e-4,
        -4.762_626e-3,
        2.642_763_8e-2,
        -1.100_871_64e-1,
        -6.318_239e-1,
        -1.130_231,
        3.185_396_5e-4,
    ];
    let missing = exp_of(polynomial(x.abs().min(4.0), coefficients), 0.0, 0);
    (1.0 - missing).copysign(x)
}
