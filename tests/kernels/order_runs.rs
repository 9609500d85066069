use anyhow::{Result, ensure};
use proptest::prelude::*;
use tribin_device::launch::{Buffer, Shape};
use tribin_kernels::order_runs::{BLOCK, MOST_STEPS, SHARED_BYTES, TILE, order_runs};

use crate::devices::{Case, Kernel, TestDevice};

#[derive(Debug)]
struct OrderRuns {
    /// Sorted from bit `shift` on.
    keys: Vec<u64>,
    shift: u32,
}

impl OrderRuns {
    /// Keys with `lengths` of runs, in no order within a run; with `distinct` low bits at most.
    fn with_runs(lengths: &[usize], shift: u32, distinct: u64, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let below = 1u64.checked_shl(shift).unwrap_or(u64::MAX).min(distinct);
        let mut keys = Vec::new();
        for (run, &len) in lengths.iter().enumerate() {
            let high = (run as u64 * 3 + 1) << shift;
            keys.extend((0..len).map(|_| high | random.u64(0..below)));
        }
        OrderRuns { keys, shift }
    }
}

impl Case for OrderRuns {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = self.keys.len() as u64;
        let keys = Buffer::from_host(device, &self.keys)?;
        let mut ordered = Buffer::from_host(device, &vec![7u64; self.keys.len()])?;
        let mut too_long = Buffer::from_host(device, &[0u32])?;
        order_runs(
            device,
            Shape::new(n.div_ceil(u64::from(TILE)).max(1) as u32, BLOCK).shared(SHARED_BYTES),
            keys.view(),
            ordered.view_mut(),
            too_long.view_mut(),
            n,
            self.shift,
        )?;
        let longest =
            self.keys.chunk_by(|a, b| a >> self.shift == b >> self.shift).map(<[u64]>::len);
        let expected_flag = longest.max().is_some_and(|len| len > MOST_STEPS as usize + 1);
        let flag = too_long.to_vec(device)?[0];
        ensure!(flag == u32::from(expected_flag), "the flag is {flag}");
        if !expected_flag {
            let mut expected = self.keys.clone();
            expected.sort_unstable();
            ensure!(ordered.to_vec(device)? == expected, "the keys are not in order");
        }
        Ok(())
    }
}

#[test]
fn order_runs_sorts_what_is_sorted_by_its_high_bits() {
    let kernel = Kernel::named("order_runs");
    let most = MOST_STEPS as usize;
    let lengths: [&[usize]; 9] = [
        &[1],
        &[2, 1, 3, 31, 32, 33, 64, 1],
        &[0, 300, 0, 1, 255, 256, 257],
        &[most],
        &[3, most + 1],
        &[most + 2, 4],
        // Up to a tile's end, and one over.
        &[1000, 24, 1],
        &[1000, 25, 1],
        &[1023, 1, 1024, 5],
    ];
    for lengths in lengths {
        for shift in [1, 20, 32] {
            for distinct in [1, 5, u64::MAX] {
                let n = lengths.iter().sum::<usize>() as u64;
                kernel.everywhere([OrderRuns::with_runs(lengths, shift, distinct, n)]);
            }
        }
    }
    let drawn = (prop::collection::vec(0usize..40, 0..90), 0u32..=32, 1u64..60, any::<u64>());
    kernel.drawn(
        32,
        drawn.prop_map(|(lengths, shift, distinct, seed)| {
            OrderRuns::with_runs(&lengths, shift, distinct, seed)
        }),
    );
    kernel.on_gpu(|| {
        let lengths: Vec<usize> = (0..200_000).map(|run| run * run % 23).collect();
        vec![OrderRuns::with_runs(&lengths, 21, u64::MAX, 3)]
    });
    kernel.report();
}
