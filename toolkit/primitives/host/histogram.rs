//! Launches of histograms.

use warpwise_device::launch::{Device, Shape, View, ViewMut};

use super::{BLOCK, MOST_COUNTS, count_many_values, count_values};

/// Blocks of a multiprocessor: each adds its counts once.
const BLOCKS: u32 = 4;

/// Adds to `counts[v]` how often the value `v` occurs, modulo 2³². Values for which there is no count are left out. It takes no memory of its own. More than
/// [`MOST_COUNTS`] counts are slower: they do not fit into the shared memory of blocks.
///
/// ```
/// use warpwise_device::launch::Buffer;
/// use warpwise_primitives::histogram::histogram;
///
/// # fn main() -> Result<(), warpwise_device::emulated::EmulatorError> {
/// # let device = warpwise_device::emulated::Emulator::new();
/// let values = Buffer::from_host(&device, &[3, 1, 3, 100])?;
/// let mut counts = Buffer::zeroed(&device, 5)?;
/// histogram(&device, values.view(), counts.view_mut())?;
/// assert_eq!(counts.to_vec(&device)?, [0, 1, 0, 2, 0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What the device reports.
pub fn histogram<D: Device>(
    device: &D,
    values: View<'_, u32, D>,
    counts: ViewMut<'_, u32, D>,
) -> Result<(), D::Error> {
    let (n, bins) = (values.len(), counts.len());
    let shape = Shape::cover(n, BLOCK, device.multiprocessors() * BLOCKS);
    if bins > MOST_COUNTS {
        return count_many_values(device, shape, values, counts, n, bins);
    }
    let shape = shape.shared(4 * bins as u32);
    count_values(device, shape, values, counts, n, bins)
}
