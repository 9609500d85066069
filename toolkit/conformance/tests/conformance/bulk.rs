use anyhow::Result;
use warpwise_conformance::hopper::bulk as kernels;
use warpwise_device::launch::{Buffer, Shape};
use warpwise_harness::{Case, TestDevice, ensure_holds};

use crate::copies::check_reversed;
use crate::{HOPPER, noise};

#[derive(Debug)]
struct BulkTiles {
    tiles: u32,
    block: u32,
}

impl Case for BulkTiles {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        check_reversed(device, self.tiles, self.block, 32, |shape, values, out| {
            kernels::reverse_bulk_tiles(device, shape, values, out, self.tiles)
        })
    }
}

#[test]
fn tiles_are_copied_in_bulk_while_others_are_worked_on() {
    let cases = [(1, 32), (2, 1), (3, 40), (4, 32), (7, 96), (16, 33)];
    let cases = cases.map(|(tiles, block)| BulkTiles { tiles, block });
    let many = || [(5_000, 256), (333, 1024)].map(|(tiles, block)| BulkTiles { tiles, block });
    HOPPER.kernel("reverse_bulk_tiles").everywhere(cases).on_gpu(|| many().into());
}

#[derive(Debug)]
struct AddBulk(Shape);

impl Case for AddBulk {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let (n, block) = (self.0.threads() as usize, self.0.block.x as usize);
        let longs: Vec<u64> = noise(n).collect();
        let words: Vec<u32> = longs.iter().map(|bits| (bits >> 7) as u32).collect();
        let mut words_on = Buffer::from_host(device, &words)?;
        let longs_on = Buffer::from_host(device, &longs)?;
        let mut sums = Buffer::uninitialized(device, n as u64)?;
        let shape = self.0.shared(16 + 12 * block as u32);
        let (narrow, wide) = (words_on.view_mut(), longs_on.view());
        kernels::add_bulk(device, shape, narrow, wide, sums.view_mut())?;
        let other = |i: usize| i / block * block + (i % block + 1) % block;
        let sum = |i: usize| longs[other(i)].wrapping_add(words[other(i)].into());
        ensure_holds("sums", device, &sums, &(0..n).map(sum).collect::<Vec<_>>())
    }
}

#[test]
fn several_copies_by_several_threads_end_one_phase() {
    let shapes = [(1, 8), (3, 32), (5, 72)].map(|(grid, block)| Shape::new(grid, block));
    HOPPER.kernel("add_bulk").everywhere(shapes.map(AddBulk));
}
