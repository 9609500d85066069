//! Launches of prefix sums.

use warpwise_device::launch::{Buffer, Device, Shape, View, ViewMut};
use warpwise_device::memory::Element;

use super::{BLOCK, SHARED_BYTES, TILE, prefix_sums_64};
use crate::prefix_sums_32::{BLOCK_32, SHARED_BYTES_32, TILE_32, prefix_sums_32};

type Launched<T, D> = fn(
    &D,
    Shape,
    View<'_, u32, D>,
    ViewMut<'_, T, D>,
    ViewMut<'_, u64, D>,
    ViewMut<'_, u32, D>,
    u64,
) -> Result<(), <D as Device>::Error>;

/// What [`prefix_sums`] are: `u32`, modulo 2³², or `u64`, below 2⁶².
pub trait PrefixSum: Element {
    /// Sums that a block of the kernel finds.
    #[doc(hidden)]
    const TILE: u32;

    /// The shape of a launch with this number of blocks.
    #[doc(hidden)]
    fn shape(blocks: u32) -> Shape;

    /// The kernel.
    #[doc(hidden)]
    fn kernel<D: Device>() -> Launched<Self, D>;
}

impl PrefixSum for u32 {
    const TILE: u32 = TILE_32;

    fn shape(blocks: u32) -> Shape {
        Shape::new(blocks, BLOCK_32).shared(SHARED_BYTES_32)
    }

    fn kernel<D: Device>() -> Launched<u32, D> {
        prefix_sums_32
    }
}

impl PrefixSum for u64 {
    const TILE: u32 = TILE;

    fn shape(blocks: u32) -> Shape {
        Shape::new(blocks, BLOCK).shared(SHARED_BYTES)
    }

    fn kernel<D: Device>() -> Launched<u64, D> {
        prefix_sums_64
    }
}

/// Bytes of device memory that the prefix sums of `n` values take beside values and sums: a word for each tile, and a ticket.
pub fn scratch_bytes<T: PrefixSum>(n: u64) -> u64 {
    8 * tiles::<T>(n) + 8
}

/// Tiles of the sums of `n` values. There is one sum more than there are values.
fn tiles<T: PrefixSum>(n: u64) -> u64 {
    (n + 1).div_ceil(u64::from(T::TILE))
}

/// Writes to `sums[i]` the sum of the first `i` values, for every `i` from 0 to their number. So the first `n` sums of `n` values are
/// their exclusive scan, and the last `n` their inclusive scan.
///
/// ```
/// use warpwise_device::launch::Buffer;
/// use warpwise_primitives::prefix_sums::prefix_sums;
///
/// # fn main() -> Result<(), warpwise_device::emulated::EmulatorError> {
/// # let device = warpwise_device::emulated::Emulator::new();
/// let values = Buffer::from_host(&device, &[3, 1, 2])?;
/// let mut sums = Buffer::<u64, _>::uninitialized(&device, 4)?;
/// prefix_sums(&device, values.view(), sums.view_mut())?;
/// assert_eq!(sums.to_vec(&device)?, [0, 3, 4, 6]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are not more sums than values, or 2⁴³ values or more.
pub fn prefix_sums<T: PrefixSum, D: Device>(
    device: &D,
    values: View<'_, u32, D>,
    sums: ViewMut<'_, T, D>,
) -> Result<(), D::Error> {
    let n = values.len();
    let tiles = tiles::<T>(n);
    // The ticket stands behind the words: one fill clears all.
    let mut words = Buffer::zeroed(device, tiles + 1)?;
    let (words, ticket) = words.view_mut().split_at(tiles);
    let blocks = u32::try_from(tiles).expect("fewer than 2^43 values");
    T::kernel()(device, T::shape(blocks), values, sums, words, ticket.cast(), n)
}
