//! Launches of selections.

use warpwise_device::launch::{Buffer, Device, Shape, View, ViewMut};

use super::select_flagged;
use crate::{COMPACT_BLOCK, COMPACT_SHARED_BYTES, COMPACT_TILE};

/// Bytes of device memory that a selection among `n` values takes: a word for each tile, and a ticket.
pub fn scratch_bytes(n: u64) -> u64 {
    8 * tiles(n) + 4
}

fn tiles(n: u64) -> u64 {
    n.div_ceil(u64::from(COMPACT_TILE)).max(1)
}

/// Writes the values whose flag is not 0 to the front of `selected`, in their order. Returns how many they are, in a buffer of one element.
///
/// ```
/// use warpwise_device::launch::Buffer;
/// use warpwise_primitives::select::select;
///
/// # fn main() -> Result<(), warpwise_device::emulated::EmulatorError> {
/// # let device = warpwise_device::emulated::Emulator::new();
/// let values = Buffer::from_host(&device, &[10, 20, 30, 40])?;
/// let flags = Buffer::from_host(&device, &[1, 0, 0, 1])?;
/// let mut selected = Buffer::zeroed(&device, 4)?;
/// let count = select(&device, values.view(), flags.view(), selected.view_mut())?;
/// assert_eq!((count.to_vec(&device)?, selected.to_vec(&device)?), (vec![2], vec![10, 40, 0, 0]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are fewer flags or places than values, or 2³² values or more.
pub fn select<D: Device>(
    device: &D,
    values: View<'_, u32, D>,
    flags: View<'_, u8, D>,
    selected: ViewMut<'_, u32, D>,
) -> Result<Buffer<u32, D>, D::Error> {
    let n = values.len();
    let tiles = tiles(n);
    let mut words = Buffer::zeroed(device, tiles)?;
    let mut ticket = Buffer::zeroed(device, 1)?;
    let mut count = Buffer::uninitialized(device, 1)?;
    let blocks = u32::try_from(tiles).unwrap_or(u32::MAX);
    let shape = Shape::new(blocks, COMPACT_BLOCK).shared(COMPACT_SHARED_BYTES);
    let (words, ticket) = (words.view_mut(), ticket.view_mut());
    select_flagged(device, shape, values, flags, selected, count.view_mut(), words, ticket, n)?;
    Ok(count)
}
