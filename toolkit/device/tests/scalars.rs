//! Numbers of every type, as parameters and in memory.

use tribin_device::emulated::{Emulator, EmulatorError, Kind};
use tribin_device::launch::{Buffer, Shape};
use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

kernel!(
    /// `y[i] = a * x[i] + y[i]` for every `i < n`.
    #[requires(x.len() >= n, y.len() >= n)]
    pub unsafe fn saxpy(a: f32, x: In<f32>, y: InOut<f32>, n: u64) {
        let i = thread::index_1d();
        if i < n {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }
);

kernel!(
    /// Each array gets its parameter, and then the negative of what was there.
    #[requires(small.len() == 2, large.len() == 2, reals.len() == 2, halves.len() == 2)]
    pub unsafe fn negate(
        signed: i32,
        small: InOut<i32>,
        long: i64,
        large: InOut<i64>,
        real: f64,
        reals: InOut<f64>,
        halves: InOut<i16>,
    ) {
        small.set(1, -small.get(0));
        small.set(0, signed);
        large.set(1, -large.get(0));
        large.set(0, long);
        reals.set(1, -reals.get(0));
        reals.set(0, real);
        halves.set(1, -halves.get(0));
    }
);

kernel!(
    /// Reads one too many.
    #[requires(!out.is_empty())]
    pub unsafe fn reads_past_the_end(values: In<f64>, out: InOut<f64>) {
        out.set(0, values.get(3));
    }
);

#[test]
fn saxpy_is_exact() -> Result<(), EmulatorError> {
    let device = Emulator::new();
    let x: Vec<f32> = (0..1000).map(|i| i as f32 / 7.0).collect();
    let y: Vec<f32> = (0..1000).map(|i| 1000.0 - i as f32 / 3.0).collect();
    let a = -1.25;
    let on_device = Buffer::from_host(&device, &x)?;
    let mut result = Buffer::from_host(&device, &y)?;
    saxpy(&device, Shape::cover(1000, 128, 64), a, on_device.view(), result.view_mut(), 1000)?;
    // Two roundings: the product, then the sum.
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| a * x + y).collect();
    let bits = |values: &[f32]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&result.to_vec(&device)?), bits(&expected));
    Ok(())
}

#[test]
fn signed_and_real_numbers_keep_their_bits() -> Result<(), EmulatorError> {
    let device = Emulator::new();
    let mut small = Buffer::from_host(&device, &[i32::MAX, 0])?;
    let mut large = Buffer::from_host(&device, &[i64::MAX, 0])?;
    let mut reals = Buffer::from_host(&device, &[0.0, 1.0])?;
    let mut halves = Buffer::from_host(&device, &[300i16, 0])?;
    negate(
        &device,
        Shape::new(1, 1),
        i32::MIN,
        small.view_mut(),
        i64::MIN + 1,
        large.view_mut(),
        f64::MIN_POSITIVE,
        reals.view_mut(),
        halves.view_mut(),
    )?;
    assert_eq!(small.to_vec(&device)?, [i32::MIN, -i32::MAX]);
    assert_eq!(large.to_vec(&device)?, [i64::MIN + 1, -i64::MAX]);
    let reals = reals.to_vec(&device)?.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    assert_eq!(reals, [f64::MIN_POSITIVE.to_bits(), (-0.0f64).to_bits()]);
    assert_eq!(halves.to_vec(&device)?, [300, -300]);
    Ok(())
}

#[test]
fn real_numbers_are_checked_as_all_memory_is() -> Result<(), EmulatorError> {
    let device = Emulator::new();
    let values = Buffer::from_host(&device, &[1.0, 2.0, 3.0])?;
    let mut out = Buffer::<f64, _>::zeroed(&device, 1)?;
    let error = reads_past_the_end(&device, Shape::new(1, 1), values.view(), out.view_mut());
    let error = error.expect_err("the array has three elements");
    let kind = &error.finding().expect("a finding").kind;
    assert!(matches!(kind, Kind::OutOfBounds { len: 3, .. }), "{error}");
    Ok(())
}
