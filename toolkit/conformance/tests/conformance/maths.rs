use anyhow::{Result, ensure};
use warpwise_conformance::kernels::maths as kernels;
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::math;
use warpwise_harness::{Case, TestDevice};

use crate::{KERNELS, noise};

/// Numbers of both signs and many magnitudes, halves among them.
fn numbers() -> Vec<f64> {
    let near = (-40..40).map(|i| f64::from(i) / 4.0 + if i % 3 == 0 { 1e-3 } else { 0.0 });
    let far = (-24..24).map(|i: i32| f64::from(1 - i.rem_euclid(2) * 2) * 1.37 * 2f64.powi(i));
    near.chain(far).collect()
}

#[derive(Debug)]
struct Narrow {
    which: u32,
}

/// The result, and by how much it may be off: a part of the result, or an absolute amount.
type Bounds = [f64; 3];

impl Narrow {
    fn expected(&self, x: f32) -> Option<Bounds> {
        let wide = f64::from(x);
        let (exact, ulp) = (|y: f32| [f64::from(y), 0.0, 0.0], 2f64.powi(-23));
        let small = x.abs() <= std::f32::consts::PI;
        let expected = match self.which {
            0 => exact(x.mul_add(1.1, -0.3)),
            1 => exact(x.sqrt()),
            2 => exact(x.floor()),
            3 => exact(x.ceil()),
            4 => exact(x.trunc()),
            5 => exact(x.round_ties_even()),
            6 if x > 0.0 => [1.0 / wide.sqrt(), 2f64.powf(-22.4), 0.0],
            7 if x != 0.0 => [1.0 / wide, ulp, 0.0],
            8 if x.abs() < 100.0 => [wide.exp2(), 2f64.powi(-22), 0.0],
            9 if x > 0.0 => [wide.log2(), 2f64.powi(-21), 2f64.powi(-21)],
            10 if small => [wide.sin(), 0.0, 2f64.powi(-20)],
            11 if small => [wide.cos(), 0.0, 2f64.powi(-20)],
            12 => [wide.tanh(), 2f64.powi(-10), 0.0],
            13 if x.abs() < 50.0 => [wide.exp(), 2f64.powi(-21) + wide.abs() * ulp, 0.0],
            14 if x > 0.0 => [wide.ln(), 2f64.powi(-21), 2f64.powi(-21)],
            15 => exact(x * 1.1 - 0.3),
            16 => exact((x / 3.0).abs().max(0.125).copysign(-x)),
            _ => return None,
        };
        Some(expected)
    }
}

impl Case for Narrow {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let x: Vec<f32> = numbers().into_iter().map(|x| x as f32).collect();
        let on_device = Buffer::from_host(device, &x)?;
        let mut out = Buffer::uninitialized(device, x.len() as u64)?;
        let shape = Shape::new(1, x.len() as u32);
        kernels::maths_f32(device, shape, on_device.view(), out.view_mut(), self.which)?;
        for (x, result) in x.into_iter().zip(out.to_vec(device)?) {
            let Some([expected, relative, absolute]) = self.expected(x) else { continue };
            let off = (f64::from(result) - expected).abs();
            let both_nan = expected.is_nan() && result.is_nan();
            let close = off <= absolute.max(expected.abs() * relative);
            ensure!(both_nan || close, "of {x}: {result}, expected {expected}, off by {off}");
        }
        Ok(())
    }
}

#[test]
fn functions_of_f32_are_exact_or_as_close_as_documented() {
    KERNELS.kernel("maths_f32").everywhere((0..=16).map(|which| Narrow { which }));
}

#[derive(Debug)]
struct Wide {
    which: u32,
}

impl Case for Wide {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let x: Vec<f64> = numbers().into_iter().chain(wide_numbers(50)).collect();
        let on_device = Buffer::from_host(device, &x)?;
        let mut out = Buffer::uninitialized(device, x.len() as u64)?;
        let shape = Shape::new(x.len() as u32, 1);
        kernels::maths_f64(device, shape, on_device.view(), out.view_mut(), self.which)?;
        let expected = |x: f64| match self.which {
            0 => x.mul_add(1.1, -0.3),
            1 => x.sqrt(),
            2 => x.floor(),
            3 => x.ceil(),
            4 => x.trunc(),
            5 => x.round_ties_even(),
            6 => x * 1.1 - 0.3,
            7 => x / 3.0,
            8 => math::exp(x),
            9 => math::sin(x),
            10 => math::cos(x),
            _ => math::tanh(x),
        };
        for (x, result) in x.into_iter().zip(out.to_vec(device)?) {
            let expected = expected(x);
            let same =
                result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan();
            ensure!(same, "of {x}: {result}, expected {expected}");
        }
        Ok(())
    }
}

#[test]
fn functions_of_f64_have_the_same_bits_on_every_device() {
    KERNELS.kernel("maths_f64").everywhere((0..=11).map(|which| Wide { which }));
}

/// Numbers of all sizes, edges, and angles near those where a function is 0.
fn wide_numbers(len: usize) -> impl Iterator<Item = f64> {
    let edges = [0.0, -0.0, f64::MIN_POSITIVE, 5e-324, 709.79, -708.5, -745.2, 2f64.powi(40)];
    let near_zeros =
        (1..len.min(400) as u32).map(|n| f64::from(n * n) * std::f64::consts::FRAC_PI_2);
    let drawn = noise(len).zip(0..).flat_map(|(bits, i)| {
        let moderate = bits.cast_signed() as f64 * 2f64.powi(i % 46 - 70);
        [f64::from_bits(bits), moderate]
    });
    edges.into_iter().chain([f64::INFINITY, f64::NAN, 1e300]).chain(near_zeros).chain(drawn)
}

/// The standard library's functions are themselves off by up to one unit in the last place.
#[test]
fn functions_of_f64_are_close_to_those_of_the_standard_library() {
    type Compared = (fn(f64) -> f64, fn(f64) -> f64, f64);
    let functions: [Compared; 4] = [
        (math::exp, f64::exp, f64::INFINITY),
        (math::sin, f64::sin, 2f64.powi(40)),
        (math::cos, f64::cos, 2f64.powi(40)),
        (math::tanh, f64::tanh, f64::INFINITY),
    ];
    for (which, (function, standard, most)) in functions.into_iter().enumerate() {
        for x in wide_numbers(200_000) {
            let expected = if x.abs() > most { f64::NAN } else { standard(x) };
            let result = function(x);
            let same_sign = result.is_sign_negative() == expected.is_sign_negative();
            let ulp = expected.abs().next_up() - expected.abs();
            let close = result == expected || (result - expected).abs() <= 4.0 * ulp;
            assert!(
                result.is_nan() && expected.is_nan() || same_sign && close,
                "function {which} of {x:e}: {result:e}, expected {expected:e}"
            );
        }
    }
}

/// A function, the same in 64 bits, and by how many units in the last place it may be off.
type OfTwo = (fn(f32, f32) -> f32, fn(f64, f64) -> f64, f64);

/// A product as it is rounded to 32 bits: in 64 it is exact.
fn product(x: f64, y: f64) -> f64 {
    f64::from((x * y) as f32)
}

/// The functions in the order of the kernel `accurate_f32`.
const ACCURATE: [OfTwo; 21] = [
    (|x, _| math::exp(x), |x, _| x.exp(), 1.0),
    (|x, _| math::exp2(x), |x, _| x.exp2(), 1.0),
    (|x, _| math::ln(x), |x, _| x.ln(), 1.0),
    (|x, _| math::log2(x), |x, _| x.log2(), 1.7),
    (|x, _| math::sin(x), |x, _| x.sin(), 1.6),
    (|x, _| math::cos(x), |x, _| x.cos(), 1.6),
    (|x, _| math::tanh(x), |x, _| x.tanh(), 1.7),
    (math::pow, f64::powf, 1.8),
    (|x, _| math::tan(x), |x, _| x.tan(), 2.3),
    (|x, _| math::asin(x), |x, _| x.asin(), 1.5),
    (|x, _| math::acos(x), |x, _| x.acos(), 1.2),
    (|x, _| math::atan(x), |x, _| x.atan(), 1.7),
    (|x, _| math::sinh(x), |x, _| x.sinh(), 1.7),
    (|x, _| math::cosh(x), |x, _| x.cosh(), 1.5),
    (|x, _| math::cbrt(x), |x, _| x.cbrt(), 1.1),
    (|x, _| math::exp_m1(x), |x, _| x.exp_m1(), 1.7),
    (|x, _| math::ln_1p(x), |x, _| x.ln_1p(), 1.8),
    (|x, _| math::log10(x), |x, _| x.log10(), 1.5),
    (|x, _| math::erf(x), |x, _| libm::erf(x), 1.3),
    (|x, y| math::atan2(x * y, x), |x, y| product(x, y).atan2(x), 1.8),
    (|x, y| math::hypot(x * y, x), |x, y| product(x, y).hypot(x), 1.2),
];

/// Numbers where something ends.
const EDGES: [f32; 16] = [
    0.0,
    0.5,
    1.0,
    1.5,
    2.0,
    3.0,
    89.0,
    104.0,
    16_777_217.0,
    1e38,
    f32::MAX,
    f32::MIN_POSITIVE,
    1e-40,
    1e-45,
    f32::INFINITY,
    f32::NAN,
];

/// The edges with both signs.
fn edges() -> impl Iterator<Item = f32> {
    EDGES.into_iter().flat_map(|x| [x, -x])
}

/// By how many units in the last place a result is off; those that have no number have to be the same.
fn ulps_off(result: f32, wide: f64) -> f64 {
    let narrow = wide as f32;
    if result == 0.0 && result.is_sign_negative() != narrow.is_sign_negative() {
        return f64::INFINITY;
    }
    if result.is_nan() || narrow.is_nan() || result.is_infinite() || narrow.is_infinite() {
        let same = result.is_nan() && narrow.is_nan() || result == narrow;
        return if same { 0.0 } else { f64::INFINITY };
    }
    let exponent = (wide.abs().to_bits() >> 52) as i32 - 1023;
    (f64::from(result) - wide).abs() / 2f64.powi(exponent.max(-126) - 23)
}

/// The edges, and every number that is `step` from the last by its bits, each with an exponent that leaves most powers finite.
fn pairs(step: usize) -> impl Iterator<Item = [f32; 2]> {
    let y = noise((1 << 32) / step + 1)
        .map(|bits| (bits as i32) as f32 * 2f32.powi(-22 - (bits >> 60) as i32));
    let drawn = (0..=u32::MAX).step_by(step).map(f32::from_bits).zip(y);
    edges().map(|x| [x, 0.75]).chain(drawn.map(<[f32; 2]>::from))
}

#[test]
fn accurate_functions_are_as_close_as_documented() {
    let step = if warpwise_harness::effort::is_full() { 101 } else { 4099 };
    for (which, (function, exact, most)) in ACCURATE.into_iter().enumerate() {
        for [x, y] in pairs(step) {
            let (result, wide) = (function(x, y), exact(x.into(), y.into()));
            let off = ulps_off(result, wide);
            assert!(
                off <= most,
                "function {which} of {x:e}, {y:e}: {result:e}, {off} ulp off {wide:e}"
            );
        }
    }
}

/// A function of two numbers, and that of the standard library.
type WithStandard = (fn(f32, f32) -> f32, fn(f32, f32) -> f32);

#[test]
fn edges_of_two_numbers_are_those_of_the_standard_library() {
    let functions: [WithStandard; 3] =
        [(math::pow, f32::powf), (math::atan2, f32::atan2), (math::hypot, f32::hypot)];
    let pairs = || edges().flat_map(|x| edges().map(move |y| (x, y)));
    for (which, (function, standard)) in functions.into_iter().enumerate() {
        for (x, y) in pairs() {
            let (result, expected) = (function(x, y), standard(x, y));
            let same = result.is_nan() && expected.is_nan()
                || (f64::from(result) - f64::from(expected)).abs()
                    <= f64::from(expected.abs()) * 2f64.powi(-22)
                || result == expected;
            let same_sign =
                result.is_nan() || result.is_sign_negative() == expected.is_sign_negative();
            assert!(
                same && same_sign,
                "function {which} of {x:e} and {y:e}: {result:e}, expected {expected:e}"
            );
        }
    }
}

#[derive(Debug)]
struct Accurate {
    which: usize,
    step: usize,
}

impl Case for Accurate {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let (x, y): (Vec<f32>, Vec<f32>) = pairs(self.step).map(<(f32, f32)>::from).unzip();
        let (x_on, y_on) = (Buffer::from_host(device, &x)?, Buffer::from_host(device, &y)?);
        let blocks = x.len() as u32 / 128;
        let n = 128 * u64::from(blocks);
        let mut out = Buffer::uninitialized(device, n)?;
        let (x_part, y_part) = (x_on.view().slice(0, n), y_on.view().slice(0, n));
        let shape = Shape::new(blocks, 128);
        kernels::accurate_f32(device, shape, x_part, y_part, out.view_mut(), self.which as u32)?;
        let (function, ..) = ACCURATE[self.which];
        for ((x, y), result) in x.into_iter().zip(y).zip(out.to_vec(device)?) {
            let expected = function(x, y);
            ensure!(
                result.to_bits() == expected.to_bits(),
                "of {x:e}, {y:e}: {result:e}, expected {expected:e}"
            );
        }
        Ok(())
    }
}

#[test]
fn accurate_functions_have_the_same_bits_on_every_device() {
    let kernel = KERNELS.kernel("accurate_f32");
    let cases = |step| (0..ACCURATE.len()).map(move |which| Accurate { which, step });
    kernel.everywhere(cases(4_000_037));
    kernel.on_gpu(|| cases(1009).collect());
}
