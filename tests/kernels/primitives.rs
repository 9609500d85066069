//! What several kernels do within a block, through kernels that do nothing else.

use anyhow::{Result, ensure};
use proptest::prelude::*;
use tribin_kernels::primitives::{
    LookbackState, TileWords, block_add_to, block_scan_exclusive, lookback_publish_first,
    lookback_warp, warp_add_runs, warp_append,
};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread, warp};

use crate::contents::Content;
use crate::devices::{Case, Kernel, TestDevice, ensure_holds};

kernel!(
    /// Two scans of each block, one after the other, the second of the values doubled.
    #[requires(before.len() >= 2 * values.len(), all.len() >= 2 * values.len())]
    pub unsafe fn scan_blocks(values: In<u32>, before: InOut<u32>, all: InOut<u32>) {
        let i = thread::index_1d();
        let totals = shared::array::<u32>(0, thread::block_dim_x() / warp::SIZE);
        let mut round = 0;
        while round < 2 {
            let sums = block_scan_exclusive(totals, values.get(i) << round);
            before.set(round * thread::grid_size() + i, sums.before);
            all.set(round * thread::grid_size() + i, sums.all);
            round += 1;
        }
    }
);

kernel!(
    /// A warp a tile: every lane writes the sum over the tiles before its own.
    #[requires(before.len() >= 32 * values.len(), words.len() >= values.len())]
    pub unsafe fn scan_tiles(
        values: In<u32>,
        before: InOut<u32>,
        words: InOut<u64>,
        tickets: InOut<u32>,
        pass: u32,
    ) {
        let tile_slot = shared::array::<u32>(0, 1);
        if thread::thread_idx_x() == 0 {
            tile_slot.set(0, tickets.atomic_add(u64::from(pass), 1));
        }
        thread::sync_threads();
        let tile = u64::from(tile_slot.get(0));
        let state = LookbackState::of_pass(pass);
        let value = values.get(tile);
        if warp::lane_id() == 0 {
            lookback_publish_first(words, state, tile, value);
        }
        let sum = lookback_warp(words, state, tile, value);
        before.set(tile * 32 + u64::from(warp::lane_id()), sum);
    }
);

kernel!(
    /// One warp looks back from `tile`, whose own sum is `value`.
    #[requires(before.len() >= 32, words.len() > tile)]
    pub unsafe fn look_back(
        before: InOut<u32>,
        words: InOut<u64>,
        tile: u64,
        value: u32,
        pass: u32,
    ) {
        let sum = lookback_warp(words, LookbackState::of_pass(pass), tile, value);
        before.set(u64::from(warp::lane_id()), sum);
    }
);

kernel!(
    /// `words[indices[i]]` grows by `amount` where `counts[i]` is not 0.
    #[requires(counts.len() >= indices.len())]
    pub unsafe fn add_runs(indices: In<u32>, counts: In<u32>, words: InOut<u32>, amount: u32) {
        let i = thread::index_1d();
        warp_add_runs(words, indices.get(i), counts.get(i) != 0, amount);
    }
);

kernel!(
    /// `total[1]` grows by the sum of `values`.
    #[requires(total.len() >= 2)]
    pub unsafe fn add_blocks(values: In<u64>, total: InOut<u64>) {
        block_add_to(total, 1, values.get(thread::index_1d()));
    }
);

kernel!(
    /// Every thread takes as many places as `counts` says, and writes the first.
    #[requires(firsts.len() >= counts.len(), totals.len() >= 2)]
    pub unsafe fn append_counts(counts: In<u32>, firsts: InOut<u64>, totals: InOut<u64>) {
        let i = thread::index_1d();
        firsts.set(i, warp_append(totals, 1, u64::from(counts.get(i))));
    }
);

#[derive(Debug)]
struct AppendCounts {
    counts: Content<u32>,
    block: u32,
}

impl Case for AppendCounts {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let counts = Buffer::from_host(device, &self.counts)?;
        let mut firsts = Buffer::<u64, D>::uninitialized(device, counts.len())?;
        let mut totals = Buffer::from_host(device, &[5, 7])?;
        let shape = Shape::new(self.counts.len() as u32 / self.block, self.block);
        append_counts(device, shape, counts.view(), firsts.view_mut(), totals.view_mut())?;
        let sum: u64 = self.counts.iter().map(|&count| u64::from(count)).sum();
        ensure_holds("totals", device, &totals, &[5, 7 + sum])?;
        let firsts = firsts.to_vec(device)?;
        // A warp's places follow one another; warps come in any order.
        let mut warps: Vec<[u64; 2]> = Vec::new();
        for (firsts, counts) in firsts.chunks(32).zip(self.counts.chunks(32)) {
            let mut next = firsts[0];
            for (&first, &count) in firsts.iter().zip(counts) {
                ensure!(first == next, "a lane's places start at {first}, expected {next}");
                next += u64::from(count);
            }
            warps.push([firsts[0], next]);
        }
        warps.sort_unstable();
        let mut free = 7;
        for [first, next] in warps {
            ensure!(first == free, "a warp's places start at {first}, expected {free}");
            free = next;
        }
        Ok(())
    }
}

#[test]
fn warp_append_shares_out_places() {
    let kernel = Kernel::of_test("warp_append");
    for (warps, most) in [(1, 0), (1, 3), (2, 1), (8, 100), (8, u32::MAX)] {
        let mut rng = fastrand::Rng::with_seed(u64::from(warps));
        let counts = (0..warps * 32).map(|_| rng.u32(..=most)).collect();
        let counts = Content::new(format!("up to {most}"), counts);
        kernel.everywhere(
            [32, 64]
                .into_iter()
                .filter(|block| warps * 32 % block == 0)
                .map(|block| AppendCounts { counts: counts.clone(), block }),
        );
    }
}

#[derive(Debug)]
struct ScanBlocks {
    /// Blocks of equal size.
    values: Content<u32>,
    block: u32,
}

impl Case for ScanBlocks {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let (mut expected_before, mut expected_all) = (Vec::new(), Vec::new());
        for factor in [1, 2] {
            for block in self.values.chunks(self.block as usize) {
                let mut sum = 0;
                for value in block {
                    expected_before.push(sum);
                    sum += value * factor;
                }
                expected_all.extend(vec![sum; block.len()]);
            }
        }
        let values = Buffer::from_host(device, &self.values)?;
        let mut before = Buffer::uninitialized(device, 2 * values.len())?;
        let mut all = Buffer::uninitialized(device, 2 * values.len())?;
        let grid = self.values.len() as u32 / self.block;
        let shape = Shape::new(grid, self.block).shared(self.block / 8);
        scan_blocks(device, shape, values.view(), before.view_mut(), all.view_mut())?;
        ensure_holds("before", device, &before, &expected_before)?;
        ensure_holds("all", device, &all, &expected_all)
    }
}

#[test]
fn block_scan_exclusive_is_a_fold() {
    let kernel = Kernel::of_test("block_scan_exclusive");
    for block in [32, 64, 96, 256, 512, 1024] {
        let n = 3 * block;
        let contents = [
            Content::new("ones", vec![1; n as usize]),
            Content::new("ascending", (0..n).collect()),
            Content::new("descending", (0..n).rev().collect()),
            Content::new("last lanes", (0..n).map(|i| u32::from(i % 32 == 31) << 20).collect()),
            Content::new("first lanes", (0..n).map(|i| u32::from(i % 32 == 0) << 20).collect()),
        ];
        kernel.everywhere(contents.map(|values| ScanBlocks { values, block }));
    }
    let drawn = (1u32..=8, 1u32..4).prop_flat_map(|(warps, grid)| {
        let values = prop::collection::vec(0u32..1 << 20, (warps * 32 * grid) as usize);
        (values, Just(warps * 32))
    });
    kernel.drawn(
        24,
        drawn.prop_map(|(values, block)| ScanBlocks {
            values: Content::new("given", values),
            block,
        }),
    );
}

/// Scans over tiles, one after another on the same words.
#[derive(Debug)]
struct ScanTiles {
    passes: Vec<Content<u32>>,
}

impl Case for ScanTiles {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let tiles = self.passes[0].len();
        let mut words = Buffer::zeroed(device, tiles as u64)?;
        let mut tickets = Buffer::zeroed(device, self.passes.len() as u64)?;
        for (pass, values) in self.passes.iter().enumerate() {
            let pass = pass as u32;
            let (mut expected_before, mut expected_words) = (Vec::new(), Vec::new());
            let mut sum = 0;
            for value in values.iter() {
                expected_before.extend([sum; 32]);
                sum += value;
                expected_words.push(LookbackState::of_pass(pass).prefix(sum));
            }
            let values = Buffer::from_host(device, values)?;
            let mut before = Buffer::uninitialized(device, 32 * tiles as u64)?;
            scan_tiles(
                device,
                Shape::new(tiles as u32, 32).shared(4),
                values.view(),
                before.view_mut(),
                words.view_mut(),
                tickets.view_mut(),
                pass,
            )?;
            ensure_holds(&format!("pass {pass}: before"), device, &before, &expected_before)?;
            ensure_holds(&format!("pass {pass}: words"), device, &words, &expected_words)?;
        }
        Ok(())
    }
}

/// A look-back at words that stand already.
#[derive(Debug)]
struct LookBack {
    tile: u64,
    /// How far before it the nearest prefix stands; everything nearer is an own sum.
    distance: u64,
    pass: u32,
}

impl Case for LookBack {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        const VALUE: u32 = 1 << 20;
        let state = LookbackState::of_pass(self.pass);
        let own = |tile: u64| tile as u32 * 3 + 1;
        let prefix = |tile: u64| 1000 + (0..=tile).map(own).sum::<u32>();
        let word = |tile: u64| {
            let distance = self.tile - tile;
            // Further away, both kinds stand.
            if distance < self.distance || (distance > self.distance && tile % 3 == 1) {
                state.aggregate(own(tile))
            } else {
                state.prefix(prefix(tile))
            }
        };
        let mut expected: Vec<u64> = (0..self.tile).map(word).collect();
        expected.push(0);
        let mut words = Buffer::from_host(device, &expected)?;
        let sum = self.tile.checked_sub(1).map_or(0, prefix);
        if self.tile > 0 {
            expected[self.tile as usize] = state.prefix(sum + VALUE);
        }
        let mut before = Buffer::uninitialized(device, 32)?;
        let shape = Shape::new(1, 32);
        look_back(device, shape, before.view_mut(), words.view_mut(), self.tile, VALUE, self.pass)?;
        ensure_holds("before", device, &before, &[sum; 32])?;
        ensure_holds("words", device, &words, &expected)
    }
}

#[test]
fn look_back_sums_all_tiles_before() {
    let kernel = Kernel::of_test("look-back");
    kernel.everywhere([LookBack { tile: 0, distance: 0, pass: 0 }]);
    for tile in [1, 2, 31, 32, 33, 63, 64, 65, 97, 130] {
        let distances = (1..=tile).filter(|&d| d < 4 || d == tile || (d + 1) % 32 < 3);
        kernel.everywhere(distances.map(|distance| LookBack { tile, distance, pass: tile as u32 }));
    }
    for tiles in [1u32, 2, 31, 32, 33, 34, 65, 100] {
        let contents = [
            Content::new("ones", vec![1; tiles as usize]),
            Content::new("squares", (0..tiles).map(|tile| tile * tile).collect()),
            Content::new("zeros", vec![0; tiles as usize]),
            Content::new("descending", (0..tiles).rev().map(|tile| tile << 16).collect()),
        ];
        kernel.everywhere([ScanTiles { passes: contents.into() }]);
    }
    let drawn = (1usize..80, 1usize..5).prop_flat_map(|(tiles, passes)| {
        let values = prop::collection::vec(0u32..1 << 24, tiles);
        prop::collection::vec(values.prop_map(|values| Content::new("given", values)), passes)
    });
    kernel.drawn(24, drawn.prop_map(|passes| ScanTiles { passes }));
}

#[test]
fn the_states_of_a_pass_are_its_own() {
    let passes = [0, 1, 2, 3, 7, 255, 1 << 20, (1 << 31) - 3];
    for pass in passes {
        let state = LookbackState::of_pass(pass);
        for value in [0, 1, 0x8000_0000, u32::MAX] {
            let (aggregate, prefix) = (state.aggregate(value), state.prefix(value));
            assert_eq!((aggregate as u32, prefix as u32), (value, value), "pass {pass}");
            assert!(state.is_aggregate(aggregate) && !state.is_prefix(aggregate), "pass {pass}");
            assert!(state.is_prefix(prefix) && !state.is_aggregate(prefix), "pass {pass}");
            for other in passes.into_iter().chain([pass + 1]).filter(|&other| other != pass) {
                let other = LookbackState::of_pass(other);
                for word in [aggregate, prefix, 0, u64::from(value)] {
                    assert!(!other.is_aggregate(word) && !other.is_prefix(word), "pass {pass}");
                }
            }
        }
    }
}

#[derive(Debug)]
struct AddRuns {
    /// What is added to, and whether it is: whole warps.
    items: Content<(u32, bool)>,
    amount: u32,
    /// Threads in a block.
    block: u32,
}

impl Case for AddRuns {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let mut expected: Vec<u32> = (0..64).collect();
        let mut words = Buffer::from_host(device, &expected)?;
        for &(index, counts) in self.items.iter() {
            if counts {
                expected[index as usize] = expected[index as usize].wrapping_add(self.amount);
            }
        }
        let indices: Vec<u32> = self.items.iter().map(|&(index, _)| index).collect();
        let counts: Vec<u32> = self.items.iter().map(|&(_, counts)| counts.into()).collect();
        let indices = Buffer::from_host(device, &indices)?;
        let counts = Buffer::from_host(device, &counts)?;
        let shape = Shape::new(self.items.len() as u32 / self.block, self.block);
        add_runs(device, shape, indices.view(), counts.view(), words.view_mut(), self.amount)?;
        ensure_holds("words", device, &words, &expected)
    }
}

#[test]
fn warp_add_runs_adds_once_for_every_lane_that_counts() {
    let kernel = Kernel::of_test("warp_add_runs");
    // Every run in a warp by its start and its length, with and without gaps.
    for start in 0..32 {
        for length in [1, 2, 31, 32, 33] {
            let all =
                (0..64).map(|i| (if (start..start + length).contains(&i) { 5 } else { i }, true));
            let gaps = all.clone().map(|(index, _)| (index, index % 3 != 1));
            let every_third = (0..64).map(|i| (5, i % 3 == start % 3));
            let contents = [
                Content::new(format!("run at {start}"), all.collect()),
                Content::new(format!("run at {start} with gaps"), gaps.collect()),
                Content::new(format!("every third from {start}"), every_third.collect()),
            ];
            let amounts = [1, u32::MAX, 7];
            let cases = contents.into_iter().zip(amounts);
            kernel.everywhere(cases.map(|(items, amount)| AddRuns { items, amount, block: 64 }));
        }
    }
    let drawn = (1u32..=4, 1u32..=3).prop_flat_map(|(warps, grid)| {
        let items = prop::collection::vec((0u32..3, any::<bool>()), (warps * 32 * grid) as usize);
        (items, any::<u32>(), Just(warps * 32))
    });
    kernel.drawn(
        48,
        drawn.prop_map(|(items, amount, block)| AddRuns {
            items: Content::new("given", items),
            amount,
            block,
        }),
    );
}

#[derive(Debug)]
struct AddBlocks {
    /// Whole blocks; their sum stays below 2⁶⁴.
    values: Content<u64>,
    block: u32,
}

impl Case for AddBlocks {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let expected = [3, 4 + self.values.iter().sum::<u64>(), 5];
        let values = Buffer::from_host(device, &self.values)?;
        let mut total = Buffer::from_host(device, &[3, 4, 5])?;
        let shape = Shape::new(self.values.len() as u32 / self.block, self.block);
        add_blocks(device, shape, values.view(), total.view_mut())?;
        ensure_holds("total", device, &total, &expected)
    }
}

#[test]
fn block_add_to_adds_the_sum_of_all_threads() {
    let kernel = Kernel::of_test("block_add_to");
    for block in [32u32, 64, 96, 1024] {
        let n = 2 * block as usize;
        let one_of = |place: usize| {
            let mut values = vec![0; n];
            values[place] = 1 << 40 | 1;
            Content::new(format!("one at {place}"), values)
        };
        let mut contents = vec![
            Content::new("zeros", vec![0; n]),
            Content::new("halves that carry", vec![0xffff_ffff; n]),
            Content::new("high halves", vec![3 << 40; n]),
        ];
        contents.extend([0, 1, 30, 31, n - 32, n - 1].map(one_of));
        kernel.everywhere(contents.into_iter().map(|values| AddBlocks { values, block }));
    }
    let drawn = (1u32..=8, 1u32..4).prop_flat_map(|(warps, grid)| {
        let values = prop::collection::vec(0u64..1 << 50, (warps * 32 * grid) as usize);
        (values, Just(warps * 32))
    });
    kernel.drawn(
        24,
        drawn
            .prop_map(|(values, block)| AddBlocks { values: Content::new("given", values), block }),
    );
}
