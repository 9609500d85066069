use anyhow::Result;
use warpwise_device::launch::Buffer;
use warpwise_harness::{Case, TestDevice, ensure_holds};
use warpwise_primitives::histogram::{MOST_COUNTS, histogram};

use crate::{Pattern, on_arrays};

#[derive(Debug)]
struct Histogram(usize, Pattern);

impl Case for Histogram {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Histogram(n, pattern) = self;
        for counters in [1, 300, MOST_COUNTS as usize, MOST_COUNTS as usize + 1, 70_000] {
            let most = if counters > 400 { 70_007 } else { 400 };
            let values = pattern.words(n).into_iter().map(|word| word % most);
            let values: Vec<u32> = values.collect();
            // It adds to what is there.
            let mut expected: Vec<u32> = (0..counters as u32).collect();
            let mut counts = Buffer::from_host(device, &expected)?;
            for &value in &values {
                expected.get_mut(value as usize).into_iter().for_each(|count| *count += 1);
            }
            let values = Buffer::from_host(device, &values)?;
            histogram(device, values.view(), counts.view_mut())?;
            ensure_holds("counts", device, &counts, &expected)?;
        }
        Ok(())
    }
}

#[test]
fn values_are_counted() {
    on_arrays("count_values", 1024, Histogram);
}
