//! Floating-point arithmetic.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, math, thread};

kernel!(
    /// Function `which` of every `x`.
    #[requires(|shape| shape.threads() <= x.len(), out.len() >= x.len())]
    pub unsafe fn maths_f32(x: In<f32>, out: InOut<f32>, which: u32) {
        let i = thread::index_1d();
        let x = x.get(i);
        let result = match which {
            0 => math::fma(x, 1.1, -0.3),
            1 => math::sqrt(x),
            2 => math::floor(x),
            3 => math::ceil(x),
            4 => math::trunc(x),
            5 => math::round_ties_even(x),
            6 => math::rsqrt_approx(x),
            7 => math::rcp_approx(x),
            8 => math::exp2_approx(x),
            9 => math::log2_approx(x),
            10 => math::sin_approx(x),
            11 => math::cos_approx(x),
            12 => math::tanh_approx(x),
            13 => math::exp_approx(x),
            14 => math::ln_approx(x),
            15 => x * 1.1 - 0.3,
            _ => (x / 3.0).abs().max(0.125).copysign(-x),
        };
        out.set(i, result);
    }

    /// Function `which` of every `x`, or of `x` and `y`.
    #[requires(|shape| shape.threads() <= x.len(), y.len() >= x.len(), out.len() >= x.len())]
    pub unsafe fn accurate_f32(x: In<f32>, y: In<f32>, out: InOut<f32>, which: u32) {
        let i = thread::index_1d();
        let (x, y) = (x.get(i), y.get(i));
        let result = match which {
            0 => math::exp(x),
            1 => math::exp2(x),
            2 => math::ln(x),
            3 => math::log2(x),
            4 => math::sin(x),
            5 => math::cos(x),
            6 => math::tanh(x),
            7 => math::pow(x, y),
            8 => math::tan(x),
            9 => math::asin(x),
            10 => math::acos(x),
            11 => math::atan(x),
            12 => math::sinh(x),
            13 => math::cosh(x),
            14 => math::cbrt(x),
            15 => math::exp_m1(x),
            16 => math::ln_1p(x),
            17 => math::log10(x),
            18 => math::erf(x),
            19 => math::atan2(x * y, x),
            _ => math::hypot(x * y, x),
        };
        out.set(i, result);
    }

    /// Function `which` of every `x`.
    #[requires(|shape| shape.threads() <= x.len(), out.len() >= x.len())]
    pub unsafe fn maths_f64(x: In<f64>, out: InOut<f64>, which: u32) {
        let i = thread::index_1d();
        let x = x.get(i);
        let result = match which {
            0 => math::fma(x, 1.1, -0.3),
            1 => math::sqrt(x),
            2 => math::floor(x),
            3 => math::ceil(x),
            4 => math::trunc(x),
            5 => math::round_ties_even(x),
            6 => x * 1.1 - 0.3,
            7 => x / 3.0,
            8 => math::exp(x),
            9 => math::sin(x),
            10 => math::cos(x),
            _ => math::tanh(x),
        };
        out.set(i, result);
    }
);
