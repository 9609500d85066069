//! Launches the radix sort of 64-bit keys (the kernels' own account: `tribin_kernels::radix_sort`).

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::radix_sort::{
    DIGIT_BITS, HISTOGRAM_BLOCK, OFFSETS_SHARED_BYTES, SCATTER_BLOCK, TILE, WIDE_DIGIT_BITS,
    digits, radix_histogram, radix_offsets, radix_scatter, scatter_shared_bytes,
};

use crate::plan::preparation::SortPasses;

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
    pub fn add(&mut self, device: &D, keys: &Buffer<u64, D>) -> Result<(), D::Error> {
        let n = keys.len();
        let most = device.multiprocessors() * HISTOGRAM_BLOCKS;
        let SortPasses { passes, digit_bits } = self.of;
        let shape = Shape::cover(n, HISTOGRAM_BLOCK, most).shared((passes << digit_bits) * 4);
        let counts = self.counts.view_mut();
        radix_histogram(device, shape, keys.view(), counts, n, self.shift, passes, digit_bits)
    }
}

/// Sorts `keys` by the digits of these passes, the first at bit `shift`; stable. Fewer than 2³² keys.
///
/// # Errors
/// What the device reports.
pub fn sort_by<D: Device>(
    device: &D,
    keys: Buffer<u64, D>,
    shift: u32,
    of: SortPasses,
) -> Result<Buffer<u64, D>, D::Error> {
    let mut histograms = Histograms::zeroed(device, shift, of)?;
    histograms.add(device, &keys)?;
    let other = Buffer::uninitialized(device, keys.len())?;
    sort(device, keys, other, histograms)
}

/// Sorts `keys` by the digits that `histograms` counted; stable. Fewer than 2³² keys, and `other` as long.
///
/// # Errors
/// What the device reports.
pub fn sort<D: Device>(
    device: &D,
    mut keys: Buffer<u64, D>,
    mut other: Buffer<u64, D>,
    histograms: Histograms<D>,
) -> Result<Buffer<u64, D>, D::Error> {
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
    let radix_scatter = match digit_bits {
        WIDE_DIGIT_BITS => radix_scatter::<WIDE_DIGIT_BITS, D>,
        _ => radix_scatter::<DIGIT_BITS, D>,
    };
    // Fewer than 2³² keys are fewer than 2²⁰ tiles.
    let shape = Shape::new(tiles as u32, SCATTER_BLOCK).shared(scatter_shared_bytes(digit_bits));
    for pass in 0..passes {
        radix_scatter(
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
