//! A graph's entries, from host memory to a device.
//!
//! Where the plan says so, the threads that fill the page-locked buffers write the entries there with as many bits an id as
//! the largest has, and a kernel makes words of them again. The pieces follow one another without a gap: while one is on the
//! link, the device widens the one before and does what the caller asks for with its entries.
//!
//! ```text
//! threads  | narrow 0 | narrow 1 | narrow 2 | ...
//! link                | copy 0   | copy 1   | copy 2   | ...
//! device                         | widen 0, count 0 | widen 1, count 1 | ...
//! ```

use std::ops::Range;

use tribin_kernels::narrow_entries::{BLOCK, GROUP, group_words, widen_entries};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::narrow::narrow;
use crate::plan::upload::{EntryUpload, GROUPS_AT_ONCE, PLACES, group_bytes, way};

/// Blocks a multiprocessor of the kernel that widens: enough to fill it.
const BLOCKS: u32 = 8;

/// Copies entries with ids below `bound` to `to`, from place 0 on, two 32-bit vertices a word. Calls `then` for each
/// piece, whose places follow on those before, once its copy was asked for: what `then` asks for comes after the copy, and goes
/// on beside the next one.
///
/// # Errors
/// What the device and `then` report.
///
/// # Panics
/// If `to` is shorter.
pub fn upload_entries<D: Device>(
    device: &D,
    entries: &[[u32; 2]],
    bound: u64,
    to: &mut Buffer<u64, D>,
    then: impl FnMut(&Buffer<u64, D>, Range<u64>) -> Result<(), D::Error>,
) -> Result<(), D::Error> {
    upload_by(way(entries.len() as u64, bound), device, entries, to, then)
}

/// Copies entries to a device as [`upload_entries`] does, in the given way.
///
/// # Errors
/// What the device and `then` report.
///
/// # Panics
/// If `to` is shorter.
pub fn upload_by<D: Device>(
    way: EntryUpload,
    device: &D,
    entries: &[[u32; 2]],
    to: &mut Buffer<u64, D>,
    then: impl FnMut(&Buffer<u64, D>, Range<u64>) -> Result<(), D::Error>,
) -> Result<(), D::Error> {
    match way {
        EntryUpload::Whole { at_once } => upload_whole(device, entries, at_once as usize, to, then),
        EntryUpload::Narrow { bits, groups } => {
            upload_narrow(device, entries, bits, groups, to, then)
        }
    }
}

fn upload_whole<D: Device>(
    device: &D,
    entries: &[[u32; 2]],
    at_once: usize,
    to: &mut Buffer<u64, D>,
    mut then: impl FnMut(&Buffer<u64, D>, Range<u64>) -> Result<(), D::Error>,
) -> Result<(), D::Error> {
    let mut first = 0;
    for piece in entries.chunks(at_once) {
        to.upload_bytes(device, first, bytemuck::cast_slice(piece))?;
        let end = first + piece.len() as u64;
        then(to, first..end)?;
        first = end;
    }
    Ok(())
}

fn upload_narrow<D: Device>(
    device: &D,
    entries: &[[u32; 2]],
    bits: u32,
    groups: u64,
    to: &mut Buffer<u64, D>,
    mut then: impl FnMut(&Buffer<u64, D>, Range<u64>) -> Result<(), D::Error>,
) -> Result<(), D::Error> {
    let (all, of_group) = (entries.len() as u64, group_bytes(bits));
    let bytes = all.div_ceil(GROUP) * of_group;
    // Tests have pieces that no thread shares with others.
    let grain = if groups.is_multiple_of(GROUPS_AT_ONCE) { GROUPS_AT_ONCE } else { groups };
    let words = PLACES * groups * group_words(bits);
    let mut narrowed = Buffer::<u32, D>::uninitialized(device, words)?;
    let most = device.multiprocessors() * BLOCKS;
    // The entries of whole groups; the last may have fewer.
    let places = |bytes: Range<u64>| {
        let [first, end] = [bytes.start, bytes.end].map(|byte| byte / of_group * GROUP);
        first..end.min(all)
    };
    let write = |bytes: Range<u64>, to: &mut [u8]| {
        let Range { start, end } = places(bytes);
        narrow(&entries[start as usize..end as usize], bits, to);
    };
    narrowed.upload_pieces(device, PLACES, bytes, grain * of_group, &write, |narrow, bytes| {
        let places = places(bytes);
        widen_entries(
            device,
            Shape::cover(places.end - places.start, BLOCK, most),
            narrow,
            to.view_mut(),
            bits,
            places.start,
            places.end,
        )?;
        then(to, places)
    })
}
