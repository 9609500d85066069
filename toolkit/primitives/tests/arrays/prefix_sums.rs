use anyhow::Result;
use warpwise_device::launch::Buffer;
use warpwise_harness::{Case, TestDevice, ensure_holds};
use warpwise_primitives::prefix_sums::{TILE, prefix_sums, scratch_bytes};
use warpwise_primitives::prefix_sums_32::TILE_32;

use crate::{Pattern, on_arrays};

#[derive(Debug)]
struct PrefixSums(usize, Pattern);

impl Case for PrefixSums {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &PrefixSums(n, pattern) = self;
        let values = pattern.words(n);
        let mut expected = vec![0_u64];
        for (i, &value) in values.iter().enumerate() {
            expected.push(expected[i] + u64::from(value));
        }
        let on_device = Buffer::from_host(device, &values)?;
        let mut sums = Buffer::<u64, D>::uninitialized(device, expected.len() as u64)?;
        prefix_sums(device, on_device.view(), sums.view_mut())?;
        ensure_holds("sums", device, &sums, &expected)?;
        let expected: Vec<u32> = expected.into_iter().map(|sum| sum as u32).collect();
        let mut sums = Buffer::<u32, D>::uninitialized(device, expected.len() as u64)?;
        prefix_sums(device, on_device.view(), sums.view_mut())?;
        ensure_holds("sums of 32 bits", device, &sums, &expected)
    }
}

#[test]
fn sums_stand_before_values() {
    // Tiles of sums of 32 bits are two of those of 64.
    assert_eq!(TILE_32, 2 * TILE);
    on_arrays("prefix_sums", TILE_32, PrefixSums);
}

#[test]
fn each_tile_has_a_word() {
    assert_eq!([0, TILE - 1, TILE].map(|n| scratch_bytes::<u64>(n.into())), [16, 16, 24]);
    assert_eq!([0, TILE_32 - 1, TILE_32].map(|n| scratch_bytes::<u32>(n.into())), [16, 16, 24]);
}
