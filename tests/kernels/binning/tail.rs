use std::collections::HashSet;

use anyhow::{Result, ensure};
use tribin_kernels::binning::{
    TAIL_BLOCK, TAIL_SHARED_BYTES, TAIL_WARPS, TAIL_WARPS_SHARED_BYTES, TOTALS, bin_tail,
    bin_tail_warps, counter,
};
use warpwise_device::launch::{Buffer, Shape};

use super::emit::{Emit, Fate};
use super::level::{Level, Queue};
use crate::devices::{Case, Kernel, TestDevice};

/// Tasks of the tail, all for blocks or all for warps.
#[derive(Debug)]
struct Tail {
    level: Level,
    by_warps: bool,
}

impl Case for Tail {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let Tail { level, by_warps } = self;
        let mut expected = 0;
        for segment in &level.segments {
            let edges: HashSet<u64> =
                level.side(segment.edges_at, segment.edges).iter().copied().collect();
            let candidates = level.side(segment.candidates_at, segment.candidates);
            expected += candidates.iter().filter(|key| edges.contains(key)).count() as u64;
        }
        let fate = if *by_warps { Fate::TailWarps } else { Fate::Tail };
        let parts: Vec<u32> = level.segments.iter().map(|task| Emit::parts(fate, task)).collect();
        let mut queue = Queue::of(device, &level.segments, &parts)?;
        let counters = [0, 0, counter(parts.len() as u32, parts.iter().sum())];
        queue.counters = Buffer::from_host(device, &counters)?;
        let keys = Buffer::from_host(device, &level.keys)?;
        let mut totals = Buffer::zeroed(device, TOTALS)?;
        let (keys, before) = (keys.view(), queue.parts_before.view());
        let (segments, counters) = (queue.segments.view(), queue.counters.view());
        if *by_warps {
            let shape = Shape::new(level.blocks, TAIL_WARPS * 32).shared(TAIL_WARPS_SHARED_BYTES);
            bin_tail_warps(device, shape, keys, before, segments, counters, totals.view_mut(), 2)?;
        } else {
            let shape = Shape::new(level.blocks, TAIL_BLOCK).shared(TAIL_SHARED_BYTES);
            bin_tail(device, shape, keys, before, segments, counters, totals.view_mut(), 2)?;
        }
        let found: u64 = totals.to_vec(device)?.iter().sum();
        ensure!(found == expected, "{found} matches, expected {expected}");
        Ok(())
    }
}

/// Tasks whose edges are distinct and whose candidates are edges, repeated edges, or neither.
fn tasks(name: &'static str, sides: &[(u32, u32)], blocks: u32) -> Level {
    let mut level = Level { blocks, ..Level::of(name, sides, (0, 1), |_| 1) };
    for task in &level.segments {
        let first = u64::from(task.edges_at) << 20;
        for i in 0..u64::from(task.edges) {
            level.keys[task.edges_at as usize + i as usize] = first + i * 37 * 8;
        }
        for i in 0..u64::from(task.candidates) {
            let near = i * i % (2 * u64::from(task.edges));
            level.keys[task.candidates_at as usize + i as usize] = first + near * 37 * 4;
        }
    }
    level
}

#[test]
fn blocks_and_warps_intersect_what_is_left() {
    let (blocks, warps) = (Kernel::named("bin_tail"), Kernel::named("bin_tail_warps"));
    let tiny: Vec<(u32, u32)> = (0..70).map(|i| (1 + i % 5, 1 + i % 9 * (i % 40))).collect();
    let small = [
        tasks("one pair", &[(1, 1)], 1),
        tasks("tiny tasks", &tiny, 2),
        tasks("a full table of a warp", &[(256, 1025), (2000, 255), (40, 5000)], 3),
    ];
    for level in small {
        warps.everywhere([Tail { level, by_warps: true }]);
    }
    let several = [
        tasks("several tables", &[(4097, 9000), (300, 300)], 3),
        tasks("candidates in the table", &[(9000, 4096), (2, 5)], 1),
        tasks("tiny tasks", &tiny[..9], 2),
    ];
    for level in several {
        blocks.everywhere([Tail { level, by_warps: false }]);
    }
    let many: Vec<(u32, u32)> = (0..200_000).map(|i| (1 + i % 300, 1 + i % 9)).collect();
    warps.on_gpu(|| vec![Tail { level: tasks("many", &many, 700), by_warps: true }]);
    let large = [(60_000, 400_000), (500, 3_000_000), (5000, 257)];
    blocks.on_gpu(|| vec![Tail { level: tasks("large", &large, 264), by_warps: false }]);
}
