use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread, warp};

use super::bins::Filling;
use super::{BINS, FOUND, MOST_RANKS, OVER, capacity};
use crate::primitives::lower_bound;
use crate::rank_quantiles::{self, QUANTILES};

/// Threads in a block of these kernels.
pub const SORTED_BLOCK: u32 = 256;

/// Quantiles are put together into bins where a bin has room for this part of its keys beside the largest.
pub const LEAST_STRETCH: u32 = 4;

/// Below this rank, a row in any bin and a head fit 32 bits.
pub const NARROW_RANKS: u32 = ((1u64 << 32) / MOST_RANKS as u64) as u32;

kernel!(
    /// `starts[g]` = the place of the first of the keys of group `first_group + g` or later, for every g up to `groups`. The keys are
    /// sorted by the groups of their larger ranks, 2^`shift` ranks each, and none is of a group before the first. Raises `largest[0]`
    /// to the most keys of a group.
    ///
    /// Launch with whole warps.
    #[requires(
        |shape| keys.len() >= n, n < 1 << 32, starts.len() > u64::from(groups), !largest.is_empty(), rank_bits + shift < 64,
    )]
    pub unsafe fn starts_of_groups(
        keys: In<u64>,
        starts: InOut<u32>,
        largest: InOut<u32>,
        n: u64,
        rank_bits: u32,
        shift: u32,
        first_group: u32,
        groups: u32,
    ) {
        let group_at = rank_bits + shift;
        let start_of = |group| first_of_group(keys, n, group_at, u64::from(first_group) + group);
        let [most, _] = write_starts(starts, groups, start_of, |_| false);
        raise(largest, 0, most);
    }
);

kernel!(
    /// The same of [quantiles](crate::rank_quantiles), whose numbers stand above the ranks of the keys. Raises `largest[0]` to the most keys of
    /// a quantile that begins below [`NARROW_RANKS`], and `largest[1]` to those of any other.
    ///
    /// Launch with whole warps.
    #[requires(
        |shape| keys.len() >= n, n < 1 << 32, starts.len() > u64::from(QUANTILES), first_ranks.len() > u64::from(QUANTILES),
        largest.len() >= 2, (1..=rank_quantiles::MOST_RANK_BITS).contains(&rank_bits),
    )]
    pub unsafe fn starts_of_quantiles(
        keys: In<u64>,
        first_ranks: In<u32>,
        starts: InOut<u32>,
        largest: InOut<u32>,
        n: u64,
        rank_bits: u32,
    ) {
        let start_of = |quantile| first_of_group(keys, n, 2 * rank_bits, quantile);
        let is_wide = |quantile| first_ranks.get(quantile) >= NARROW_RANKS;
        let [narrow, wide] = write_starts(starts, QUANTILES, start_of, is_wide);
        raise(largest, 0, narrow);
        raise(largest, 1, wide);
    }
);

/// Writes where each group begins, and the last ends. Returns the most keys of a group of this thread that is not wide, and of
/// one that is.
#[inline(always)]
fn write_starts(
    starts: InOut<u32>,
    groups: u32,
    start_of: impl Fn(u64) -> u32,
    is_wide: impl Fn(u64) -> bool,
) -> [u32; 2] {
    let lane = warp::lane_id();
    let stride = thread::grid_size();
    let mut most = [0; 2];
    let mut group = thread::index_1d();
    // The warp goes round together: its lanes speak to one another.
    while group - u64::from(lane) <= u64::from(groups) {
        let start = start_of(group);
        if group <= u64::from(groups) {
            starts.set(group, start);
        }
        let mut before = warp::warp_shuffle_up(warp::ALL, start, 1);
        if lane == 0 {
            before = if group > 0 { start_of(group - 1) } else { 0 };
        }
        // Lanes past the last group find no more keys than its end: self-loops are of none.
        if group > 0 && group <= u64::from(groups) {
            let keys = start - before;
            if is_wide(group - 1) {
                most[1] = most[1].max(keys);
            } else {
                most[0] = most[0].max(keys);
            }
        }
        group += stride;
    }
    most
}

/// Raises a word to the largest of the warp's values.
#[inline(always)]
fn raise(words: InOut<u32>, index: u64, value: u32) {
    let of_warp = warp::warp_reduce_max_32(warp::ALL, value);
    if warp::lane_id() == 0 {
        words.atomic_max(index, of_warp);
    }
}

/// The place of the first key of this group or a later one.
#[inline(always)]
fn first_of_group(keys: In<u64>, n: u64, group_at: u32, group: u64) -> u32 {
    let (mut from, mut len) = (0, n);
    while len > 0 {
        let half = len / 2;
        let is_before = keys.get(from + half) >> group_at < group;
        from = if is_before { from + half + 1 } else { from };
        len = if is_before { len - half - 1 } else { half };
    }
    from as u32
}

kernel!(
    /// Puts `groups` groups from `first_group` on, which begin at `starts`, into bins, and writes `first_key`, `first_rank` and `found` as
    /// [`bins_of_groups`](super::bins_of_groups) does. `found[1]` also becomes 1 if there are more than `most_bins` bins. Any number of blocks.
    #[requires(
        |shape| starts.len() > u64::from(groups), !largest.is_empty(), first_key.len() > u64::from(most_bins),
        first_rank.len() > u64::from(most_bins), found.len() >= FOUND, groups > 0, window > 0, most_bins > 0,
        ranks < 1 << 31, (u64::from(first_group) + u64::from(groups - 1)) << shift < 1 << 31,
    )]
    pub unsafe fn bins_of_starts(
        starts: In<u32>,
        largest: In<u32>,
        first_key: InOut<u32>,
        first_rank: InOut<u32>,
        found: InOut<u32>,
        first_group: u32,
        groups: u32,
        shift: u32,
        ranks: u32,
        capacity: u32,
        window: u32,
        most_bins: u32,
    ) {
        let filling = Filling::of(largest.get(0), capacity, window);
        let bins = Bins { first_key, first_rank, found, most: most_bins };
        let rank_of = |group: u32| (first_group + group) << shift;
        let bin_of = |group: u32, start: u32| filling.bin_of(start, group);
        put_into_bins(starts, groups, ranks, filling.fits, rank_of, bin_of, bins);
    }
);

kernel!(
    /// The same of [quantiles](crate::rank_quantiles), from their [`first_ranks`](crate::rank_quantiles::first_ranks). The bins have the ranks
    /// from `from_rank` to before `ranks`.
    ///
    /// A bin of ranks below [`NARROW_RANKS`] has as many keys as fit as values of 32 bits, and others as many as fit as values of 64. A bin
    /// ends after each `window` ranks, as well, so that it has at most as many and those of a quantile.
    #[requires(
        |shape| starts.len() > u64::from(QUANTILES), first_ranks.len() > u64::from(QUANTILES), largest.len() >= 2,
        first_key.len() > u64::from(most_bins), first_rank.len() > u64::from(most_bins), found.len() >= FOUND,
        window > 0, most_bins > 0, from_rank <= ranks,
    )]
    pub unsafe fn bins_of_quantiles(
        starts: In<u32>,
        first_ranks: In<u32>,
        largest: In<u32>,
        first_key: InOut<u32>,
        first_rank: InOut<u32>,
        found: InOut<u32>,
        from_rank: u32,
        ranks: u32,
        window: u32,
        most_bins: u32,
    ) {
        let narrow = Filling::of(largest.get(0), capacity(u32::BITS), window);
        let wide = Filling::of(largest.get(1), capacity(u64::BITS), window);
        let rank_of =
            |quantile: u32| first_ranks.get(u64::from(quantile)).max(from_rank).min(ranks);
        let first_wide = lower_bound(first_ranks, 0, QUANTILES, NARROW_RANKS);
        // The keys and the ranks of narrow bins, and where they end.
        let keys = starts.get(u64::from(first_wide));
        let narrow_ranks = rank_of(first_wide) - from_rank;
        let wide_from =
            1 + bin_of_quantile(narrow, capacity(u32::BITS), keys, narrow_ranks, first_wide);
        let bin_of = |quantile: u32, start: u32| {
            let ranks = rank_of(quantile) - from_rank;
            if quantile < first_wide {
                return bin_of_quantile(narrow, capacity(u32::BITS), start, ranks, quantile);
            }
            let (start, ranks, quantile) =
                (start - keys, ranks - narrow_ranks, quantile - first_wide);
            wide_from + bin_of_quantile(wide, capacity(u64::BITS), start, ranks, quantile)
        };
        let bins = Bins { first_key, first_rank, found, most: most_bins };
        let fit = narrow.fits && wide.fits;
        put_into_bins(starts, QUANTILES, ranks, fit, rank_of, bin_of, bins);
    }
);

/// The bin of a quantile, by the keys, the ranks and the quantiles before it. Where the largest quantile leaves little room beside it in
/// a bin, each is a bin by itself.
#[inline(always)]
fn bin_of_quantile(filling: Filling, capacity: u32, keys: u32, ranks: u32, quantile: u32) -> u32 {
    if filling.stretch < capacity / LEAST_STRETCH { quantile } else { filling.bin_of(keys, ranks) }
}

/// Bins, and room for `most`.
#[derive(Clone, Copy)]
struct Bins {
    first_key: InOut<u32>,
    first_rank: InOut<u32>,
    found: InOut<u32>,
    most: u32,
}

/// Writes what there is of each bin, where `rank_of` is the first rank of a group, and `bin_of` the bin of one whose keys begin at a place.
#[inline(always)]
fn put_into_bins(
    starts: In<u32>,
    groups: u32,
    ranks: u32,
    fit: bool,
    rank_of: impl Fn(u32) -> u32,
    bin_of: impl Fn(u32, u32) -> u32,
    bins: Bins,
) {
    let Bins { first_key, first_rank, found, most } = bins;
    let stride = thread::grid_size();
    let mut group = thread::index_1d();
    while group < u64::from(groups) {
        let g = group as u32;
        let start = starts.get(group);
        let bin = bin_of(g, start);
        // Bins up to the group's before have their starts from it.
        let mut next = if g > 0 { bin_of(g - 1, starts.get(group - 1)) + 1 } else { 0 };
        while next <= bin {
            if next < most {
                first_key.set(u64::from(next), start);
                first_rank.set(u64::from(next), rank_of(g));
            }
            next += 1;
        }
        if g == groups - 1 {
            let last = next.min(most);
            first_key.set(u64::from(last), starts.get(u64::from(groups)));
            first_rank.set(u64::from(last), ranks);
            found.set(BINS, last);
            if !fit || next > most {
                found.set(OVER, 1);
            }
        }
        group += stride;
    }
}
