//! Each kernel against plain Rust: in the emulator, and on a GPU where there is one.

use std::collections::BTreeMap;

use anyhow::Result;
use own_kernels::PTX;
use own_kernels::kernels::hash_join::{
    self, BUCKETS, bucket_sizes, bucket_starts, fill_buckets, probe,
};
use own_kernels::kernels::histogram::{self, BINS, histogram};
use own_kernels::kernels::reduce_by_key::{LARGEST, reduce_by_key};
use own_kernels::kernels::saxpy::{self, saxpy};
use own_kernels::kernels::segmented_scan::{self, segmented_scan};
use tribin_device::launch::{Buffer, Shape};
use tribin_harness::proptest::collection::vec;
use tribin_harness::proptest::prelude::*;
use tribin_harness::{Case, Harness, TestDevice, covering_shapes, ensure_holds, striding_shapes};

/// Numbers without a pattern.
fn numbers(n: u32) -> Vec<u32> {
    (0..n).map(|i| (i + 1).wrapping_mul(2_654_435_761) >> 7).collect()
}

static KERNELS: Harness = Harness::new(PTX);

#[derive(Debug)]
struct Saxpy {
    a: f32,
    x: Vec<f32>,
    shape: Shape,
}

impl Case for Saxpy {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = self.x.len() as u64;
        let y: Vec<f32> = self.x.iter().map(|x| x - 3.0).collect();
        let expected: Vec<f32> = self.x.iter().zip(&y).map(|(x, y)| self.a * x + y).collect();
        let x = Buffer::from_host(device, &self.x)?;
        let mut y = Buffer::from_host(device, &y)?;
        saxpy(device, self.shape, self.a, x.view(), y.view_mut(), n)?;
        ensure_holds("y", device, &y, &expected)
    }
}

#[test]
fn saxpy_is_a_x_plus_y() {
    let kernel = KERNELS.kernel("saxpy");
    for n in [0, 1, 255, 256, 257, 1000] {
        let x: Vec<f32> = numbers(n).into_iter().map(|x| x as f32 / 7.0).collect();
        kernel.everywhere(striding_shapes(n.into(), saxpy::BLOCK).map(|shape| Saxpy {
            a: 0.3,
            x: x.clone(),
            shape,
        }));
    }
    let any = (vec(-1e6f32..1e6, 0..300), -9f32..9.0, 0..5usize);
    kernel.drawn(
        16,
        any.prop_map(|(x, a, shape)| {
            let shape = striding_shapes(x.len() as u64, 64)[shape];
            Saxpy { a, x, shape }
        }),
    );
}

#[derive(Debug)]
struct Histogram {
    values: Vec<u32>,
    blocks: u32,
}

impl Case for Histogram {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        // The kernel adds to what is there.
        let mut expected: Vec<u32> = (0..BINS).collect();
        let values = Buffer::from_host(device, &self.values)?;
        let mut counts = Buffer::from_host(device, &expected)?;
        for value in &self.values {
            expected[*value as usize % 256] += 1;
        }
        let shape = Shape::new(self.blocks, BINS).shared(histogram::SHARED_BYTES);
        histogram(device, shape, values.view(), counts.view_mut(), self.values.len() as u64)?;
        ensure_holds("counts", device, &counts, &expected)
    }
}

#[test]
fn a_histogram_counts_each_value() {
    let kernel = KERNELS.kernel("histogram");
    for n in [0, 1, 255, 3000] {
        kernel.everywhere([1, 2, 7].map(|blocks| Histogram { values: numbers(n), blocks }));
    }
    kernel.everywhere([Histogram { values: vec![9; 2000], blocks: 3 }]);
    let any = (vec(any::<u32>(), 0..600), 1..5u32);
    kernel.drawn(8, any.prop_map(|(values, blocks)| Histogram { values, blocks }));
}

#[derive(Debug)]
struct SegmentedScan {
    values: Vec<u32>,
    heads: Vec<u32>,
}

impl Case for SegmentedScan {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let mut sum = 0u32;
        let sums = self.values.iter().zip(&self.heads).map(|(value, head)| {
            sum = if *head == 0 { sum.wrapping_add(*value) } else { *value };
            sum
        });
        let expected: Vec<u32> = sums.collect();
        let n = self.values.len() as u64;
        let shape = Shape::cover(n, segmented_scan::BLOCK, u32::MAX);
        let shape = shape.shared(segmented_scan::SHARED_BYTES);
        let values = Buffer::from_host(device, &self.values)?;
        let heads = Buffer::from_host(device, &self.heads)?;
        let mut sums = Buffer::uninitialized(device, n)?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        let mut carries = Buffer::zeroed(device, shape.grid.count())?;
        segmented_scan(
            device,
            shape,
            values.view(),
            heads.view(),
            sums.view_mut(),
            ticket.view_mut(),
            carries.view_mut(),
            n,
        )?;
        ensure_holds("sums", device, &sums, &expected)
    }
}

#[test]
fn sums_begin_anew_at_each_head() {
    let kernel = KERNELS.kernel("segmented_scan");
    for n in [1, 31, 32, 33, 255, 256, 257, 1500] {
        // A head now and then, none at all, and one for each element.
        kernel.everywhere([97, u32::MAX, 1].map(|every| SegmentedScan {
            values: numbers(n),
            heads: (1..=n).map(|i| u32::from(i % every == 0)).collect(),
        }));
    }
    let any = vec((any::<u32>(), 0..20u32), 1..900);
    kernel.drawn(
        8,
        any.prop_map(|pairs| SegmentedScan {
            values: pairs.iter().map(|pair| pair.0).collect(),
            heads: pairs.iter().map(|pair| u32::from(pair.1 == 0)).collect(),
        }),
    );
    // A GPU takes more blocks than are under way at a time.
    kernel.on_gpu(|| {
        let n = 3_000_001;
        let heads = |every: u32| (0..n).map(|i| u32::from(i % every == 0)).collect();
        [7, 100_003].map(|every| SegmentedScan { values: numbers(n), heads: heads(every) }).into()
    });
}

#[derive(Debug)]
struct HashJoin {
    build: Vec<u32>,
    probe: Vec<u32>,
    shape: Shape,
    room: u64,
}

impl Case for HashJoin {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let mut rows_of: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for (row, key) in (0..).zip(&self.build) {
            rows_of.entry(*key).or_default().push(row);
        }
        let pairs = (0u64..).zip(&self.probe).flat_map(|(i, key)| {
            let rows = rows_of.get(key).into_iter().flatten();
            rows.map(move |row| row << 32 | i)
        });
        let mut expected: Vec<u64> = pairs.collect();
        expected.sort_unstable();

        let (n, m) = (self.build.len() as u64, self.probe.len() as u64);
        let keys = Buffer::from_host(device, &self.build)?;
        let probe_keys = Buffer::from_host(device, &self.probe)?;
        let buckets = u64::from(BUCKETS);
        let mut sizes = Buffer::zeroed(device, buckets)?;
        let mut starts = Buffer::uninitialized(device, buckets + 1)?;
        let mut ends = Buffer::uninitialized(device, buckets)?;
        let mut rows = Buffer::uninitialized(device, n)?;
        let mut pairs = Buffer::zeroed(device, self.room)?;
        let mut found = Buffer::zeroed(device, 1)?;
        bucket_sizes(device, self.shape, keys.view(), sizes.view_mut(), n)?;
        let one = Shape::new(1, BUCKETS).shared(hash_join::SHARED_BYTES);
        bucket_starts(device, one, sizes.view(), starts.view_mut(), ends.view_mut())?;
        fill_buckets(device, self.shape, keys.view(), ends.view_mut(), rows.view_mut(), n)?;
        probe(
            device,
            self.shape,
            keys.view(),
            probe_keys.view(),
            starts.view(),
            rows.view(),
            pairs.view_mut(),
            found.view_mut(),
            m,
            self.room,
        )?;
        ensure_holds("found", device, &found, &[expected.len() as u64])?;
        if expected.len() as u64 <= self.room {
            let mut pairs = pairs.to_vec(device)?;
            pairs.truncate(expected.len());
            pairs.sort_unstable();
            anyhow::ensure!(pairs == expected, "{pairs:?}, expected {expected:?}");
        }
        Ok(())
    }
}

#[test]
fn a_hash_join_finds_every_pair_once() {
    let kernel = KERNELS.kernel("probe");
    for (n, m, keys) in [(0, 5, 3), (1, 1, 1), (100, 300, 60), (500, 200, 1 << 20)] {
        let modulo = |numbers: Vec<u32>| numbers.into_iter().map(|key| key % keys).collect();
        kernel.everywhere(striding_shapes(m.into(), 64).map(|shape| HashJoin {
            build: modulo(numbers(n)),
            probe: modulo(numbers(m)),
            shape,
            room: 4000,
        }));
    }
    let any = (vec(0..50u32, 0..120), vec(0..50u32, 0..120), 0..5usize, 0..400u64);
    kernel.drawn(
        8,
        any.prop_map(|(build, probe, shape, room)| HashJoin {
            build,
            probe,
            shape: striding_shapes(120, 32)[shape],
            room,
        }),
    );
}

#[derive(Debug)]
struct ReduceByKey {
    keys: Vec<u32>,
    values: Vec<u32>,
    shape: Shape,
}

impl Case for ReduceByKey {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let mut expected: Vec<u64> = vec![11; 40];
        let keys = Buffer::from_host(device, &self.keys)?;
        let values = Buffer::from_host(device, &self.values)?;
        let mut sums = Buffer::from_host(device, &expected)?;
        for (key, value) in self.keys.iter().zip(&self.values) {
            expected[*key as usize] += u64::from(*value);
        }
        let n = self.keys.len() as u64;
        reduce_by_key(device, self.shape, keys.view(), values.view(), sums.view_mut(), n)?;
        ensure_holds("sums", device, &sums, &expected)
    }
}

#[test]
fn each_key_gets_the_sum_of_its_values() {
    let kernel = KERNELS.kernel("reduce_by_key");
    for (n, keys) in [(0, 1), (1, 1), (33, 40), (777, 3)] {
        kernel.everywhere(covering_shapes(n.into(), 128).map(|shape| ReduceByKey {
            keys: numbers(n).into_iter().map(|key| key % keys).collect(),
            values: vec![LARGEST; n as usize],
            shape,
        }));
    }
    let any = (vec((0..40u32, 0..=LARGEST), 0..300), 0..3usize);
    kernel.drawn(
        8,
        any.prop_map(|(pairs, shape)| ReduceByKey {
            keys: pairs.iter().map(|pair| pair.0).collect(),
            values: pairs.iter().map(|pair| pair.1).collect(),
            shape: covering_shapes(pairs.len() as u64, 64)[shape],
        }),
    );
}

#[test]
fn the_ptx_has_every_kernel() {
    for kernel in ["saxpy", "histogram", "segmented_scan", "probe", "reduce_by_key"] {
        assert!(PTX.contains(&format!(".visible .entry {kernel}(")), "{kernel}: {PTX:.300}");
    }
}
