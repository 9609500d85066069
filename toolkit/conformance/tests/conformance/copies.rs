use anyhow::Result;
use tribin_conformance::kernels::copies as kernels;
use tribin_device::launch::{Buffer, Shape, bytemuck};
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

/// Pieces that go to the device one after the other, by way of two places, while a kernel reads those before.
#[derive(Debug)]
struct Pieces {
    pieces: u64,
    tiles: u32,
    grain: u64,
}

impl Case for Pieces {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        const BLOCK: u32 = 32;
        let of_piece = u64::from(self.tiles * BLOCK);
        let n = (self.pieces * of_piece) as usize;
        let values: Vec<U64x2> = noise(n).map(|bits| U64x2([bits, !bits])).collect();
        let bytes: &[u8] = bytemuck::cast_slice(&values);
        let mut places = Buffer::<U64x2, D>::uninitialized(device, 2 * of_piece)?;
        let mut out = Buffer::uninitialized(device, n as u64)?;
        let mut free = [device.record()?, device.record()?];
        for piece in 0..self.pieces {
            let place = (piece % 2) as usize;
            let start = place as u64 * of_piece;
            let write = |range: std::ops::Range<u64>, to: &mut [u8]| {
                assert_eq!(range.start % self.grain, 0);
                let [first, end] =
                    [range.start, range.end].map(|byte| piece * of_piece * 16 + byte);
                to.copy_from_slice(&bytes[first as usize..end as usize]);
            };
            let part = (start, of_piece);
            // SAFETY: the kernel that read this place is before the point, and none was asked for since.
            unsafe { places.upload_written_after(device, &free[place], part, self.grain, &write)? };
            let shape = Shape::new(1, BLOCK).shared(2 * 16 * BLOCK);
            let from = places.view().slice(start, of_piece);
            let to = out.view_mut().slice(piece * of_piece, of_piece);
            kernels::reverse_tiles(device, shape, from, to, self.tiles)?;
            free[place] = device.record()?;
        }
        let tiles = values.chunks(BLOCK as usize);
        let expected: Vec<U64x2> = tiles.flat_map(|tile| tile.iter().rev().copied()).collect();
        ensure_holds("out", device, &out, &expected)
    }
}

#[test]
fn pieces_are_written_while_those_before_are_worked_on() {
    let case = |pieces, tiles, grain| Pieces { pieces, tiles, grain };
    KERNELS
        .kernel("reverse_tiles")
        .everywhere([case(1, 1, 1), case(2, 1, 512), case(5, 3, 48), case(7, 9, 1 << 20)])
        .on_gpu(|| vec![case(9, 20_000, 3 << 16), case(3, 70_000, 1 << 20)]);
}
