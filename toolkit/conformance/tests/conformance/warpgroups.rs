use anyhow::Result;
use warpwise_conformance::warpgroups::multiply_in_warpgroup;
use warpwise_device::half::{Bf16, F16};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::warpgroup::{COLUMNS, ROWS, WORDS};
use warpwise_harness::{Case, TestDevice, ensure_holds};

use crate::{WARPGROUPS, noise};

/// A product of whole numbers, whose sums are exact in any order.
#[derive(Debug)]
struct Multiply {
    steps: u32,
    of_f16: bool,
}

impl Case for Multiply {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let numbers = |lines: u32| {
            let len = (self.steps * lines * 2 * WORDS) as usize;
            noise(len).map(|bits| (bits % 32) as f32 - 15.0).collect::<Vec<_>>()
        };
        let bits = |number: f32| match self.of_f16 {
            true => F16::from_f32(number).to_bits(),
            false => Bf16::from_f32(number).to_bits(),
        };
        let words = |numbers: &[f32]| {
            let pairs = numbers.as_chunks().0.iter();
            let words =
                pairs.map(|&[low, high]| u32::from(bits(low)) | u32::from(bits(high)) << 16);
            Buffer::from_host(device, &words.collect::<Vec<u32>>())
        };
        let (rows, columns) = (numbers(ROWS), numbers(COLUMNS));
        let before: Vec<f32> = (0..ROWS * COLUMNS).map(|i| i as f32).collect();
        let mut expected = before.clone();
        for (i, sum) in expected.iter_mut().enumerate() {
            let (row, column) = (i / COLUMNS as usize, i % COLUMNS as usize);
            for step in 0..self.steps as usize {
                let line = |numbers: &[f32], lines: u32, line: usize| {
                    let start = (step * lines as usize + line) * 64;
                    numbers[start..start + 64].to_vec()
                };
                let (row, column) = (line(&rows, ROWS, row), line(&columns, COLUMNS, column));
                *sum += row.iter().zip(column).map(|(a, b)| a * b).sum::<f32>();
            }
        }
        let (rows, columns) = (words(&rows)?, words(&columns)?);
        let mut sums = Buffer::from_host(device, &before)?;
        let shape = Shape::new(1, 128).shared((ROWS + COLUMNS) * WORDS * 4);
        let (a, b, c) = (rows.view(), columns.view(), sums.view_mut());
        multiply_in_warpgroup(device, shape, a, b, c, self.steps, self.of_f16)?;
        ensure_holds("sums", device, &sums, &expected)
    }
}

#[test]
fn a_warpgroup_multiplies_what_is_in_shared_memory() {
    let cases = [(1, true), (1, false), (3, true), (2, false)];
    let cases = cases.map(|(steps, of_f16)| Multiply { steps, of_f16 });
    WARPGROUPS.kernel("multiply_in_warpgroup").everywhere(cases);
}
