//! Launches what cuts ranks into quantiles (the kernels' own account: `tribin_kernels::rank_quantiles`).

use tribin_device::launch::{Buffer, Device, Shape, View, ViewMut};
use tribin_kernels::rank_quantiles::{
    CELLS, KEYS_BLOCK, KEYS_SHARED_BYTES, OCTAVES, QUANTILES, TABLE_BLOCK, TABLE_SHARED_BYTES,
    VOLUMES_BLOCK, first_ranks, keys_to_quantiles, orient_to_quantiles, quantile_table,
    rank_volumes, without_quantiles,
};

use super::radix_sort::Histograms;

/// Blocks a multiprocessor of the kernels that stride.
const BLOCKS: u32 = 8;

/// Fewest keys of a thread that counts digits: each block adds all its counts once.
const KEYS: u64 = 8;

/// Bits of a volume in the table.
const VOLUME_BITS: u32 = 31;

/// Ranges of ranks that are foreseen to have about equally many keys.
pub struct Quantiles<D: Device> {
    /// The quantiles of each cell.
    cells: Buffer<u64, D>,
    /// How many heads are foreseen below each octave.
    heads_below: Buffer<u32, D>,
    ranks: u32,
}

impl<D: Device> Quantiles<D> {
    /// The quantiles of ranks with these degrees, whose sum is that of the ends of at most `entries` entries. O(ranks).
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn of_ranks(
        device: &D,
        degree_of_rank: &Buffer<u32, D>,
        entries: u64,
    ) -> Result<Self, D::Error> {
        let n = degree_of_rank.len();
        let mut volumes = Buffer::zeroed(device, CELLS.into())?;
        let most_blocks = device.multiprocessors() * BLOCKS;
        let shape = Shape::cover(n, VOLUMES_BLOCK, most_blocks);
        rank_volumes(device, shape, degree_of_rank.view(), volumes.view_mut(), n)?;
        let mut cells = Buffer::uninitialized(device, CELLS.into())?;
        let mut heads_below = Buffer::uninitialized(device, OCTAVES.into())?;
        let ends = u64::BITS - (2 * entries).leading_zeros();
        quantile_table(
            device,
            Shape::new(1, TABLE_BLOCK).shared(TABLE_SHARED_BYTES),
            volumes.view(),
            cells.view_mut(),
            heads_below.view_mut(),
            n as u32,
            ends.saturating_sub(VOLUME_BITS),
        )?;
        Ok(Quantiles { cells, heads_below, ranks: n as u32 })
    }

    /// The first rank of each quantile, and where the last ends.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn first_ranks(&self, device: &D) -> Result<Buffer<u32, D>, D::Error> {
        let mut first = Buffer::uninitialized(device, u64::from(QUANTILES) + 1)?;
        let shape = Shape::cover(first.len(), VOLUMES_BLOCK, device.multiprocessors() * BLOCKS);
        first_ranks(device, shape, self.cells.view(), first.view_mut(), self.ranks)?;
        Ok(first)
    }

    /// How many heads are foreseen below each octave.
    pub(super) fn heads_below(&self) -> View<'_, u32, D> {
        self.heads_below.view()
    }

    /// Turns edges into keys of the ranks of their ends, with quantiles above them, and adds to the counts. Where `rank` is empty, a vertex is its
    /// rank.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn orient(
        &self,
        device: &D,
        edges: View<'_, u64, D>,
        rank: &Buffer<u32, D>,
        keys: ViewMut<'_, u64, D>,
        rank_bits: u32,
        histograms: &mut Histograms<D>,
    ) -> Result<(), D::Error> {
        let m = edges.len();
        orient_to_quantiles(
            device,
            shape(device, m),
            edges,
            rank.view(),
            self.cells.view(),
            keys,
            histograms.counts.view_mut(),
            m,
            rank_bits,
            u32::from(rank.is_empty()),
        )
    }

    /// Puts the quantiles above keys, and adds to the counts.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn put_above(
        &self,
        device: &D,
        keys: &mut Buffer<u64, D>,
        rank_bits: u32,
        histograms: &mut Histograms<D>,
    ) -> Result<(), D::Error> {
        let n = keys.len();
        let (keys, counts) = (keys.view_mut(), histograms.counts.view_mut());
        keys_to_quantiles(device, shape(device, n), keys, self.cells.view(), counts, n, rank_bits)
    }
}

/// Takes the quantiles off keys.
///
/// # Errors
/// What the device reports.
pub(super) fn take_off<D: Device>(
    device: &D,
    keys: &mut Buffer<u64, D>,
    rank_bits: u32,
) -> Result<(), D::Error> {
    let n = keys.len();
    without_quantiles(device, shape(device, n), keys.view_mut(), n, rank_bits)
}

/// Blocks over keys.
fn shape<D: Device>(device: &D, keys: u64) -> Shape {
    Shape::cover(keys.div_ceil(KEYS), KEYS_BLOCK, device.multiprocessors() * BLOCKS)
        .shared(KEYS_SHARED_BYTES)
}
