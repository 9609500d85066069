use anyhow::{Result, ensure};
use tribin_conformance::kernels::maths as kernels;
use tribin_device::launch::{Buffer, Shape};
use tribin_harness::{Case, TestDevice};

use crate::KERNELS;

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

impl Narrow {
    /// The result, and by how much it may be off: a part of the result, and an absolute amount.
    fn expected(&self, x: f32) -> Option<(f64, f64, f64)> {
        let wide = f64::from(x);
        let (exact, ulp) = (|y: f32| (f64::from(y), 0.0, 0.0), 2f64.powi(-23));
        let small = x.abs() <= std::f32::consts::PI;
        let expected = match self.which {
            0 => exact(x.mul_add(1.1, -0.3)),
            1 => exact(x.sqrt()),
            2 => exact(x.floor()),
            3 => exact(x.ceil()),
            4 => exact(x.trunc()),
            5 => exact(x.round_ties_even()),
            6 if x > 0.0 => (1.0 / wide.sqrt(), 2f64.powf(-22.4), 0.0),
            7 if x != 0.0 => (1.0 / wide, ulp, 0.0),
            8 if x.abs() < 100.0 => (wide.exp2(), 2f64.powi(-22), 0.0),
            9 if x > 0.0 => (wide.log2(), 2f64.powi(-21), 2f64.powi(-21)),
            10 if small => (wide.sin(), 0.0, 2f64.powi(-20)),
            11 if small => (wide.cos(), 0.0, 2f64.powi(-20)),
            12 => (wide.tanh(), 2f64.powi(-10), 0.0),
            13 if x.abs() < 50.0 => (wide.exp(), 2f64.powi(-21) + wide.abs() * ulp, 0.0),
            14 if x > 0.0 => (wide.ln(), 2f64.powi(-21), 2f64.powi(-21)),
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
            let Some((expected, relative, absolute)) = self.expected(x) else { continue };
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
        let x = numbers();
        let on_device = Buffer::from_host(device, &x)?;
        let mut out = Buffer::uninitialized(device, x.len() as u64)?;
        let shape = Shape::new(1, x.len() as u32);
        kernels::maths_f64(device, shape, on_device.view(), out.view_mut(), self.which)?;
        let expected = |x: f64| match self.which {
            0 => x.mul_add(1.1, -0.3),
            1 => x.sqrt(),
            2 => x.floor(),
            3 => x.ceil(),
            4 => x.trunc(),
            5 => x.round_ties_even(),
            6 => x * 1.1 - 0.3,
            _ => x / 3.0,
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
fn functions_of_f64_are_exact() {
    KERNELS.kernel("maths_f64").everywhere((0..=7).map(|which| Wide { which }));
}
