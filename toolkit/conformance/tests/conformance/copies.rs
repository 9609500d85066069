use anyhow::Result;
use tribin_conformance::kernels::copies as kernels;
use tribin_device::launch::{Buffer, Shape};
use tribin_device::memory::U64x2;
use tribin_harness::{Case, TestDevice, ensure_holds};

use crate::{KERNELS, noise};

#[derive(Debug)]
struct Tiles {
    tiles: u32,
    block: u32,
}

impl Case for Tiles {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let n = (self.tiles * self.block) as usize;
        let values: Vec<U64x2> = noise(n).map(|bits| U64x2([bits, !bits])).collect();
        let on_device = Buffer::from_host(device, &values)?;
        let mut out = Buffer::uninitialized(device, n as u64)?;
        let shape = Shape::new(1, self.block).shared(2 * 16 * self.block);
        kernels::reverse_tiles(device, shape, on_device.view(), out.view_mut(), self.tiles)?;
        let tiles = values.chunks(self.block as usize);
        let expected: Vec<U64x2> = tiles.flat_map(|tile| tile.iter().rev().copied()).collect();
        ensure_holds("out", device, &out, &expected)
    }
}

#[test]
fn tiles_are_copied_while_others_are_worked_on() {
    let cases = [(1, 32), (2, 32), (5, 96)].map(|(tiles, block)| Tiles { tiles, block });
    KERNELS.kernel("reverse_tiles").everywhere(cases);
}

#[derive(Debug)]
struct Neighbours(Shape);

impl Case for Neighbours {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        let (n, block) = (self.0.threads() as usize, self.0.block.x as usize);
        let longs: Vec<u64> = noise(n).collect();
        let words: Vec<u32> = longs.iter().map(|bits| (bits >> 7) as u32).collect();
        let mut words_on = Buffer::from_host(device, &words)?;
        let longs_on = Buffer::from_host(device, &longs)?;
        let mut sums = Buffer::uninitialized(device, n as u64)?;
        let shape = self.0.shared(12 * block as u32 + 8);
        let (narrow, wide) = (words_on.view_mut(), longs_on.view());
        kernels::add_neighbours(device, shape, narrow, wide, sums.view_mut())?;
        let other = |i: usize| i / block * block + (i % block + 1) % block;
        let sum = |i: usize| longs[other(i)].wrapping_add(words[other(i)].into());
        ensure_holds("sums", device, &sums, &(0..n).map(sum).collect::<Vec<_>>())
    }
}

#[test]
fn words_of_4_and_8_bytes_are_copied() {
    KERNELS
        .kernel("add_neighbours")
        .everywhere([Shape::new(1, 32), Shape::new(3, 40)].map(Neighbours));
}
