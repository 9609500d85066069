//! Launches what brings keys into bins and bins into rows (the kernels' own account: `tribin_kernels::row_bins`).

use std::ops::Range;

use tribin_kernels::row_bins::{
    BINS_BLOCK, BINS_SHARED_BYTES, FOUND, GAPS_BLOCK, GAPS_SHARED_BYTES, GROUPS_BLOCK, MOST_BINS,
    NEXT, ROWS_BLOCK, ROWS_SHARED_BYTES, SORTED_BLOCK, SPLIT_BLOCK, SPLIT_SHARED_BYTES, SPLIT_TILE,
    bins_of_groups, bins_of_starts, capacity, close_gaps, groups_shared_bytes, orient_to_groups,
    rows_of_bins, split_keys, starts_of_groups,
};
use warpwise_device::launch::{Buffer, Device, Shape, View, ViewMut};

use super::rows::DeviceRows;
use crate::plan::preparation::{GroupsOfRanks, SortedGroups};

/// Blocks a multiprocessor of the kernel that counts groups: as many as fit, for each adds all its counts once.
const GROUPS_BLOCKS: u32 = 2;

/// Fewest keys of a thread of that kernel.
const GROUPS_KEYS: u64 = 8;

/// Blocks a multiprocessor of the kernel that makes rows: as many as fit, for each takes one bin after the other.
const ROWS_BLOCKS: u32 = 2;

/// Blocks a multiprocessor of the kernels over groups that keys are sorted by.
const SORTED_BLOCKS: u32 = 8;

/// Blocks a multiprocessor of the kernel that closes gaps.
const GAPS_BLOCKS: u32 = 4;

/// The number of keys whose larger rank is in each group.
pub struct KeyGroups<D: Device> {
    /// A count for each group.
    pub(super) counts: Buffer<u32, D>,
    /// The groups that ranks are cut into.
    pub(super) of: GroupsOfRanks,
}

/// Turns edges into keys of the ranks of their ends, and adds to the counts of groups of 2^`shift` ranks. Where `rank` is
/// empty, a vertex is its rank. There are fewer than 2³² edges.
///
/// # Errors
/// What the device reports.
pub(super) fn keys_to_groups<D: Device>(
    device: &D,
    edges: View<'_, u64, D>,
    rank: &Buffer<u32, D>,
    keys: ViewMut<'_, u64, D>,
    rank_bits: u32,
    (counts, shift): (&mut Buffer<u32, D>, u32),
) -> Result<(), D::Error> {
    let m = edges.len();
    // A block has the shared memory to count them.
    let groups = counts.len() as u32;
    orient_to_groups(
        device,
        Shape::cover(
            m.div_ceil(GROUPS_KEYS),
            GROUPS_BLOCK,
            device.multiprocessors() * GROUPS_BLOCKS,
        )
        .shared(groups_shared_bytes(groups)),
        edges,
        rank.view(),
        keys,
        counts.view_mut(),
        m,
        rank_bits,
        shift,
        groups,
        u32::from(rank.is_empty()),
    )
}

/// Keys in bins: those of a bin stand side by side.
pub(super) struct Bins<D: Device> {
    pub keys: Buffer<u64, D>,
    bounds: Bounds<D>,
    ranks: u64,
    rank_bits: u32,
    value_bits: u32,
}

/// The places where the bins begin.
struct Bounds<D: Device> {
    /// The first key of each, and how many keys there are.
    first_key: Buffer<u32, D>,
    /// The first rank of each, and how many ranks there are.
    first_rank: Buffer<u32, D>,
    /// The number of bins, and whether one would be too large.
    found: Buffer<u32, D>,
}

impl<D: Device> Bounds<D> {
    /// Room for those of this many bins, or of more: the kernels that follow want room for as many as there may be.
    fn room(device: &D, most_bins: u32) -> Result<Self, D::Error> {
        let bounds = u64::from(most_bins.max(MOST_BINS)) + 1;
        Ok(Bounds {
            first_key: Buffer::uninitialized(device, bounds)?,
            first_rank: Buffer::uninitialized(device, bounds)?,
            found: Buffer::zeroed(device, FOUND)?,
        })
    }
}

/// Brings keys of `ranks` ranks into bins; `split` is as long as `keys`, and has them then.
///
/// # Errors
/// What the device reports.
pub(super) fn bins<D: Device>(
    device: &D,
    keys: Buffer<u64, D>,
    mut split: Buffer<u64, D>,
    groups: &KeyGroups<D>,
    ranks: u64,
    rank_bits: u32,
) -> Result<Bins<D>, D::Error> {
    let KeyGroups { counts, of: GroupsOfRanks { shift, value_bits, window, .. } } = groups;
    let n = keys.len();
    let mut bin_of_group = Buffer::uninitialized(device, counts.len())?;
    let mut bounds = Bounds::room(device, MOST_BINS)?;
    let mut next = Buffer::uninitialized(device, NEXT)?;
    bins_of_groups(
        device,
        Shape::new(1, BINS_BLOCK).shared(BINS_SHARED_BYTES),
        counts.view(),
        bin_of_group.view_mut(),
        bounds.first_key.view_mut(),
        bounds.first_rank.view_mut(),
        next.view_mut(),
        bounds.found.view_mut(),
        counts.len() as u32,
        *shift,
        ranks as u32,
        capacity(*value_bits),
        *window,
    )?;
    // Fewer than 2³² keys.
    let tiles = n.div_ceil(u64::from(SPLIT_TILE)).max(1) as u32;
    split_keys(
        device,
        Shape::new(tiles, SPLIT_BLOCK).shared(SPLIT_SHARED_BYTES),
        keys.view(),
        split.view_mut(),
        bin_of_group.view(),
        next.view_mut(),
        bounds.found.view(),
        n,
        rank_bits,
        *shift,
    )?;
    Ok(Bins { keys: split, bounds, ranks, rank_bits, value_bits: *value_bits })
}

/// Bins of keys that are sorted by these groups. The larger ranks are among `own` of the `ranks` ranks, and the rows of others are not
/// made.
///
/// # Errors
/// What the device reports.
pub(super) fn bins_of_sorted<D: Device>(
    device: &D,
    keys: Buffer<u64, D>,
    of: SortedGroups,
    own: Range<u64>,
    ranks: u64,
) -> Result<Bins<D>, D::Error> {
    let SortedGroups { rank_bits, shift, value_bits, window, most_bins, .. } = of;
    // As many as there are of all ranks, at most.
    let first_group = (own.start >> shift) as u32;
    let groups = (own.end.div_ceil(1 << shift) as u32).saturating_sub(first_group).max(1);
    let n = keys.len();
    let most_blocks = device.multiprocessors() * SORTED_BLOCKS;
    let mut starts = Buffer::uninitialized(device, u64::from(groups) + 1)?;
    let mut largest = Buffer::zeroed(device, 1)?;
    starts_of_groups(
        device,
        Shape::cover(starts.len(), SORTED_BLOCK, most_blocks),
        keys.view(),
        starts.view_mut(),
        largest.view_mut(),
        n,
        rank_bits,
        shift,
        first_group,
        groups,
    )?;
    let mut bounds = Bounds::room(device, most_bins)?;
    bins_of_starts(
        device,
        Shape::cover(groups.into(), SORTED_BLOCK, most_blocks),
        starts.view(),
        largest.view(),
        bounds.first_key.view_mut(),
        bounds.first_rank.view_mut(),
        bounds.found.view_mut(),
        first_group,
        groups,
        shift,
        own.end as u32,
        capacity(value_bits),
        window,
        most_bins,
    )?;
    Ok(Bins { keys, bounds, ranks, rank_bits, value_bits })
}

/// Edges in rows, with those that repeat behind each bin.
pub(super) struct RowsOfBins<D: Device> {
    rows: DeviceRows<D>,
    kept_of_bin: Buffer<u32, D>,
}

impl<D: Device> Bins<D> {
    /// The rows of the ranks of all bins, and the number of their edges in `kept`, which is 0 before, or
    /// [`TOO_LARGE`](tribin_kernels::row_bins::TOO_LARGE).
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn rows(
        &self,
        device: &D,
        kept: ViewMut<'_, u64, D>,
    ) -> Result<RowsOfBins<D>, D::Error> {
        let (n, bounds) = (self.keys.len(), &self.bounds);
        let mut tails = Buffer::uninitialized(device, n)?;
        let mut heads = Buffer::uninitialized(device, n)?;
        let mut rows = Buffer::uninitialized(device, self.ranks * 2)?;
        let mut kept_of_bin = Buffer::uninitialized(device, bounds.first_key.len() - 1)?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        let shape = Shape::new(device.multiprocessors() * ROWS_BLOCKS, ROWS_BLOCK)
            .shared(ROWS_SHARED_BYTES);
        let rows_of_bins = match self.value_bits {
            u32::BITS => rows_of_bins::<32, D>,
            _ => rows_of_bins::<64, D>,
        };
        rows_of_bins(
            device,
            shape,
            self.keys.view(),
            bounds.first_key.view(),
            bounds.first_rank.view(),
            bounds.found.view(),
            tails.view_mut(),
            heads.view_mut(),
            rows.view_mut(),
            kept_of_bin.view_mut(),
            kept,
            ticket.view_mut(),
            self.rank_bits,
        )?;
        Ok(RowsOfBins { rows: DeviceRows { tails, heads, rows }, kept_of_bin })
    }

    /// The rows of `edges` edges alone, where `repeated` others are. Takes off the degrees what those had added.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn without_gaps(
        self,
        device: &D,
        rows: RowsOfBins<D>,
        degree_of_rank: &mut Buffer<u32, D>,
        edges: u64,
        repeated: u64,
    ) -> Result<DeviceRows<D>, D::Error> {
        let Bins { keys, bounds, .. } = self;
        // New tails and heads take their place.
        drop(keys);
        let RowsOfBins { rows: DeviceRows { tails, heads, mut rows }, kept_of_bin } = rows;
        if repeated == 0 {
            return Ok(DeviceRows { tails, heads, rows });
        }
        let mut packed_tails = Buffer::uninitialized(device, edges)?;
        let mut packed_heads = Buffer::uninitialized(device, edges)?;
        close_gaps(
            device,
            Shape::new(device.multiprocessors() * GAPS_BLOCKS, GAPS_BLOCK)
                .shared(GAPS_SHARED_BYTES),
            tails.view(),
            heads.view(),
            bounds.first_key.view(),
            bounds.first_rank.view(),
            kept_of_bin.view(),
            bounds.found.view(),
            packed_tails.view_mut(),
            packed_heads.view_mut(),
            rows.view_mut(),
            degree_of_rank.view_mut(),
        )?;
        Ok(DeviceRows { tails: packed_tails, heads: packed_heads, rows })
    }
}
