use warpwise_device::memory::{In, InOut};
use warpwise_device::shared::{Layout, Place};
use warpwise_device::{kernel, thread, warp};

use super::{BINS, FOUND, MOST_BINS, MOST_GROUPS, NEXT, OVER};
use crate::primitives::{Scanned, block_scan_exclusive};

/// Threads in the block of [`bins_of_groups`].
pub const BINS_BLOCK: u32 = 1_024;

/// Groups of a thread, at most.
const OWN: u32 = MOST_GROUPS / BINS_BLOCK;

const WARPS: u32 = BINS_BLOCK / warp::SIZE;

struct Block {
    groups: Place<u32>,
    sums: Place<u32>,
    largests: Place<u32>,
    bytes: u32,
}

const BLOCK: Block = {
    let (layout, groups) = Layout::new().array(MOST_GROUPS + MOST_GROUPS / OWN);
    let (layout, sums) = layout.array(WARPS);
    let (layout, largests) = layout.array(WARPS);
    Block { groups, sums, largests, bytes: layout.bytes() }
};

/// Bytes of shared memory of the block.
pub const BINS_SHARED_BYTES: u32 = BLOCK.bytes;

/// Where a group is in shared memory: neighbouring threads have theirs in neighbouring banks.
#[inline(always)]
fn place_of(group: u32) -> u32 {
    group + group / OWN
}

/// How groups fill bins: a bin ends where the keys before it reach the next multiple of a stretch, and after each window of groups.
#[derive(Clone, Copy)]
pub(super) struct Filling {
    /// Keys between the ends of bins.
    stretch: u32,
    window: u32,
    /// Whether the largest group fits a bin.
    pub fits: bool,
}

impl Filling {
    #[inline(always)]
    pub fn of(largest: u32, capacity: u32, window: u32) -> Filling {
        let fits = largest < capacity;
        // Where a group is too large, the bins are of no use, but there are few of them.
        let stretch = if fits { capacity - largest } else { capacity };
        Filling { stretch, window, fits }
    }

    /// The bin of a group that has `keys_before` keys before it.
    #[inline(always)]
    pub fn bin_of(self, keys_before: u32, group: u32) -> u32 {
        keys_before / self.stretch.max(1) + group / self.window.max(1)
    }
}

kernel!(
    /// Puts `groups` groups of 2^`shift` of the `ranks` ranks into bins. `bin_of_group[g]` becomes the bin of a group. `first_rank`
    /// has the first rank of each bin, `first_key` the first of its keys, and `next` the same; each has one more element, for
    /// where the last bin ends. `found[0]` becomes the number of bins, and `found[1]` 1 if some bin is too large; it is 0 before. One block.
    ///
    /// A bin ends where the keys before it reach the next multiple of `capacity - largest group`, so that no bin has more than
    /// `capacity` keys, and after each `window` groups.
    #[requires(
        |shape| counts.len() >= u64::from(groups), bin_of_group.len() >= u64::from(groups),
        (1..=MOST_GROUPS).contains(&groups),
        first_key.len() > u64::from(MOST_BINS), first_rank.len() > u64::from(MOST_BINS),
        next.len() >= NEXT, found.len() >= FOUND, window > 0,
        ranks <= 1 << 31, u64::from(groups) << shift <= 1 << 31,
        shape.block.x == BINS_BLOCK, shape.grid.count() == 1, shape.shared_bytes >= BINS_SHARED_BYTES,
    )]
    #[launch_bounds(BINS_BLOCK, 1)]
    pub unsafe fn bins_of_groups(
        counts: In<u32>,
        bin_of_group: InOut<u16>,
        first_key: InOut<u32>,
        first_rank: InOut<u32>,
        next: InOut<u32>,
        found: InOut<u32>,
        groups: u32,
        shift: u32,
        ranks: u32,
        capacity: u32,
        window: u32,
    ) {
        let thread = thread::thread_idx_x();
        let in_block = BLOCK.groups.here();
        let (sums, largests) = (BLOCK.sums.here(), BLOCK.largests.here());
        for group in thread::strided(thread..groups, BINS_BLOCK) {
            in_block.set(place_of(group), counts.get(u64::from(group)));
        }
        thread::sync_threads();
        // Neighbouring groups are a thread's.
        let own = groups.div_ceil(BINS_BLOCK);
        let start = (thread * own).min(groups);
        let end = (start + own).min(groups);
        let mut sum = 0;
        let mut largest = 0;
        for group in start..end {
            let count = in_block.get(place_of(group));
            sum += count;
            largest = largest.max(count);
        }
        let of_warp = warp::warp_reduce_max_32(warp::ALL, largest);
        if warp::lane_id() == 0 {
            largests.set(thread / warp::SIZE, of_warp);
        }
        // Its barriers are the maxima's, too.
        let Scanned { before, all } = block_scan_exclusive(sums, sum);
        let mut largest = 0;
        for w in 0..WARPS {
            largest = largest.max(largests.get(w));
        }
        let filling = Filling::of(largest, capacity, window);
        let mut keys = before;
        // Bins up to the last group's of the threads before have their starts from them.
        let mut bins = 0;
        if start > 0 && start < end {
            let of_last = in_block.get(place_of(start - 1));
            bins = filling.bin_of(keys - of_last, start - 1) + 1;
        }
        // Each has read the last of the thread before: what the groups have makes room for their bins.
        thread::sync_threads();
        for group in start..end {
            let count = in_block.get(place_of(group));
            let bin = filling.bin_of(keys, group);
            while bins <= bin {
                if bins < MOST_BINS {
                    first_key.set(u64::from(bins), keys);
                    next.set(u64::from(bins), keys);
                    // Groups past the last rank have none.
                    first_rank.set(u64::from(bins), (group << shift).min(ranks));
                }
                bins += 1;
            }
            in_block.set(place_of(group), bin.min(MOST_BINS - 1));
            keys += count;
        }
        thread::sync_threads();
        for group in thread::strided(thread..groups, BINS_BLOCK) {
            bin_of_group.set(u64::from(group), in_block.get(place_of(group)) as u16);
        }
        if start < end && end == groups {
            let last = bins.min(MOST_BINS);
            first_key.set(u64::from(last), all);
            next.set(u64::from(last), all);
            first_rank.set(u64::from(last), ranks);
            found.set(BINS, last);
            if !filling.fits || bins > MOST_BINS {
                found.set(OVER, 1);
            }
        }
    }
);
