//! Entries that a device makes itself, by their formula.

use std::ops::Range;

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::rmat::{BLOCK, first_of_places, rmat_entries, shuffle_keys, shuffled_ids};

use super::radix_sort::sort_by;
use crate::graph::{Formula, rank_bits};
use crate::plan::preparation::SortPasses;

/// Blocks a multiprocessor of the kernels that stride.
const BLOCKS: u32 = 32;

fn shape<D: Device>(device: &D, items: u64) -> Shape {
    Shape::cover(items, BLOCK, device.multiprocessors() * BLOCKS)
}

/// The entries with these numbers, two 32-bit vertices a word.
///
/// # Errors
/// What the device reports.
pub fn entries_of<D: Device>(
    device: &D,
    formula: Formula,
    numbers: Range<u64>,
) -> Result<Buffer<u64, D>, D::Error> {
    let Formula { base, shuffle, scale, starts: [b, c, d] } = formula;
    let ids = ids(device, shuffle, 1 << scale)?;
    let (first, m) = (numbers.start, numbers.end - numbers.start);
    let mut entries = Buffer::uninitialized(device, m)?;
    let to = entries.view_mut();
    rmat_entries(device, shape(device, m), ids.view(), to, base, b, c, d, first, m, scale)?;
    Ok(entries)
}

/// The ids `0..n` as the stream of this state shuffles them.
fn ids<D: Device>(device: &D, state: u64, n: u64) -> Result<Buffer<u32, D>, D::Error> {
    let shape = shape(device, n);
    let mut keys = Buffer::uninitialized(device, n)?;
    let mut first = Buffer::uninitialized(device, n)?;
    shuffle_keys(device, shape, keys.view_mut(), first.view_mut(), state, n)?;
    // The sort is stable, and places come in order.
    let keys = sort_by(device, keys, u32::BITS, SortPasses::of_bits(rank_bits(n)))?;
    first_of_places(device, shape, keys.view(), first.view_mut(), n)?;
    let mut ids = Buffer::uninitialized(device, n)?;
    shuffled_ids(device, shape, keys.view(), first.view(), ids.view_mut(), n)?;
    Ok(ids)
}
