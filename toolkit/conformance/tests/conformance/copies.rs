use std::ops::Range;

use anyhow::Result;
use warpwise_conformance::kernels::copies as kernels;
use warpwise_device::launch::{Buffer, Shape, View, ViewMut, bytemuck};
use warpwise_device::memory::U64x2;
use warpwise_harness::{Case, TestDevice, ensure_holds};

use crate::{KERNELS, noise};

#[derive(Debug)]
struct Tiles {
    tiles: u32,
    block: u32,
}

/// Checks a launch that reverses each of `tiles` tiles of `block` values. Its block has `more` bytes of shared memory beside two tiles.
pub fn check_reversed<D: TestDevice>(
    device: &D,
    tiles: u32,
    block: u32,
    more: u32,
    launch: impl FnOnce(Shape, View<'_, U64x2, D>, ViewMut<'_, U64x2, D>) -> Result<(), D::Error>,
) -> Result<()> {
    let n = (tiles * block) as usize;
    let values: Vec<U64x2> = noise(n).map(|bits| U64x2([bits, !bits])).collect();
    let on_device = Buffer::from_host(device, &values)?;
    let mut out = Buffer::uninitialized(device, n as u64)?;
    let shape = Shape::new(1, block).shared(more + 2 * 16 * block);
    launch(shape, on_device.view(), out.view_mut())?;
    let tiles = values.chunks(block as usize);
    let expected: Vec<U64x2> = tiles.flat_map(|tile| tile.iter().rev().copied()).collect();
    ensure_holds("out", device, &out, &expected)
}

impl Case for Tiles {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        check_reversed(device, self.tiles, self.block, 0, |shape, values, out| {
            kernels::reverse_tiles(device, shape, values, out, self.tiles)
        })
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

/// Pieces that go to the device one after the other, by way of some places, while a kernel reads those before.
#[derive(Debug)]
struct InPieces {
    places: u64,
    /// Tiles of a piece.
    tiles: u32,
    /// Tiles of all pieces.
    all: u32,
    /// Bytes that are written at a time.
    grain: u64,
}

impl Case for InPieces {
    fn check<D: TestDevice>(&self, device: &D) -> Result<()> {
        const BLOCK: u32 = 32;
        let n = (self.all * BLOCK) as usize;
        let values: Vec<U64x2> = noise(n).map(|bits| U64x2([bits, !bits])).collect();
        let bytes: &[u8] = bytemuck::cast_slice(&values);
        let of_piece = u64::from(self.tiles * BLOCK);
        let mut places = Buffer::<U64x2, D>::uninitialized(device, self.places * of_piece)?;
        let mut out = Buffer::uninitialized(device, n as u64)?;
        let write = |range: Range<u64>, to: &mut [u8]| {
            assert_eq!(range.start % self.grain, 0);
            to.copy_from_slice(&bytes[range.start as usize..range.end as usize]);
        };
        let all = bytes.len() as u64;
        places.upload_pieces(device, self.places, all, self.grain, &write, |piece, range| {
            let shape = Shape::new(1, BLOCK).shared(2 * 16 * BLOCK);
            let [first, end] = [range.start, range.end].map(|byte| byte / 16);
            let to = out.view_mut().slice(first, end - first);
            kernels::reverse_tiles(device, shape, piece, to, ((end - first) / 32) as u32)
        })?;
        let tiles = values.chunks(BLOCK as usize);
        let expected: Vec<U64x2> = tiles.flat_map(|tile| tile.iter().rev().copied()).collect();
        ensure_holds("out", device, &out, &expected)
    }
}

#[test]
fn pieces_are_written_while_those_before_are_worked_on() {
    let case = |places, tiles, all, grain| InPieces { places, tiles, all, grain };
    KERNELS
        .kernel("reverse_tiles")
        .everywhere([
            case(1, 1, 1, 1),
            case(1, 2, 5, 512),
            case(2, 1, 5, 16),
            case(3, 3, 7, 768),
            case(4, 9, 200, 4_608),
            case(5, 2, 3, 64),
        ])
        .on_gpu(|| vec![case(4, 16_384, 150_001, 1 << 18), case(2, 4_096, 40_000, 1 << 21)]);
}
