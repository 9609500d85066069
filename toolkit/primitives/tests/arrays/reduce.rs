use anyhow::Result;
use warpwise_device::launch::Buffer;
use warpwise_harness::{Case, TestDevice, ensure_holds};
use warpwise_primitives::reduce::{self, largest, least, sum};

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

#[test]
fn each_block_has_a_word() {
    let emulator = warpwise_device::emulated::Emulator::new();
    assert!(reduce::scratch_bytes(&emulator) > 0);
}
