//! Floating-point arithmetic beyond what `core` has, for `f32` and `f64`.
//!
//! Sums, products, quotients, comparisons, `abs`, `min`, `max`, `copysign` and conversions are Rust's own: they are
//! rounded correctly on every device, and nothing fuses a product into a sum unless [`fma`] says so. The remainder `%` is not: a GPU
//! computes `x - trunc(x / y) * y`, which has other bits than the emulator's where the quotient is large or is rounded to a whole number,
//! and may be negative there. What `std` offers as methods (`x.sqrt()`) is here as functions, because a kernel has no `std`.
//!
//! | function | result | on a GPU |
//! | --- | --- | --- |
//! | [`fma`], [`sqrt`] | rounded correctly, the same bits on every device | `fma.rn`, `sqrt.rn` |
//! | [`floor`], [`ceil`], [`trunc`], [`round_ties_even`] | exact, the same bits on every device | `cvt.rmi`, `.rpi`, `.rzi`, `.rni` |
//! | [`exp`], [`sin`], [`cos`] | at most 1.6 ulp, the same bits on every device; an angle of `f64` is at most 2⁴⁰ | sums, products, `fma.rn` |
//! | [`exp2`], [`exp_m1`], [`ln`], [`log2`], [`log10`], [`ln_1p`], [`pow`] of `f32` | at most 1.8 ulp, the same bits on every device | as those |
//! | [`asin`], [`acos`], [`atan`], [`atan2`], [`sinh`], [`cosh`], [`cbrt`], [`hypot`], [`erf`] of `f32` | as those | as those, `div.rn`, `sqrt.rn` |
//! | [`tan`] of `f32`, [`tanh`] | at most 2.3 ulp, and 2.6 for `f64`, the same bits on every device | as those |
//! | [`rsqrt_approx`] | relative error at most 2⁻²²·⁹ | `rsqrt.approx.f32` |
//! | [`rcp_approx`] | at most 1 ulp | `rcp.approx.f32` |
//! | [`exp2_approx`] | relative error at most 2⁻²² | `ex2.approx.f32` |
//! | [`log2_approx`] | absolute error at most 2⁻²² between 0.5 and 2; relative error at most 2⁻²² elsewhere | `lg2.approx.f32` |
//! | [`sin_approx`], [`cos_approx`] | absolute error at most 2⁻²⁰·⁵ between -π and π; it grows with the argument | `sin.approx.f32`, `cos.approx.f32` |
//! | [`tanh_approx`] | relative error at most 2⁻¹¹ | `tanh.approx.f32` |
//! | [`exp_approx`], [`ln_approx`] | of the base-2 functions, and one rounding of the argument or the result | as those |
//!
//! For `f64` the crate `libm`, as a dependency of the kernels, has `log`, `log2`, `log10`, `pow`, `asin`, `acos`, `hypot` and `lgamma`, which take
//! no local memory. Most of its other functions write numbers to a stack on the way.
//!
//! The errors of the approximations are those of NVIDIA's PTX manual. The emulator computes the approximations as accurately as the host's
//! library does, so a comparison of results across devices has to allow for them. Numbers of 16 bits
//! are in [`half`](crate::half).

use crate::accurate;
pub use crate::accurate::{
    acos, asin, atan, atan2, cbrt, cosh, erf, exp_m1, exp2, hypot, ln, ln_1p, log2, log10, pow,
    sinh, tan,
};
#[cfg(target_arch = "nvptx64")]
use crate::imp;

/// `f32` or `f64`.
pub trait Float: Copy {
    #[doc(hidden)]
    fn fma_of(self, b: Self, c: Self) -> Self;
    #[doc(hidden)]
    fn sqrt_of(self) -> Self;
    #[doc(hidden)]
    fn floor_of(self) -> Self;
    #[doc(hidden)]
    fn ceil_of(self) -> Self;
    #[doc(hidden)]
    fn trunc_of(self) -> Self;
    #[doc(hidden)]
    fn round_ties_even_of(self) -> Self;
    #[doc(hidden)]
    fn exp_of(self) -> Self;
    #[doc(hidden)]
    fn sin_of(self) -> Self;
    #[doc(hidden)]
    fn cos_of(self) -> Self;
    #[doc(hidden)]
    fn tanh_of(self) -> Self;
}

macro_rules! float {
    (
        $type:ident: $($of:ident($($operand:ident),*) = $on_gpu:ident, $on_host:ident;)*
        => $($accurate_of:ident = $accurate:path;)*
    ) => {
        impl Float for $type {
            $(
                #[inline(always)]
                fn $accurate_of(self) -> Self {
                    $accurate(self)
                }
            )*
            $(
                #[inline(always)]
                fn $of(self $(, $operand: Self)*) -> Self {
                    #[cfg(target_arch = "nvptx64")]
                    return imp::$on_gpu(self $(, $operand)*);
                    #[cfg(not(target_arch = "nvptx64"))]
                    self.$on_host($($operand),*)
                }
            )*
        }
    };
}

float! {
    f32:
    fma_of(b, c) = fma_f32, mul_add;
    sqrt_of() = sqrt_f32, sqrt;
    floor_of() = floor_f32, floor;
    ceil_of() = ceil_f32, ceil;
    trunc_of() = trunc_f32, trunc;
    round_ties_even_of() = round_ties_even_f32, round_ties_even;
    =>
    exp_of = accurate::exp;
    sin_of = accurate::sin;
    cos_of = accurate::cos;
    tanh_of = accurate::tanh;
}
float! {
    f64:
    fma_of(b, c) = fma_f64, mul_add;
    sqrt_of() = sqrt_f64, sqrt;
    floor_of() = floor_f64, floor;
    ceil_of() = ceil_f64, ceil;
    trunc_of() = trunc_f64, trunc;
    round_ties_even_of() = round_ties_even_f64, round_ties_even;
    =>
    exp_of = accurate::wide::exp;
    sin_of = accurate::wide::sin;
    cos_of = accurate::wide::cos;
    tanh_of = accurate::wide::tanh;
}

/// `a * b + c`, rounded once.
#[inline(always)]
pub fn fma<T: Float>(a: T, b: T, c: T) -> T {
    a.fma_of(b, c)
}

/// The square root, rounded correctly; NaN of a negative number.
#[inline(always)]
pub fn sqrt<T: Float>(x: T) -> T {
    x.sqrt_of()
}

/// The largest integer that is not above `x`.
#[inline(always)]
pub fn floor<T: Float>(x: T) -> T {
    x.floor_of()
}

/// The smallest integer that is not below `x`.
#[inline(always)]
pub fn ceil<T: Float>(x: T) -> T {
    x.ceil_of()
}

/// `x` without its fraction.
#[inline(always)]
pub fn trunc<T: Float>(x: T) -> T {
    x.trunc_of()
}

/// The nearest integer, and of two as near the even one.
#[inline(always)]
pub fn round_ties_even<T: Float>(x: T) -> T {
    x.round_ties_even_of()
}

/// e to the power of `x`: at most 1 ulp off.
#[inline(always)]
pub fn exp<T: Float>(x: T) -> T {
    x.exp_of()
}

/// The sine of an angle in radians: at most 1.6 ulp off. That of an `f64` beyond 2⁴⁰ is NaN.
#[inline(always)]
pub fn sin<T: Float>(x: T) -> T {
    x.sin_of()
}

/// The cosine of an angle in radians: at most 1.6 ulp off. That of an `f64` beyond 2⁴⁰ is NaN.
#[inline(always)]
pub fn cos<T: Float>(x: T) -> T {
    x.cos_of()
}

/// The hyperbolic tangent: at most 1.7 ulp off, and 2.6 of an `f64`.
#[inline(always)]
pub fn tanh<T: Float>(x: T) -> T {
    x.tanh_of()
}

macro_rules! approximations {
    ($($(#[$meta:meta])* $name:ident($x:ident) = $on_host:expr;)*) => {
        $(
            $(#[$meta])*
            #[inline(always)]
            pub fn $name($x: f32) -> f32 {
                #[cfg(target_arch = "nvptx64")]
                return imp::$name($x);
                #[cfg(not(target_arch = "nvptx64"))]
                $on_host
            }
        )*
    };
}

approximations! {
    /// About `1 / sqrt(x)`: see the [table](self).
    rsqrt_approx(x) = (1.0 / f64::from(x).sqrt()) as f32;
    /// About `1 / x`: see the [table](self).
    rcp_approx(x) = 1.0 / x;
    /// About 2 to the power of `x`: see the [table](self).
    exp2_approx(x) = f64::from(x).exp2() as f32;
    /// About the logarithm of `x` to the base 2: see the [table](self).
    log2_approx(x) = f64::from(x).log2() as f32;
    /// About the sine of `x` radians: see the [table](self).
    sin_approx(x) = f64::from(x).sin() as f32;
    /// About the cosine of `x` radians: see the [table](self).
    cos_approx(x) = f64::from(x).cos() as f32;
    /// About the hyperbolic tangent of `x`: see the [table](self).
    tanh_approx(x) = f64::from(x).tanh() as f32;
}

/// About e to the power of `x`: the power of 2 of `x · log2(e)`, so that the relative error grows with `|x|`, by
/// about 2⁻²⁴ for each unit of it.
#[inline(always)]
pub fn exp_approx(x: f32) -> f32 {
    exp2_approx(x * core::f32::consts::LOG2_E)
}

/// About the natural logarithm of `x`: the logarithm to the base 2, times ln(2).
#[inline(always)]
pub fn ln_approx(x: f32) -> f32 {
    log2_approx(x) * core::f32::consts::LN_2
}
