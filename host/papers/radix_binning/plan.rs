//! How many candidates a batch has, and how much memory its parts take.

use tribin_kernels::binning::{
    BlockTeam, Counter, Figure, MOST_THRESHOLD, SCAN_TILE, TILE, TOTALS, Team, WarpTeam,
};

use super::options::RadixOptions;

/// The sizes of everything that batches of at most `batch` candidates need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RadixPlan {
    /// Candidates of a batch.
    pub batch: u64,
    /// Bytes of device memory for a batch.
    pub bytes: u64,
    /// Levels of binning.
    pub levels: u32,
    /// Keys of both sides.
    pub(super) keys: u64,
    /// Most segments of a level: each has more than the threshold on both sides.
    pub(super) segments: u64,
    /// Most tiles of a level.
    pub(super) tiles: u64,
    /// Most tasks that a level leaves to the blocks of the tail.
    pub(super) tasks: u64,
    /// Most parts of the tasks of the blocks.
    pub(super) parts: u64,
    /// Most tasks that a level leaves to the warps of the tail.
    pub(super) warp_tasks: u64,
    /// Most parts of the tasks of the warps.
    pub(super) warp_parts: u64,
    digit_bits: u32,
    threshold: u32,
}

/// A digit of a key.
pub(super) struct Digit {
    /// Its lowest bit.
    pub shift: u32,
    /// Its bits.
    pub bits: u32,
}

impl RadixPlan {
    /// Every batch has room for this many candidates, or for all that there are.
    pub const LEAST_BATCH: u64 = 256;

    /// The largest batches, for `edges` edges and `candidates` candidates with keys of `key_bits` bits,
    /// that the budget has memory for.
    pub fn new(edges: u64, candidates: u64, key_bits: u32, options: &RadixOptions) -> RadixPlan {
        let of = |batch| RadixPlan::of_batch(edges, batch, key_bits, options);
        // Places are 32-bit numbers.
        let most = candidates.min((u64::from(u32::MAX) - edges).max(Self::LEAST_BATCH));
        let mut fits = candidates.min(Self::LEAST_BATCH);
        let mut too_many = most + 1;
        while too_many - fits > 1 {
            let middle = fits + (too_many - fits) / 2;
            if of(middle).bytes <= options.memory {
                fits = middle;
            } else {
                too_many = middle;
            }
        }
        // Batches of equal size: the last is not a small rest.
        of(candidates.div_ceil(candidates.div_ceil(fits)))
    }

    /// The plan for the smallest batches, which every budget must have memory for.
    pub fn least(edges: u64, key_bits: u32, options: &RadixOptions) -> RadixPlan {
        RadixPlan::of_batch(edges, Self::LEAST_BATCH, key_bits, options)
    }

    fn of_batch(edges: u64, batch: u64, key_bits: u32, options: &RadixOptions) -> RadixPlan {
        let threshold = options.threshold.min(MOST_THRESHOLD);
        let digit_bits = options.digit_bits;
        let levels = key_bits.div_ceil(digit_bits);
        let keys = edges + batch;
        let smaller = edges.min(batch);
        let segments = (smaller / (u64::from(threshold) + 1)).max(1);
        let buckets = segments << digit_bits;
        // Both sides of a block's task have more keys than a warp's table.
        let tasks = (smaller / u64::from(WarpTeam::TABLE_KEYS + 1)).min(buckets).max(1);
        let warp_tasks = smaller.min(buckets).max(1);
        let tables = u64::from(threshold.div_ceil(BlockTeam::TABLE_KEYS)).max(1);
        let mut plan = RadixPlan {
            batch,
            bytes: 0,
            levels,
            keys,
            segments,
            // Each side of each segment has one tile that is not full.
            tiles: keys / u64::from(TILE) + 2 * segments,
            tasks,
            parts: (keys / u64::from(BlockTeam::CHUNK) + tasks) * tables,
            warp_tasks,
            warp_parts: keys / u64::from(WarpTeam::CHUNK) + warp_tasks,
            digit_bits,
            threshold,
        };
        let queues = 2 * segments + tasks + warp_tasks;
        plan.bytes = 2 * 8 * keys
            + 4 * plan.matrix()
            + 8 * plan.scan_tiles()
            + 4 * plan.alive_words()
            + 20 * queues
            + 8 * (Counter::number(levels) + TOTALS + u64::from(levels) * (Figure::COUNT + 1));
        plan
    }

    /// Counts in the matrix of a level.
    pub(super) fn matrix(&self) -> u64 {
        self.tiles << self.digit_bits
    }

    /// Tiles of the scan over it.
    pub(super) fn scan_tiles(&self) -> u64 {
        self.matrix().div_ceil(u64::from(SCAN_TILE))
    }

    /// Buckets of a level.
    pub(super) fn buckets(&self) -> u64 {
        self.segments << self.digit_bits
    }

    /// Words with a bit for each bucket of a level.
    pub(super) fn alive_words(&self) -> u64 {
        self.buckets().div_ceil(32)
    }

    /// The threshold that applies.
    pub(super) fn threshold(&self) -> u32 {
        self.threshold
    }

    /// The digit of `level` in keys of `key_bits` bits: from the top down, the last digit as many bits as are left.
    pub(super) fn digit(&self, level: u32, key_bits: u32) -> Digit {
        let above = level * self.digit_bits;
        let bits = self.digit_bits.min(key_bits - above);
        Digit { shift: key_bits - above - bits, bits }
    }
}
