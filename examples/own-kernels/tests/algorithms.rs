//! The kernels that are patterns of algorithms, and what a host does with several streams and for Python.

use std::collections::HashMap;

use anyhow::Result;
use own_kernels::for_python::own_kernels_saxpy;
use own_kernels::kernels::add_up::{self, add_up};
use own_kernels::kernels::count_keys::{EMPTY, count_keys};
use own_kernels::kernels::product::{self, product};
use own_kernels::kernels::scan::{self, scan};
use own_kernels::kernels::sort::{self, BLOCK, DIGITS, count_digits, sort_by_digit};
use own_kernels::kernels::stencil::{self, stencil};
use own_kernels::{PTX, repeated, two_streams};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_harness::{Case, Harness, TestDevice, ensure_holds, skip, striding_shapes};

static KERNELS: Harness = Harness::new(PTX);

/// Numbers without a pattern.
fn numbers(n: u32) -> Vec<u32> {
    (0..n).map(|i| (i + 1).wrapping_mul(2_654_435_761)).collect()
}

/// Whole numbers, small enough for exact sums of products.
fn small(n: u32) -> Vec<f32> {
    numbers(n).into_iter().map(|x| (x >> 27) as f32 - 16.0).collect()
}

#[derive(Debug)]
struct AddUp {
    n: u32,
    shape: Shape,
}

impl Case for AddUp {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let values = small(self.n);
        let on_device = Buffer::from_host(device, &values)?;
        let mut total = Buffer::from_host(device, &[0.5])?;
        let shape = self.shape.shared(add_up::SHARED_BYTES);
        add_up(device, shape, on_device.view(), total.view_mut(), self.n.into())?;
        let sum = 0.5 + f64::from(values.iter().sum::<f32>());
        ensure_holds("total", device, &total, &[sum])
    }
}

#[test]
fn values_are_added_up() {
    let kernel = KERNELS.kernel("add_up");
    for n in [0, 1, 255, 3000] {
        kernel.everywhere(striding_shapes(n.into(), 256).map(|shape| AddUp { n, shape }));
    }
}

#[derive(Debug)]
struct Product {
    n: u32,
}

impl Case for Product {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = self.n as usize;
        let all = small(2 * self.n * self.n);
        let (a, b) = all.split_at(n * n);
        let element = |i: usize| (0..n).map(|k| a[i / n * n + k] * b[k * n + i % n]).sum::<f32>();
        let expected: Vec<f32> = (0..n * n).map(element).collect();
        let (a, b) = (Buffer::from_host(device, a)?, Buffer::from_host(device, b)?);
        let mut c = Buffer::uninitialized(device, expected.len() as u64)?;
        let tiles = self.n.div_ceil(product::TILE);
        let shape = Shape::new((tiles, tiles), (product::TILE, product::TILE));
        let shape = shape.shared(product::SHARED_BYTES);
        product(device, shape, a.view(), b.view(), c.view_mut(), self.n)?;
        ensure_holds("c", device, &c, &expected)
    }
}

#[test]
fn a_product_is_that_of_matrices() {
    KERNELS.kernel("product").everywhere([1, 16, 17, 50].map(|n| Product { n }));
}

#[derive(Debug)]
struct Stencil {
    width: u32,
    height: u32,
}

impl Case for Stencil {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Stencil { width, height } = self;
        let before = small(width * height);
        let cell = |x: i64, y: i64| {
            let is_inside =
                (0..i64::from(width)).contains(&x) && (0..i64::from(height)).contains(&y);
            if is_inside { before[(y * i64::from(width) + x) as usize] } else { 0.0 }
        };
        let after = |i: u32| {
            let (x, y) = (i64::from(i % width), i64::from(i / width));
            let around = [(x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)].map(|(x, y)| cell(x, y));
            0.5 * cell(x, y) + 0.125 * around.iter().sum::<f32>()
        };
        let expected: Vec<f32> = (0..width * height).map(after).collect();
        let from = Buffer::from_host(device, &before)?;
        let mut to = Buffer::uninitialized(device, before.len() as u64)?;
        let tile = stencil::TILE;
        let shape = Shape::new((width.div_ceil(tile), height.div_ceil(tile)), (tile, tile));
        let shape = shape.shared(stencil::SHARED_BYTES);
        stencil(device, shape, from.view(), to.view_mut(), width, height, [0.5, 0.125])?;
        ensure_holds("after", device, &to, &expected)
    }
}

#[derive(Debug)]
struct Smooth {
    width: u32,
    height: u32,
    pairs: u32,
}

impl Case for Smooth {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let &Smooth { width, height, pairs } = self;
        // A cell that is alone keeps half of itself in each step.
        let mut field = vec![0.0; (width * height) as usize];
        field[0] = 4096.0;
        let smooth = repeated::smooth(device, &field, (width, height), [0.5, 0.0], pairs)?;
        field[0] /= f32::from(2u16).powi(2 * pairs as i32);
        anyhow::ensure!(smooth == field, "{smooth:?}");
        Ok(())
    }
}

#[test]
fn launches_are_repeated() {
    let kernel = KERNELS.kernel("stencil");
    let fields = [(1, 1, 0), (17, 3, 1), (20, 20, 4)];
    kernel.everywhere(fields.map(|(width, height, pairs)| Smooth { width, height, pairs }));
}

#[test]
fn a_stencil_adds_neighbours() {
    let fields = [(1, 1), (16, 16), (17, 3), (40, 33)];
    KERNELS.kernel("stencil").everywhere(fields.map(|(width, height)| Stencil { width, height }));
}

#[derive(Debug)]
struct Sort {
    keys: Vec<u32>,
}

impl Case for Sort {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = self.keys.len() as u64;
        let blocks = n.div_ceil(u64::from(BLOCK));
        let counters = u64::from(DIGITS) * blocks;
        let tiles = counters.div_ceil(u64::from(scan::TILE));
        let shape = Shape::new(blocks as u32, BLOCK).shared(sort::SHARED_BYTES);
        let to_scan = Shape::new(tiles as u32, scan::BLOCK).shared(scan::SHARED_BYTES);
        let mut keys = Buffer::from_host(device, &self.keys)?;
        let mut sorted = Buffer::uninitialized(device, n)?;
        let mut counts = Buffer::uninitialized(device, counters)?;
        let mut ends = Buffer::uninitialized(device, counters)?;
        for shift in (0..32).step_by(4) {
            let (mut ticket, mut words) =
                (Buffer::zeroed(device, 1)?, Buffer::zeroed(device, tiles)?);
            count_digits(device, shape, keys.view(), counts.view_mut(), n, shift)?;
            let (from, to) = (counts.view(), ends.view_mut());
            scan(device, to_scan, from, to, ticket.view_mut(), words.view_mut(), counters)?;
            sort_by_digit(device, shape, keys.view(), ends.view(), sorted.view_mut(), n, shift)?;
            std::mem::swap(&mut keys, &mut sorted);
        }
        let mut expected = self.keys.clone();
        expected.sort_unstable();
        ensure_holds("keys", device, &keys, &expected)
    }
}

#[test]
fn eight_rounds_sort_keys() {
    let kernel = KERNELS.kernel("sort_by_digit");
    kernel.everywhere([1, 255, 257, 5000].map(|n| Sort { keys: numbers(n) }));
    let few = numbers(700).into_iter().map(|key| key % 3);
    kernel.everywhere([Sort { keys: few.collect() }, Sort { keys: vec![u32::MAX; 300] }]);
}

#[derive(Debug)]
struct CountKeys {
    n: u32,
    distinct: u32,
}

impl Case for CountKeys {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let keys: Vec<u32> = numbers(self.n).into_iter().map(|key| key % self.distinct).collect();
        let (n, places) = (u64::from(self.n), (u64::from(self.n) + 1).next_power_of_two());
        let on_device = Buffer::from_host(device, &keys)?;
        let mut table = Buffer::from_host(device, &vec![EMPTY; places as usize])?;
        let mut counts = Buffer::zeroed(device, places)?;
        let shape = Shape::cover(n, 128, u32::MAX);
        let (view, to, counters) = (on_device.view(), table.view_mut(), counts.view_mut());
        count_keys(device, shape, view, to, counters, places - 1, n)?;
        let mut expected = HashMap::<u32, u32>::new();
        keys.iter().for_each(|key| *expected.entry(*key).or_default() += 1);
        let (table, counts) = (table.to_vec(device)?, counts.to_vec(device)?);
        let of_keys = table.iter().zip(&counts).filter(|place| *place.0 != EMPTY);
        let found: Vec<(u32, u32)> = of_keys.map(|(key, count)| (*key, *count)).collect();
        anyhow::ensure!(
            found.len() == expected.len(),
            "{} keys, not {}",
            found.len(),
            expected.len()
        );
        anyhow::ensure!(
            found.iter().all(|(key, count)| expected.get(key) == Some(count)),
            "{found:?}"
        );
        Ok(())
    }
}

#[test]
fn each_key_is_counted_once() {
    let tables = [(0, 1), (1, 1), (127, u32::MAX), (1000, 10), (1023, 5000)];
    let cases = tables.map(|(n, distinct)| CountKeys { n, distinct });
    KERNELS.kernel("count_keys").everywhere(cases);
}

#[test]
fn two_streams_scale_parts() -> Result<()> {
    match KERNELS.gpu() {
        Some(Ok(gpu)) => {
            let parts: Vec<Vec<f32>> = (0..5).map(|i| small(1000 * i + 1)).collect();
            let scale = |part: &Vec<f32>| part.iter().map(|x| 3.0 * x + 1.0).collect();
            let expected: Vec<Vec<f32>> = parts.iter().map(scale).collect();
            assert_eq!(two_streams::scale(gpu, 3.0, &parts)?, expected);
        }
        _ => skip::whole("no GPU: streams are a GPU's"),
    }
    Ok(())
}

#[test]
fn python_adds_to_memory_that_is_not_ours() -> Result<()> {
    match KERNELS.gpu() {
        Some(Ok(gpu)) => {
            let x = Buffer::from_host(gpu, &small(1000))?;
            let mut y = Buffer::from_host(gpu, &[1.0; 1000])?;
            let (from, to) = (x.view().address(), y.view_mut().address());
            // SAFETY: there are as many numbers in both buffers, and the stream is theirs.
            let failed = unsafe { own_kernels_saxpy(2.0, from, to, 1000, gpu.stream_handle()) };
            let expected: Vec<f32> = small(1000).iter().map(|x| 2.0 * x + 1.0).collect();
            assert_eq!((failed, y.to_vec(gpu)?), (0, expected));
        }
        _ => {
            // SAFETY: there are no numbers.
            let failed = unsafe { own_kernels_saxpy(2.0, 0, 0, 0, 1) };
            assert_eq!(failed, 1);
            skip::part("no GPU: the call fails, and says so");
        }
    }
    Ok(())
}
