//! Launches of the radix sort.

use warpwise_device::launch::{Buffer, Device, Shape, View, ViewMut};

use super::{
    DIGIT_BITS, HISTOGRAM_BLOCK, Key, OFFSETS_SHARED_BYTES, SCATTER_BLOCK, TILE, WIDE_DIGIT_BITS,
    digits, radix_histogram, radix_offsets, radix_scatter, scatter_shared_bytes,
};
use crate::radix_sort_32::{
    SCATTER_SHARED_BYTES, gather_pairs, join_pairs, number_keys, part_pairs, radix_histogram_32,
    radix_scatter_32, take_high_halves,
};

/// The passes of a radix sort, each of which sorts by one digit of the keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SortPasses {
    /// How many.
    pub passes: u32,
    /// Bits of a digit: [`DIGIT_BITS`] or [`WIDE_DIGIT_BITS`].
    pub digit_bits: u32,
}

impl SortPasses {
    /// `passes` passes by digits of [`DIGIT_BITS`].
    pub const fn narrow(passes: u32) -> SortPasses {
        SortPasses { passes, digit_bits: DIGIT_BITS }
    }

    /// `passes` passes by digits of [`WIDE_DIGIT_BITS`].
    pub const fn wide(passes: u32) -> SortPasses {
        SortPasses { passes, digit_bits: WIDE_DIGIT_BITS }
    }

    /// The passes by digits of [`DIGIT_BITS`] that sort by `bits` bits.
    pub const fn of_bits(bits: u32) -> SortPasses {
        SortPasses::narrow(bits.div_ceil(DIGIT_BITS))
    }

    /// Bits that are sorted by.
    pub const fn bits(self) -> u32 {
        self.passes * self.digit_bits
    }
}

type CountDigits<K, D> = fn(
    &D,
    Shape,
    View<'_, K, D>,
    ViewMut<'_, u32, D>,
    u64,
    u32,
    u32,
    u32,
) -> Result<(), <D as Device>::Error>;

type Scatter<K, D> = fn(
    &D,
    Shape,
    View<'_, K, D>,
    ViewMut<'_, K, D>,
    View<'_, u32, D>,
    ViewMut<'_, u64, D>,
    ViewMut<'_, u32, D>,
    u64,
    u32,
    u32,
) -> Result<(), <D as Device>::Error>;

/// Keys that [`sort`] sorts: `u32` by digits of [`DIGIT_BITS`], and `u64` by wide ones, too.
pub trait SortKey: Key {
    /// The kernel that counts digits.
    #[doc(hidden)]
    fn counts<D: Device>() -> CountDigits<Self, D>;

    /// The kernel that sorts by a digit of `digit_bits` bits, and the bytes of shared memory that its block takes.
    #[doc(hidden)]
    fn scatter<D: Device>(digit_bits: u32) -> (Scatter<Self, D>, u32);
}

impl SortKey for u64 {
    fn counts<D: Device>() -> CountDigits<u64, D> {
        radix_histogram
    }

    fn scatter<D: Device>(digit_bits: u32) -> (Scatter<u64, D>, u32) {
        let kernel: Scatter<u64, D> = match digit_bits {
            WIDE_DIGIT_BITS => radix_scatter::<WIDE_DIGIT_BITS, D>,
            _ => radix_scatter::<DIGIT_BITS, D>,
        };
        (kernel, scatter_shared_bytes(digit_bits))
    }
}

impl SortKey for u32 {
    fn counts<D: Device>() -> CountDigits<u32, D> {
        radix_histogram_32
    }

    fn scatter<D: Device>(digit_bits: u32) -> (Scatter<u32, D>, u32) {
        assert_eq!(digit_bits, DIGIT_BITS, "digits of keys of 32 bits");
        (radix_scatter_32, SCATTER_SHARED_BYTES)
    }
}

/// Bytes of device memory that a sort of `n` keys takes beside two buffers of keys, but for a few kilobytes: a word for each digit of each
/// tile.
pub fn scratch_bytes(n: u64, digit_bits: u32) -> u64 {
    n.div_ceil(u64::from(TILE)) * (8 << digit_bits)
}

/// Blocks of the histogram kernel a multiprocessor: each flushes its counts once.
const HISTOGRAM_BLOCKS: u32 = 4;

/// The digit counts that [`sort`] starts from, a row for each pass.
pub struct Histograms<D: Device> {
    /// `counts[(pass << digit_bits) + digit]`.
    pub counts: Buffer<u32, D>,
    /// The first bit of the first digit.
    pub shift: u32,
    /// The passes, and the bits of their digits.
    pub of: SortPasses,
}

impl<D: Device> Histograms<D> {
    /// Zero counts.
    ///
    /// # Errors
    /// What the device reports.
    pub fn zeroed(device: &D, shift: u32, of: SortPasses) -> Result<Self, D::Error> {
        let counts = Buffer::zeroed(device, u64::from(of.passes << of.digit_bits))?;
        Ok(Histograms { counts, shift, of })
    }

    /// Adds the digits of `keys`.
    ///
    /// # Errors
    /// What the device reports.
    pub fn add<K: SortKey>(&mut self, device: &D, keys: &Buffer<K, D>) -> Result<(), D::Error> {
        let n = keys.len();
        let most = device.multiprocessors() * HISTOGRAM_BLOCKS;
        let SortPasses { passes, digit_bits } = self.of;
        let shape = Shape::cover(n, HISTOGRAM_BLOCK, most).shared((passes << digit_bits) * 4);
        let counts = self.counts.view_mut();
        K::counts()(device, shape, keys.view(), counts, n, self.shift, passes, digit_bits)
    }
}

/// Sorts fewer than 2³² `keys` by the digits of these passes. The first digit begins at bit `shift`. Keys with equal digits keep their order.
///
/// ```
/// use warpwise_device::launch::Buffer;
/// use warpwise_primitives::radix_sort::{SortPasses, sort_by};
///
/// # fn main() -> Result<(), warpwise_device::emulated::EmulatorError> {
/// # let device = warpwise_device::emulated::Emulator::new();
/// let keys = Buffer::from_host(&device, &[30_u32, 10, 20])?;
/// let sorted = sort_by(&device, keys, 0, SortPasses::of_bits(32))?;
/// assert_eq!(sorted.to_vec(&device)?, [10, 20, 30]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What the device reports.
pub fn sort_by<K: SortKey, D: Device>(
    device: &D,
    keys: Buffer<K, D>,
    shift: u32,
    of: SortPasses,
) -> Result<Buffer<K, D>, D::Error> {
    let mut histograms = Histograms::zeroed(device, shift, of)?;
    histograms.add(device, &keys)?;
    let other = Buffer::uninitialized(device, keys.len())?;
    sort(device, keys, other, histograms)
}

/// Sorts `keys` by the digits that `histograms` counted; stable. Fewer than 2³² keys, and `other` as long.
///
/// # Errors
/// What the device reports.
pub fn sort<K: SortKey, D: Device>(
    device: &D,
    mut keys: Buffer<K, D>,
    mut other: Buffer<K, D>,
    histograms: Histograms<D>,
) -> Result<Buffer<K, D>, D::Error> {
    let n = keys.len();
    if n == 0 {
        return Ok(keys);
    }
    let Histograms { mut counts, shift, of: SortPasses { passes, digit_bits } } = histograms;
    let digits = digits(digit_bits);
    let one_block_a_pass = Shape::new(passes, digits).shared(OFFSETS_SHARED_BYTES);
    radix_offsets(device, one_block_a_pass, counts.view_mut())?;
    let tiles = n.div_ceil(u64::from(TILE));
    let mut words = Buffer::zeroed(device, tiles * u64::from(digits))?;
    let mut tickets = Buffer::zeroed(device, u64::from(passes))?;
    let (scatter, shared_bytes) = K::scatter(digit_bits);
    // Fewer than 2³² keys are fewer than 2²⁰ tiles.
    let shape = Shape::new(tiles as u32, SCATTER_BLOCK).shared(shared_bytes);
    for pass in 0..passes {
        scatter(
            device,
            shape,
            keys.view(),
            other.view_mut(),
            counts.view().slice(u64::from(pass * digits), u64::from(digits)),
            words.view_mut(),
            tickets.view_mut(),
            n,
            shift + pass * digit_bits,
            pass,
        )?;
        std::mem::swap(&mut keys, &mut other);
    }
    Ok(keys)
}

/// Sorts pairs of a key and a value by all bits of their keys, and returns both in that order. Pairs with equal keys keep their order. Fewer
/// than 2³² pairs; they take two buffers of 64-bit words beside what is given and [`scratch_bytes`].
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are fewer values than keys.
pub fn sort_pairs<D: Device>(
    device: &D,
    mut keys: Buffer<u32, D>,
    mut values: Buffer<u32, D>,
) -> Result<[Buffer<u32, D>; 2], D::Error> {
    let n = keys.len();
    let shape = Shape::cover(n, HISTOGRAM_BLOCK, device.multiprocessors() * HISTOGRAM_BLOCKS);
    let mut words = Buffer::uninitialized(device, n)?;
    join_pairs(device, shape, keys.view(), values.view(), words.view_mut(), n)?;
    let words = sort_by(device, words, u32::BITS, SortPasses::of_bits(u32::BITS))?;
    part_pairs(device, shape, words.view(), keys.view_mut(), values.view_mut(), n)?;
    Ok([keys, values])
}

/// Keys of 64 bits, and the value of each.
pub type WidePairs<D> = (Buffer<u64, D>, Buffer<u32, D>);

/// [`sort_pairs`] with keys of 64 bits: their halves are sorted by, one after the other, with the number of each pair, and pairs are moved
/// once, at the end. They take two buffers of 64-bit words, and buffers for the result, beside what is given and [`scratch_bytes`].
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are fewer values than keys, or 2³² pairs or more.
pub fn sort_wide_pairs<D: Device>(
    device: &D,
    keys: View<'_, u64, D>,
    values: View<'_, u32, D>,
) -> Result<WidePairs<D>, D::Error> {
    let n = keys.len();
    let shape = Shape::cover(n, HISTOGRAM_BLOCK, device.multiprocessors() * HISTOGRAM_BLOCKS);
    let mut words = Buffer::uninitialized(device, n)?;
    number_keys(device, shape, keys, words.view_mut(), n)?;
    let mut words = sort_by(device, words, u32::BITS, SortPasses::of_bits(u32::BITS))?;
    take_high_halves(device, shape, keys, words.view_mut(), n)?;
    let words = sort_by(device, words, u32::BITS, SortPasses::of_bits(u32::BITS))?;
    let mut sorted = (Buffer::uninitialized(device, n)?, Buffer::uninitialized(device, n)?);
    let (to_keys, to_values) = (sorted.0.view_mut(), sorted.1.view_mut());
    gather_pairs(device, shape, words.view(), keys, values, to_keys, to_values, n)?;
    Ok(sorted)
}
