use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

use super::{BLOCK, cursor_at, cursors_len};

/// Heads of a bin, at most, as a power of two.
pub const BIN_HEADS_LOG2: u32 = 12;

/// Most bins.
pub const MOST_BINS: u32 = 4_096;

/// What stands for no bin.
pub(super) const NO_BIN: u32 = u32::MAX;

/// Words of 32 heads.
const WORDS_LOG2: u32 = BIN_HEADS_LOG2 - 5;

/// Words of the table that says where bins are.
pub const fn bins_len(bins: u32) -> u64 {
    4 * bins as u64
}

/// How many bins `slots` slots and `heads` heads have. A bin begins every 2^`slots_log2` slots and every 2^[`BIN_HEADS_LOG2`] heads.
pub const fn bins_for(slots: u64, heads: u64, slots_log2: u32) -> u64 {
    slots.div_ceil(1 << slots_log2) + heads.div_ceil(1 << BIN_HEADS_LOG2)
}

/// The heads of a bin, up to its last.
#[derive(Clone, Copy)]
pub(super) struct BinHeads {
    pub first: u32,
    pub count: u32,
}

/// A table of `count` bins, of which all words are zero before [`bins_of_heads`].
#[derive(Clone, Copy)]
pub(super) struct Bins<T> {
    pub table: T,
    pub count: u32,
}

impl<T> Bins<T> {
    const fn at(&self, field: u64, bin: u32) -> u64 {
        field * self.count as u64 + bin as u64
    }

    /// Where a bin has the complement of its first slot.
    const fn first_slot(&self, bin: u32) -> u64 {
        self.at(0, bin)
    }

    /// Where it has the complement of the number of its first 32 heads.
    const fn first_word(&self, bin: u32) -> u64 {
        self.at(1, bin)
    }

    /// Where it has the number of the 32 heads behind its last.
    const fn end_word(&self, bin: u32) -> u64 {
        self.at(2, bin)
    }

    /// Where it has how many edges were written to it.
    const fn written(&self, bin: u32) -> u64 {
        self.at(3, bin)
    }
}

impl Bins<In<u32>> {
    /// Edges that were written to a bin.
    #[inline(always)]
    pub fn edges(&self, bin: u32) -> u32 {
        self.table.get(self.written(bin))
    }

    /// The slot where a bin begins.
    #[inline(always)]
    pub fn start(&self, bin: u32) -> u32 {
        !self.table.get(self.first_slot(bin))
    }

    /// The heads of a bin.
    #[inline(always)]
    pub fn heads(&self, bin: u32) -> BinHeads {
        let first = !self.table.get(self.first_word(bin));
        BinHeads { first: 32 * first, count: 32 * (self.table.get(self.end_word(bin)) - first) }
    }
}

impl Bins<InOut<u32>> {
    /// Takes places for `edges` edges of a bin.
    #[inline(always)]
    pub fn take(&self, bin: u32, edges: u32) -> u32 {
        let before = self.table.atomic_add(self.written(bin), edges);
        (!self.table.get(self.first_slot(bin))).wrapping_add(before)
    }
}

kernel!(
    /// Says which bin groups are in. A word of `heads_in_bins` is for 32 heads. Its low half says which of them have a group, and its
    /// high half has the number of their bin. `bins` says where each of the `count` bins is; it is zero before.
    ///
    /// Groups are in bins in the order of their slots. Where more than `count` bins begin, the heads behind are in none.
    ///
    /// `grouping` and `cursors` are those of `head_groups` for `heads` heads.
    #[requires(
        grouping.len() >= u64::from(heads).div_ceil(32), cursors.len() >= cursors_len(u64::from(heads)),
        heads_in_bins.len() >= u64::from(heads).div_ceil(32), slots_log2 < 32, bins.len() >= bins_len(count),
    )]
    pub unsafe fn bins_of_heads(
        grouping: In<u32>,
        cursors: In<u32>,
        heads_in_bins: InOut<u64>,
        bins: InOut<u32>,
        heads: u32,
        slots_log2: u32,
        count: u32,
    ) {
        let bins = Bins { table: bins, count };
        let word = thread::block_idx_x() * BLOCK + thread::thread_idx_x();
        if word < heads.div_ceil(32) {
            let with_group = grouping.get(u64::from(word));
            let mut bin = NO_BIN;
            if with_group != 0 {
                let first = cursors.get(cursor_at(32 * word + with_group.trailing_zeros()));
                // Below 2^32: there are fewer than 2^27 words, and as slots are a bin's more than one.
                let number = u64::from(first >> slots_log2) + u64::from(word >> WORDS_LOG2);
                if number < u64::from(count) {
                    bin = number as u32;
                    bins.table.atomic_max(bins.first_slot(bin), !first);
                    bins.table.atomic_max(bins.first_word(bin), !word);
                    bins.table.atomic_max(bins.end_word(bin), word + 1);
                }
            }
            heads_in_bins.set(u64::from(word), u64::from(bin) << 32 | u64::from(with_group));
        }
    }
);
