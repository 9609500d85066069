//! Rows from keys in any order. One pass brings the keys into bins of neighbouring rows. Then a block brings each bin
//! into order in its shared memory, drops what repeats, and writes its rows.
//!
//! This follows Stehle and Jacobsen, "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs" (SIGMOD 2017): the most
//! significant digits first, then local sorts.
//!
//! Where rows are short, this reads and writes the keys three times, and not once for each digit.
//!
//! | term | meaning |
//! | --- | --- |
//! | group | the 2^`shift` ranks with the same high bits |
//! | bin | neighbouring groups that have at most [`capacity`] keys and [`MOST_RANKS`] ranks together |
//! | slot | the keys of a bin whose row and highest bits of the smaller rank are the same |
//!
//! | launch | does |
//! | --- | --- |
//! | [`orient_to_groups`] | keys from edges, and how many each group has |
//! | [`bins_of_groups`] | which groups make a bin |
//! | [`split_keys`] | the keys of each bin side by side, in any order |
//! | [`rows_of_bins`] | a block a bin: rows |
//! | [`close_gaps`] | where keys repeat: the rows without those that do |
//!
//! With more keys than a pass brings into that many bins, the keys are sorted by their groups first, and these launches take the place of
//! the first three:
//!
//! | launch | does |
//! | --- | --- |
//! | [`starts_of_groups`] | where the keys of each group begin |
//! | [`bins_of_starts`] | which groups make a bin |
//!
//! A group that is too large for a bin, or more than [`MOST_BINS`] bins, is found by [`bins_of_groups`], and a slot of more
//! than [`MOST_OF_SLOT`] keys by [`rows_of_bins`]. Then [`split_keys`] still writes every key once, [`rows_of_bins`] says
//! [`TOO_LARGE`], and the keys are to be sorted in another way.

mod bins;
mod gaps;
mod groups;
mod rows;
mod sorted;
mod split;

pub use bins::{BINS_BLOCK, BINS_SHARED_BYTES, bins_of_groups};
pub use gaps::{GAPS_BLOCK, GAPS_SHARED_BYTES, close_gaps};
pub use groups::{GROUPS_BLOCK, groups_shared_bytes, orient_to_groups};
pub use rows::*;
pub use sorted::{SORTED_BLOCK, bins_of_starts, starts_of_groups};
pub use split::{SPLIT_BLOCK, SPLIT_SHARED_BYTES, SPLIT_TILE, split_keys};

/// Bytes of shared memory of a block, at most.
pub const MOST_SHARED_BYTES: u32 = {
    let (split, groups) = (SPLIT_SHARED_BYTES, groups_shared_bytes(MOST_GROUPS));
    let most = if split > groups { split } else { groups };
    if ROWS_SHARED_BYTES > most { ROWS_SHARED_BYTES } else { most }
};

/// Most keys of a bin. A block holds each of them, less the first key of its bin, as a value of `bits` bits. Two blocks fit the
/// shared memory of a multiprocessor of an H200.
pub const fn capacity(bits: u32) -> u32 {
    if bits == u32::BITS { 15_872 } else { 9_664 }
}

/// Bits of a bin's number.
const BIN_BITS: u32 = 13;

/// Most bins. The number after the last bin's is that of the self-loops.
pub const MOST_BINS: u32 = (1 << BIN_BITS) - 1;

/// Places for the next key of each bin, and of the self-loops.
pub const NEXT: u64 = MOST_BINS as u64 + 1;

/// Most groups: what a block has shared memory to count.
pub const MOST_GROUPS: u32 = 16_384;

/// Most ranks of a bin, and its slots.
pub const MOST_RANKS: u32 = 8_192;

/// Most bits of a rank: a key has room for the number of its bin above its ranks.
pub const MOST_RANK_BITS: u32 = (u64::BITS - BIN_BITS) / 2;

/// The same of keys that are sorted by their groups.
pub const MOST_RANK_BITS_SORTED: u32 = 31;

/// Most keys of a slot, each of which is compared with all others.
pub const MOST_OF_SLOT: u32 = 512;

/// Set in the number of edges: some bin or slot would be too large.
pub const TOO_LARGE: u64 = 1 << 63;

/// The word of `found` with the number of bins.
const BINS: u64 = 0;

/// The word of `found` that is not 0 if some bin would be too large.
const OVER: u64 = 1;

/// Words of `found`.
pub const FOUND: u64 = 2;
