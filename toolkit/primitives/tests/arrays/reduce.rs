use anyhow::{Result, ensure};
use warpwise_device::launch::Buffer;
use warpwise_harness::{Case, TestDevice, ensure_holds};
use warpwise_primitives::reduce::{self, largest, least, sum, sum_of_reals};

use crate::{Pattern, on_arrays};

#[derive(Debug)]
struct Reduce(usize, Pattern);

impl Case for Reduce {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Reduce(n, pattern) = self;
        let numbers = pattern.numbers(n);
        let on_device = Buffer::from_host(device, &numbers)?;
        let all = numbers.iter().fold(0, |sum: u64, number| sum.wrapping_add(*number));
        ensure_holds("sum", device, &sum(device, on_device.view())?, &[all])?;
        let (min, max) = (numbers.iter().min(), numbers.iter().max());
        let found = least(device, on_device.view())?;
        ensure_holds("least", device, &found, &[min.copied().unwrap_or(u64::MAX)])?;
        let found = largest(device, on_device.view())?;
        ensure_holds("largest", device, &found, &[max.copied().unwrap_or(0)])?;
        let words = pattern.words(n);
        let on_device = Buffer::from_host(device, &words)?;
        let words = words.iter().map(|&word| u64::from(word));
        let found = sum(device, on_device.view())?;
        ensure_holds("sum of words", device, &found, &[words.clone().sum()])?;
        let found = least(device, on_device.view())?;
        ensure_holds("least word", device, &found, &[words.clone().min().unwrap_or(u64::MAX)])?;
        let found = largest(device, on_device.view())?;
        ensure_holds("largest word", device, &found, &[words.max().unwrap_or(0)])
    }
}

#[test]
fn values_are_reduced() {
    on_arrays("reduce", 256 * 8, Reduce);
}

#[derive(Debug)]
struct AddReals(usize, Pattern);

impl Case for AddReals {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &AddReals(n, pattern) = self;
        // Numbers of many sizes, as whole multiples of 2⁻³⁰, whose sum is exact in 128 bits.
        let units = pattern
            .numbers(n)
            .into_iter()
            .map(|number| i128::from(number as i32 >> 8) << ((number >> 32) % 40));
        let units: Vec<i128> = units.collect();
        let real = |units: i128| units as f64 / f64::from(1 << 30);
        let values: Vec<f64> = units.iter().copied().map(real).collect();
        let narrow: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        let (exact, all) = (units.iter().sum(), units.iter().map(|unit| unit.abs()).sum());
        let most = real(all) * n as f64 * f64::EPSILON / 2.0;
        let on_device = Buffer::from_host(device, &narrow)?;
        let found = sum_of_reals(device, on_device.view())?.to_vec(device)?[0];
        ensure!((found - real(exact)).abs() <= most, "{found}, expected {}", real(exact));
        ensure_holds("again", device, &sum_of_reals(device, on_device.view())?, &[found])?;
        // The same numbers in the same order.
        let on_device = Buffer::from_host(device, &values)?;
        ensure_holds("sum of f64", device, &sum_of_reals(device, on_device.view())?, &[found])
    }
}

#[test]
fn reals_are_added() {
    on_arrays("add_reals", 256 * 8, AddReals);
}

#[test]
fn each_block_has_a_word() {
    let emulator = warpwise_device::emulated::Emulator::new();
    assert!(reduce::scratch_bytes(&emulator) > 0);
}
