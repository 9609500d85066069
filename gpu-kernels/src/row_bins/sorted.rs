use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

use super::bins::Filling;
use super::{BINS, FOUND, OVER};

/// Threads in a block of these kernels.
pub const SORTED_BLOCK: u32 = 256;

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
        let lane = warp::lane_id();
        let stride = thread::grid_size();
        let mut most = 0;
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
                most = most.max(start - before);
            }
            group += stride;
        }
        let of_warp = warp::warp_reduce_max_32(warp::ALL, most);
        if warp::lane_id() == 0 {
            largest.atomic_max(0, of_warp);
        }
    }
);

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
        for group in thread::of_grid(u64::from(groups)) {
            let g = group as u32;
            let start = starts.get(group);
            let bin = filling.bin_of(start, g);
            // Bins up to the group's before have their starts from it.
            let mut next = if g > 0 { filling.bin_of(starts.get(group - 1), g - 1) + 1 } else { 0 };
            while next <= bin {
                if next < most_bins {
                    first_key.set(u64::from(next), start);
                    first_rank.set(u64::from(next), (first_group + g) << shift);
                }
                next += 1;
            }
            if g == groups - 1 {
                let last = next.min(most_bins);
                first_key.set(u64::from(last), starts.get(u64::from(groups)));
                first_rank.set(u64::from(last), ranks);
                found.set(BINS, last);
                if !filling.fits || next > most_bins {
                    found.set(OVER, 1);
                }
            }
        }
    }
);
