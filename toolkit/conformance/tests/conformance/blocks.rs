use anyhow::{Result, ensure};
use warpwise_conformance::kernels::blocks::{self as kernels, wait_by_clock};
use warpwise_device::entry;
use warpwise_device::launch::{Buffer, Dim3, Shape};
use warpwise_harness::{Case, TestDevice, ensure_holds};

use crate::{KERNELS, noise};

/// The sum in the order that a block adds in: halves of a warp, then warps one after another.
fn sum(values: &[f64]) -> f64 {
    fn of_warp(values: &[f64], lanes: usize) -> f64 {
        match values.len() {
            0 => unreachable!("a range of lanes starts within the warp"),
            1 => values[0],
            n if n <= lanes / 2 => of_warp(values, lanes / 2),
            _ => {
                let (low, high) = values.split_at(lanes / 2);
                of_warp(low, lanes / 2) + of_warp(high, lanes / 2)
            }
        }
    }
    let sums = values.chunks(32).map(|warp| of_warp(warp, 32));
    sums.reduce(|a, b| a + b).expect("a block has threads")
}

#[derive(Debug)]
struct Reduce(Dim3);

impl Case for Reduce {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = self.0.count() as usize;
        let values: Vec<f64> = noise(n).map(|bits| bits as f64 / 3e17).collect();
        let on_device = Buffer::from_host(device, &values)?;
        let mut out = Buffer::uninitialized(device, 3 * n as u64)?;
        let shape = Shape::new(1, self.0).shared(32 * 8);
        kernels::reduce_block(device, shape, on_device.view(), out.view_mut())?;
        let each = [sum(&values), values[0], values[n - 1]];
        ensure_holds("out", device, &out, &each.repeat(n))
    }
}

#[test]
fn a_block_reduces_in_the_order_of_its_threads() {
    let blocks = [1u32, 2, 31, 32, 33, 100, 1024].map(Dim3::from).map(Reduce);
    let solid = [(8, 5, 3), (2, 2, 64)].map(Dim3::from).map(Reduce);
    KERNELS.kernel("reduce_block").everywhere(blocks.into_iter().chain(solid));
}

#[derive(Debug)]
struct Meet {
    n: usize,
}

impl Case for Meet {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        const BLOCK: usize = 64;
        let n = self.n;
        let values: Vec<u32> = noise(n).map(|bits| bits as u32 % 100).collect();
        let odd = |i: usize| values.get(i).filter(|&value| value % 2 == 1);
        let expected: Vec<u32> = (0..n)
            .flat_map(|i| {
                let lanes = (0..32).filter(|lane| odd(i / 32 * 32 + lane).is_some());
                [odd(i ^ 1).copied().unwrap_or(0), lanes.map(|lane| 1 << lane).sum()]
            })
            .collect();
        let on_device = Buffer::from_host(device, &values)?;
        let mut out = Buffer::uninitialized(device, 2 * n as u64)?;
        let shape = Shape::new(n.div_ceil(BLOCK) as u32, BLOCK as u32).shared(4 * BLOCK as u32);
        kernels::meet_between_branches(device, shape, on_device.view(), out.view_mut(), n as u64)?;
        ensure_holds("out", device, &out, &expected)
    }
}

#[test]
fn threads_meet_between_branches_on_one_condition() {
    let cases = [1, 31, 32, 33, 63, 64, 65, 200].map(|n| Meet { n });
    KERNELS.kernel("meet_between_branches").everywhere(cases);
}

/// Copies of a barrier on the two sides of a branch are others to a GPU: threads at one wait for those at the other, for ever.
#[test]
fn a_barrier_and_a_vote_between_branches_stay_one_instruction() {
    let ptx = include_str!("../../ptx/kernels.ptx");
    let (_, kernel) = ptx.split_once(".entry meet_between_branches").expect("the kernel");
    let (kernel, _) = kernel.split_once("\n}").expect("its end");
    assert_eq!(["bar.sync", "vote.sync"].map(|it| kernel.matches(it).count()), [1, 1]);
}

#[derive(Debug)]
struct Count {
    odd_below: u32,
}

impl Case for Count {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let values: Vec<u32> = (0..120).map(|i| u32::from(i < self.odd_below)).collect();
        let on_device = Buffer::from_host(device, &values)?;
        let mut out = Buffer::uninitialized(device, 360)?;
        kernels::count_block(device, Shape::new(3, 40), on_device.view(), out.view_mut())?;
        let expected = values.chunks(40).flat_map(|block| {
            let count = block.iter().sum::<u32>();
            [count, u32::from(count == 40), u32::from(count > 0)].repeat(40)
        });
        ensure_holds("out", device, &out, &expected.collect::<Vec<_>>())
    }
}

#[test]
fn barriers_count_predicates() {
    let cases = [0, 1, 40, 55, 80, 119, 120].map(|odd_below| Count { odd_below });
    KERNELS.kernel("count_block").everywhere(cases);
}

/// A launch of as many blocks as the device holds at a time, with this many threads in a block. With 0, a block has as many as the
/// device suggests.
#[derive(Debug)]
struct Fill(u32);

impl Case for Fill {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let kernel = entry!(wait_by_clock);
        let block = match self.0 {
            0 => device.suggested_block(kernel, |threads| 4 * threads)?,
            threads => threads,
        };
        let fitting =
            device.max_active_blocks_per_multiprocessor(kernel, block.into(), 4 * block)?;
        let grid = fitting * device.multiprocessors();
        let mut cycles = Buffer::uninitialized(device, u64::from((grid + 1) * block))?;
        let shape = |grid| Shape::new(grid, block).shared(4 * block).together();
        wait_by_clock(device, shape(grid), cycles.view_mut())?;
        let mut waited = vec![0; (grid * block) as usize];
        cycles.download(device, 0, &mut waited)?;
        // The emulator counts at least a look at each clock.
        ensure!(waited.iter().all(|&cycles| cycles >= 2), "waited for {waited:?} cycles");
        ensure!(
            wait_by_clock(device, shape(grid + 1), cycles.view_mut()).is_err(),
            "{grid} blocks are not the most that fit"
        );
        let none = device.max_active_blocks_per_multiprocessor(kernel, block.into(), u32::MAX)?;
        ensure!(none == 0, "{none} blocks fit with 4 GiB of shared memory");
        Ok(())
    }
}

#[test]
fn a_device_says_how_many_blocks_it_holds_at_a_time() {
    KERNELS.kernel("wait_by_clock").everywhere([0, 32, 96, 1024].map(Fill));
}

#[derive(Debug)]
struct PassOn;

impl Case for PassOn {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let mut message = Buffer::zeroed(device, 2)?;
        let mut flag = Buffer::zeroed(device, 2)?;
        kernels::pass_on(device, Shape::new(2, 32), message.view_mut(), flag.view_mut())?;
        ensure_holds("message", device, &message, &[42, 43])
    }
}

#[test]
fn fences_order_what_another_block_reads() {
    KERNELS.kernel("pass_on").everywhere([PassOn]);
}

#[derive(Debug)]
struct MeetAsGrid {
    shape: Shape,
    rounds: u32,
}

impl Case for MeetAsGrid {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let threads = self.shape.grid.x * self.shape.block.x;
        let mut expected = Vec::new();
        for round in 0..self.rounds {
            let of_neighbour = |i| round * 65_536 + (i + self.shape.block.x) % threads;
            expected.extend((0..threads).map(of_neighbour));
        }
        let mut written = Buffer::uninitialized(device, expected.len() as u64)?;
        let mut seen = Buffer::uninitialized(device, expected.len() as u64)?;
        let mut arrived = Buffer::zeroed(device, 1)?;
        let (words, rounds) = (arrived.view_mut(), self.rounds);
        let shape = self.shape.together();
        kernels::meet(device, shape, written.view_mut(), seen.view_mut(), words, rounds)?;
        ensure_holds("seen", device, &seen, &expected)?;
        ensure_holds("arrived", device, &arrived, &[u64::from(self.shape.grid.x * self.rounds)])
    }
}

#[test]
fn the_whole_grid_meets_at_its_barrier() {
    let shapes = [(1, 32), (2, 32), (5, 96), (8, 64), (3, 40)];
    let cases =
        shapes.map(|(grid, block)| MeetAsGrid { shape: Shape::new(grid, block), rounds: 6 });
    KERNELS.kernel("meet").everywhere(cases);
}
