//! Each kernel against plain Rust: in the emulator, and on a GPU where there is one.

use anyhow::Result;
use own_kernels::PTX;
use own_kernels::kernels::half_product::half_product;
use own_kernels::kernels::histogram::{self, BINS, histogram};
use own_kernels::kernels::reduce_by_key::{LARGEST, reduce_by_key};
use own_kernels::kernels::saxpy::{self, saxpy};
use own_kernels::kernels::scan::{self, SHARED_BYTES, TILE, scan};
use warpwise_device::half::{F16, F16x2};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_harness::proptest::collection::vec;
use warpwise_harness::proptest::prelude::*;
use warpwise_harness::{Case, Harness, TestDevice, covering_shapes, ensure_holds, striding_shapes};

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
    for kernel in [
        "saxpy",
        "histogram",
        "reduce_by_key",
        "half_product",
        "scan",
        "add_up",
        "product",
        "stencil",
        "count_digits",
        "sort_by_digit",
        "count_keys",
    ] {
        assert!(PTX.contains(&format!(".visible .entry {kernel}(")), "{kernel}: {PTX:.300}");
    }
}

/// Matrices of whole numbers, whose products are exact.
#[derive(Debug)]
struct HalfProduct {
    n: u32,
}

impl Case for HalfProduct {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = self.n as usize;
        let matrix = |from: u32| -> Vec<f32> {
            numbers(from + self.n * self.n)
                .into_iter()
                .skip(from as usize)
                .map(|x| (x % 32) as f32 - 16.0)
                .collect()
        };
        let (rows, columns) = (matrix(0), matrix(7));
        let halves = |matrix: &[f32]| -> Vec<F16x2> {
            let pairs = matrix.chunks(2).map(|pair| [pair[0], pair[1]].map(F16::from_f32));
            pairs.map(|[low, high]| F16x2::new(low, high)).collect()
        };
        let a = Buffer::from_host(device, &halves(&rows))?;
        let b = Buffer::from_host(device, &halves(&columns))?;
        let mut c = Buffer::zeroed(device, rows.len() as u64)?;
        let shape = Shape::new((self.n / 8, self.n / 16), 32);
        half_product(device, shape, a.view(), b.view(), c.view_mut(), self.n)?;
        let product = |i: usize| -> f32 {
            let (row, column) = (&rows[i / n * n..][..n], &columns[i % n * n..][..n]);
            row.iter().zip(column).map(|(a, b)| a * b).sum()
        };
        ensure_holds("c", device, &c, &(0..n * n).map(product).collect::<Vec<f32>>())
    }
}

#[test]
fn half_product_is_the_product_of_matrices() {
    KERNELS.kernel("half_product").everywhere([16, 32, 80].map(|n| HalfProduct { n }));
}

#[derive(Debug)]
struct Scan {
    values: Vec<u32>,
}

impl Case for Scan {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = self.values.len() as u64;
        let sum = |sum: &mut u32, value: &u32| {
            *sum = sum.wrapping_add(*value);
            Some(*sum)
        };
        let expected: Vec<u32> = self.values.iter().scan(0, sum).collect();
        let tiles = n.div_ceil(u64::from(TILE));
        let values = Buffer::from_host(device, &self.values)?;
        let mut sums = Buffer::uninitialized(device, n)?;
        let (mut ticket, mut words) = (Buffer::zeroed(device, 1)?, Buffer::zeroed(device, tiles)?);
        let shape = Shape::new(tiles as u32, scan::BLOCK).shared(SHARED_BYTES);
        let (view, to) = (values.view(), sums.view_mut());
        scan(device, shape, view, to, ticket.view_mut(), words.view_mut(), n)?;
        ensure_holds("sums", device, &sums, &expected)
    }
}

#[test]
fn a_scan_sums_all_values_up_to_each() {
    let kernel = KERNELS.kernel("scan");
    kernel.everywhere([1, 31, 8191, 8192, 8193, 40_000].map(|n| Scan { values: numbers(n) }));
    kernel.on_gpu(|| vec![Scan { values: numbers(1_000_003) }]);
    kernel.drawn(8, vec(any::<u32>(), 1..40_000).prop_map(|values| Scan { values }));
}
