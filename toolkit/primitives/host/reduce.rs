//! Launches of reductions.

use warpwise_device::launch::{Buffer, Device, Shape, View, ViewMut};
use warpwise_device::memory::Element;

use super::{BLOCK, LARGEST, LEAST, SHARED_BYTES, SUM, add_reals, reduce_32, reduce_64};

/// Blocks of a multiprocessor.
const BLOCKS: u32 = 8;

type Launched<T, A, D> =
    fn(&D, Shape, View<'_, T, D>, ViewMut<'_, A, D>, u64) -> Result<(), <D as Device>::Error>;

/// Values that are reduced: `u32` and `u64`.
pub trait Reduced: Element {
    /// The kernel of an operation.
    #[doc(hidden)]
    fn kernel<const OPERATION: u32, D: Device>() -> Launched<Self, u64, D>;
}

impl Reduced for u32 {
    fn kernel<const OPERATION: u32, D: Device>() -> Launched<u32, u64, D> {
        reduce_32::<OPERATION, D>
    }
}

impl Reduced for u64 {
    fn kernel<const OPERATION: u32, D: Device>() -> Launched<u64, u64, D> {
        reduce_64::<OPERATION, D>
    }
}

/// Bytes of device memory that a reduction takes: a word for each block of its first launch.
pub fn scratch_bytes<D: Device>(device: &D) -> u64 {
    8 * u64::from(device.multiprocessors() * BLOCKS)
}

/// The sum of the values, modulo 2⁶⁴, in a buffer of one element.
///
/// ```
/// use warpwise_device::launch::Buffer;
/// use warpwise_primitives::reduce::{largest, sum};
///
/// # fn main() -> Result<(), warpwise_device::emulated::EmulatorError> {
/// # let device = warpwise_device::emulated::Emulator::new();
/// let values = Buffer::from_host(&device, &[3_u32, 1, 2])?;
/// assert_eq!(sum(&device, values.view())?.to_vec(&device)?, [6]);
/// assert_eq!(largest(&device, values.view())?.to_vec(&device)?, [3]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What the device reports.
pub fn sum<T: Reduced, D: Device>(
    device: &D,
    values: View<'_, T, D>,
) -> Result<Buffer<u64, D>, D::Error> {
    reduce::<SUM, T, D>(device, values)
}

/// The smallest of the values, or `u64::MAX` where there is none, in a buffer of one element.
///
/// # Errors
/// What the device reports.
pub fn least<T: Reduced, D: Device>(
    device: &D,
    values: View<'_, T, D>,
) -> Result<Buffer<u64, D>, D::Error> {
    reduce::<LEAST, T, D>(device, values)
}

/// The largest of the values, or 0 where there is none, in a buffer of one element.
///
/// # Errors
/// What the device reports.
pub fn largest<T: Reduced, D: Device>(
    device: &D,
    values: View<'_, T, D>,
) -> Result<Buffer<u64, D>, D::Error> {
    reduce::<LARGEST, T, D>(device, values)
}

/// The sum of floating-point numbers, in a buffer of one element.
///
/// They are added as `f64`. So the sum of n numbers is off by at most n · 2⁻⁵³ of the sum of their absolute values. For up to 2²⁸ numbers
/// that is less than what rounding the latter to `f32` changes. The order of the additions depends on n and on the device's number of multiprocessors alone. So a
/// device finds the same sum in every run, and another one may find another.
///
/// ```
/// use warpwise_device::launch::Buffer;
/// use warpwise_primitives::reduce::sum_of_reals;
///
/// # fn main() -> Result<(), warpwise_device::emulated::EmulatorError> {
/// # let device = warpwise_device::emulated::Emulator::new();
/// let values = Buffer::from_host(&device, &[0.5_f32, -3.0, 1.25])?;
/// assert_eq!(sum_of_reals(&device, values.view())?.to_vec(&device)?, [-1.25]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What the device reports.
pub fn sum_of_reals<T: add_reals, D: Device>(
    device: &D,
    values: View<'_, T, D>,
) -> Result<Buffer<f64, D>, D::Error> {
    in_two_launches(device, values, add_reals::<T, D>, add_reals::<f64, D>)
}

fn reduce<const OPERATION: u32, T: Reduced, D: Device>(
    device: &D,
    values: View<'_, T, D>,
) -> Result<Buffer<u64, D>, D::Error> {
    let first = T::kernel::<OPERATION, D>();
    in_two_launches(device, values, first, reduce_64::<OPERATION, D>)
}

/// Reduces the values to one for each block, and these to one.
fn in_two_launches<T: Element, A: Element, D: Device>(
    device: &D,
    values: View<'_, T, D>,
    first: Launched<T, A, D>,
    second: Launched<A, A, D>,
) -> Result<Buffer<A, D>, D::Error> {
    let n = values.len();
    let shape = Shape::cover(n, BLOCK, device.multiprocessors() * BLOCKS).shared(SHARED_BYTES);
    let blocks = shape.grid.count();
    let mut of_blocks = Buffer::uninitialized(device, blocks)?;
    first(device, shape, values, of_blocks.view_mut(), n)?;
    let mut all = Buffer::uninitialized(device, 1)?;
    let one_block = Shape::new(1, BLOCK).shared(SHARED_BYTES);
    second(device, one_block, of_blocks.view(), all.view_mut(), blocks)?;
    Ok(all)
}
