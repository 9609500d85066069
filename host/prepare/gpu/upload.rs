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

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::narrow_entries::{BLOCK, GROUP, group_words, widen_entries};

use super::narrow::narrow;
use crate::plan::upload::{PLACES, Way, group_bytes, way};

/// Blocks a multiprocessor of the kernel that widens: enough to fill it.
const BLOCKS: u32 = 8;

/// Groups that a thread writes at a time: 256 KiB of entries, which its cache holds.
const GROUPS_AT_ONCE: u64 = 32;

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

/// The same in this way.
///
/// # Errors
/// What the device and `then` report.
///
/// # Panics
/// If `to` is shorter.
pub fn upload_by<D: Device>(
    way: Way,
    device: &D,
    entries: &[[u32; 2]],
    to: &mut Buffer<u64, D>,
    then: impl FnMut(&Buffer<u64, D>, Range<u64>) -> Result<(), D::Error>,
) -> Result<(), D::Error> {
    match way {
        Way::Whole { at_once } => upload_whole(device, entries, at_once as usize, to, then),
        Way::Narrow { bits, groups } => upload_narrow(device, entries, (bits, groups), to, then),
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
    (bits, groups): (u32, u64),
    to: &mut Buffer<u64, D>,
    mut then: impl FnMut(&Buffer<u64, D>, Range<u64>) -> Result<(), D::Error>,
) -> Result<(), D::Error> {
    let all = entries.len() as u64;
    let groups = groups.min(all.div_ceil(GROUP));
    let words = groups * group_words(bits);
    let mut narrowed = Buffer::<u32, D>::uninitialized(device, PLACES * words)?;
    // When the place of a piece is free.
    let mut free = [device.record()?, device.record()?];
    let most = device.multiprocessors() * BLOCKS;
    for (number, piece) in entries.chunks((groups * GROUP) as usize).enumerate() {
        let place = number % free.len();
        let start = place as u64 * words;
        let len = (piece.len() as u64).div_ceil(GROUP) * group_words(bits);
        let bytes = group_bytes(bits);
        let write = |places: Range<u64>, to: &mut [u8]| {
            let [first, end] = [places.start, places.end].map(|byte| byte / bytes * GROUP);
            narrow(&piece[first as usize..(end as usize).min(piece.len())], bits, to);
        };
        let grain = GROUPS_AT_ONCE * bytes;
        // SAFETY: the kernel that read this place is before the point, and none was asked for since that uses it.
        unsafe {
            narrowed.upload_written_after(device, &free[place], (start, len), grain, &write)?;
        }
        let first = number as u64 * groups * GROUP;
        let end = first + piece.len() as u64;
        widen_entries(
            device,
            Shape::cover(end - first, BLOCK, most),
            narrowed.view().slice(start, len),
            to.view_mut(),
            bits,
            first,
            end,
        )?;
        free[place] = device.record()?;
        then(to, first..end)?;
    }
    Ok(())
}
