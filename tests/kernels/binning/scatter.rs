use anyhow::Result;
use tribin_kernels::binning::{SCATTER_BLOCK, SCATTER_SHARED_BYTES, Segment, bin_scatter};
use warpwise_device::launch::{Buffer, Shape};

use super::level::{LEVEL, Level, large, levels};
use crate::devices::{Case, Kernel, TestDevice, ensure_holds};

#[derive(Debug)]
struct Scatter {
    level: Level,
    /// One bucket in this number is left behind.
    pruned: u32,
}

impl Case for Scatter {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Scatter { level, pruned } = self;
        let is_alive = |index: usize| !(index as u32 + 1).is_multiple_of(*pruned);
        let buckets = level.buckets();
        let mut alive = vec![0u32; buckets.len().div_ceil(32)];
        for index in (0..buckets.len()).filter(|index| is_alive(*index)) {
            alive[index / 32] |= 1 << (index % 32);
        }
        // What is not moved keeps what the other half held.
        const NOTHING: u64 = 0x5555_5555_5555_5555;
        let mut expected = vec![NOTHING; level.keys.len()];
        for (index, segment) in level.segments.iter().enumerate() {
            let first = index << level.bits;
            let mut move_side = |side: &[u64], at: fn(&Segment) -> u32| {
                let mut places: Vec<u32> =
                    buckets[first..].iter().take(1 << level.bits).map(at).collect();
                for key in side {
                    let place = &mut places[level.digit(*key)];
                    if is_alive(first + level.digit(*key)) {
                        expected[*place as usize] = *key;
                    }
                    *place += 1;
                }
            };
            move_side(level.side(segment.edges_at, segment.edges), |bucket| bucket.edges_at);
            move_side(level.side(segment.candidates_at, segment.candidates), |bucket| {
                bucket.candidates_at
            });
        }
        let queue = level.upload(device)?;
        let keys = Buffer::from_host(device, &level.keys)?;
        let mut binned = Buffer::from_host(device, &vec![NOTHING; level.keys.len()])?;
        bin_scatter(
            device,
            Shape::new(level.blocks, SCATTER_BLOCK).shared(SCATTER_SHARED_BYTES),
            keys.view(),
            binned.view_mut(),
            queue.parts_before.view(),
            queue.segments.view(),
            queue.counters.view(),
            Buffer::from_host(device, &level.scanned())?.view(),
            Buffer::from_host(device, &alive)?.view(),
            LEVEL,
            level.shift,
            level.bits,
        )?;
        ensure_holds("binned", device, &binned, &expected)
    }
}

#[test]
fn buckets_that_go_on_are_moved_in_order() {
    let kernel = Kernel::named("bin_scatter");
    let cases = |levels: Vec<Level>| -> Vec<Scatter> {
        let cases = |level: Level| {
            [1, 2, 5, u32::MAX].map(|pruned| Scatter { level: level.clone(), pruned })
        };
        levels.into_iter().flat_map(cases).collect()
    };
    kernel.everywhere(cases(levels()));
    kernel.on_gpu(|| cases(large()));
}
