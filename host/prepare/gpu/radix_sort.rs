//! Launches the radix sort of 64-bit keys (the kernels' own account: `tribin_kernels::radix_sort`).

use tribin_device::launch::{Buffer, Device, Shape, View};
use tribin_kernels::radix_sort::{
    DIGIT_BITS, DIGITS, HISTOGRAM_BLOCK, SCATTER_BLOCK, SCATTER_SHARED_BYTES, TILE,
    radix_histogram, radix_offsets, radix_scatter,
};

/// Blocks of the histogram kernel a multiprocessor: each flushes its counts once.
const HISTOGRAM_BLOCKS: u32 = 4;

/// The digit counts that [`sort`] starts from, one row of 256 a pass.
pub struct Histograms<D: Device> {
    /// `counts[pass * 256 + digit]`.
    pub counts: Buffer<u32, D>,
    /// How many passes.
    pub passes: u32,
}

impl<D: Device> Histograms<D> {
    /// Zero counts for sorts of `bits` bits.
    ///
    /// # Errors
    /// What the device reports.
    pub fn zeroed(device: &D, bits: u32) -> Result<Self, D::Error> {
        let passes = tribin_kernels::radix_sort::passes(bits);
        Ok(Histograms { counts: Buffer::zeroed(device, u64::from(passes * DIGITS))?, passes })
    }

    /// The counts of `keys`, from bit `shift` on.
    ///
    /// # Errors
    /// What the device reports.
    pub fn of_keys(
        device: &D,
        keys: View<'_, u64, D>,
        shift: u32,
        bits: u32,
    ) -> Result<Self, D::Error> {
        let mut histograms = Histograms::zeroed(device, bits)?;
        let n = keys.len();
        let most = device.multiprocessors() * HISTOGRAM_BLOCKS;
        let shape = Shape::cover(n, HISTOGRAM_BLOCK, most).shared(histograms.passes * DIGITS * 4);
        let passes = histograms.passes;
        radix_histogram(device, shape, keys, histograms.counts.view_mut(), n, shift, passes)?;
        Ok(histograms)
    }
}

/// What [`sort`] gives back.
pub struct Sorted<D: Device> {
    /// The keys in order.
    pub keys: Buffer<u64, D>,
    /// The other buffer, with nothing of use in it.
    pub other: Buffer<u64, D>,
}

/// Sorts `keys` by the digits that `histograms` counted, the first at bit `shift`; stable. Fewer
/// than 2³² keys, and `other` as long.
///
/// # Errors
/// What the device reports.
pub fn sort<D: Device>(
    device: &D,
    mut keys: Buffer<u64, D>,
    mut other: Buffer<u64, D>,
    mut histograms: Histograms<D>,
    shift: u32,
) -> Result<Sorted<D>, D::Error> {
    let n = keys.len();
    if n == 0 {
        return Ok(Sorted { keys, other });
    }
    let passes = histograms.passes;
    let one_block_a_pass = Shape::new(passes, DIGITS).shared(32);
    radix_offsets(device, one_block_a_pass, histograms.counts.view_mut(), passes)?;
    let tiles = n.div_ceil(u64::from(TILE));
    let mut words = Buffer::zeroed(device, tiles * u64::from(DIGITS))?;
    let mut tickets = Buffer::zeroed(device, u64::from(passes))?;
    // Fewer than 2³² keys are fewer than 2²⁰ tiles.
    let shape = Shape::new(tiles as u32, SCATTER_BLOCK).shared(SCATTER_SHARED_BYTES);
    for pass in 0..passes {
        radix_scatter(
            device,
            shape,
            keys.view(),
            other.view_mut(),
            histograms.counts.view().slice(u64::from(pass * DIGITS), u64::from(DIGITS)),
            words.view_mut(),
            tickets.view_mut(),
            n,
            shift + pass * DIGIT_BITS,
            pass,
        )?;
        std::mem::swap(&mut keys, &mut other);
    }
    Ok(Sorted { keys, other })
}
