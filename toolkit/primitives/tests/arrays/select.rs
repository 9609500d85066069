use anyhow::Result;
use warpwise_device::launch::Buffer;
use warpwise_harness::{Case, TestDevice, ensure_holds};
use warpwise_primitives::COMPACT_TILE;
use warpwise_primitives::select::{scratch_bytes, select};

use crate::{Pattern, on_arrays};

#[derive(Debug)]
struct Select(usize, Pattern);

impl Case for Select {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Select(n, pattern) = self;
        let numbers = pattern.numbers(n);
        let values: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(77_777)).collect();
        for zero in [0, 1, 2] {
            let flag = |&number: &u64| if number % 3 == zero { 0 } else { number as u8 | 1 };
            let flags: Vec<u8> = numbers.iter().map(flag).collect();
            let kept = values.iter().zip(&flags).filter(|(_, flag)| **flag != 0);
            let mut expected: Vec<u32> = kept.map(|(value, _)| *value).collect();
            let kept = expected.len() as u32;
            expected.resize(n, 0xabab);
            let on_device = Buffer::from_host(device, &values)?;
            let flags = Buffer::from_host(device, &flags)?;
            let mut selected = Buffer::from_host(device, &vec![0xabab; n])?;
            let count = select(device, on_device.view(), flags.view(), selected.view_mut())?;
            ensure_holds("selected", device, &selected, &expected)?;
            ensure_holds("count", device, &count, &[kept])?;
        }
        Ok(())
    }
}

#[test]
fn flagged_values_are_selected() {
    on_arrays("select_flagged", COMPACT_TILE, Select);
}

#[test]
fn each_tile_has_a_word() {
    assert_eq!([0, COMPACT_TILE, COMPACT_TILE + 1].map(|n| scratch_bytes(n.into())), [12, 12, 20]);
}
