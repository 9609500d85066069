use warpwise_device::shared::{Layout, Place, Shared};
use warpwise_device::{thread, warp};

use super::{Scanned, WarpRun, block_fill, block_scan_exclusive};

/// Where a block has what it splits a tile with.
#[derive(Clone, Copy)]
pub struct TileSplitPlaces {
    counts: Place<u32>,
    targets: Place<u32>,
    sums: Place<u32>,
}

impl TileSplitPlaces {
    /// The layout with the places behind what it has: for at most `digits` digits, and a block of `threads`.
    pub const fn behind(layout: Layout, digits: u32, threads: u32) -> (Layout, TileSplitPlaces) {
        let (layout, counts) = layout.array(digits);
        let (layout, targets) = layout.array(digits);
        let (layout, sums) = layout.array(threads / warp::SIZE);
        (layout, TileSplitPlaces { counts, targets, sums })
    }

    /// The places of the calling thread's block.
    #[inline(always)]
    pub fn here(self) -> TileSplit {
        TileSplit {
            counts: self.counts.here(),
            targets: self.targets.here(),
            sums: self.sums.here(),
        }
    }
}

/// Brings the items of a tile into the order of their digits, and says where those of each digit go in the grid's memory.
///
/// A block calls, one after the other, with a barrier between the first two: [`clear`](Self::clear), [`rank`](Self::rank) for
/// each item, [`close`](Self::close), and [`take`](Self::take). From then on it has the [`slot`](Self::slot) of every
/// item in the tile, and after a barrier the [`target`](Self::target) of every slot.
#[derive(Clone, Copy)]
pub struct TileSplit {
    /// How many items a digit has; then the first of their slots.
    counts: Shared<u32>,
    targets: Shared<u32>,
    /// A word for each warp, for sums over the block.
    pub sums: Shared<u32>,
}

impl TileSplit {
    /// Forgets the items of the first `digits` digits.
    #[inline(always)]
    pub fn clear(self, digits: u32) {
        block_fill(self.counts, digits, 0);
    }

    /// Counts this lane's item if it `is_one`; returns how many of its digit came before. The whole warp calls it.
    #[inline(always)]
    pub fn rank(self, digit: u32, is_one: bool) -> u32 {
        // In sorted input, neighbouring lanes have one digit.
        let run = WarpRun::of(digit, is_one);
        let mut before = 0;
        if run.is_first {
            before = self.counts.atomic_add(digit, run.lanes());
        }
        let first_lane = if is_one { run.first_lane() } else { 0 };
        let of_first = warp::warp_shuffle_idx(warp::ALL, before, first_lane);
        // Of a lane without an item, any number.
        of_first + warp::lane_id().wrapping_sub(first_lane)
    }

    /// Gives the items their slots, those of the first digit first. How many there are. Contains four barriers, the first before
    /// all else and the last behind it.
    #[inline(always)]
    pub fn close(self, digits: u32) -> u32 {
        thread::sync_threads();
        // Neighbouring digits are a thread's. An odd number of them: then a warp's threads read from different banks.
        let of_thread = digits.div_ceil(thread::block_dim_x()) | 1;
        let own = (thread::thread_idx_x() * of_thread).min(digits);
        let end = (own + of_thread).min(digits);
        let mut in_thread = 0;
        for digit in own..end {
            in_thread += self.counts.get(digit);
        }
        let Scanned { before: mut first, all } = block_scan_exclusive(self.sums, in_thread);
        for digit in own..end {
            let count = self.counts.get(digit);
            self.counts.set(digit, first);
            first += count;
        }
        thread::sync_threads();
        all
    }

    /// Has `take(digit, count)` take places for the `count` items of each digit that has any, of `all` in the tile; it returns
    /// the first.
    #[inline(always)]
    pub fn take(self, digits: u32, all: u32, take: impl Fn(u32, u32) -> u32) {
        // Neighbouring lanes ask for neighbouring digits, at one time.
        for digit in thread::strided(thread::thread_idx_x()..digits, thread::block_dim_x()) {
            let first = self.counts.get(digit);
            let end = if digit + 1 < digits { self.counts.get(digit + 1) } else { all };
            if end > first {
                // Where the tile's first item would go if it were of this digit; wraps, and wraps back.
                self.targets.set(digit, take(digit, end - first).wrapping_sub(first));
            }
        }
    }

    /// The slot of the item of this digit that has this rank.
    #[inline(always)]
    pub fn slot(self, digit: u32, rank: u32) -> u32 {
        self.counts.get(digit) + rank
    }

    /// Where the item in this slot goes, which has this digit.
    #[inline(always)]
    pub fn target(self, digit: u32, slot: u32) -> u32 {
        self.targets.get(digit).wrapping_add(slot)
    }
}
