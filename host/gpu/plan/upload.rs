//! How a graph's entries go from host memory to a GPU.
//!
//! The link carries 55 GB/s (NVIDIA H200), and most of what it carries of a 32-bit id is zeros. So the entries go there with as
//! many bits an id as the largest has, where that saves enough, and a kernel makes words of them again.

use crate::graph::rank_bits;
use tribin_kernels::narrow_entries::{GROUP, LEAST_BITS, group_words};
use warpwise_device::launch::Pieces;

/// Places for narrow entries in device memory: some are filled while others are read.
pub const PLACES: u64 = 4;

/// Groups that a thread writes at a time: 256 KiB of entries, which its cache holds.
pub const GROUPS_AT_ONCE: u64 = 32;

/// Most bytes of narrow entries at a time: long against what it takes to ask for a copy and two kernels.
const MOST_AT_ONCE: u64 = Pieces::MOST;

/// Fewest bytes at a time.
const LEAST_AT_ONCE: u64 = 1 << 20;

/// Pieces that a small graph is cut into, so that its last piece, which nothing is done beside, is short.
const FEWEST_PIECES: u64 = 8;

/// Entries below which they are copied as they are: the driver has copied them before threads are awake.
const FEWEST: u64 = 1 << 19;

/// Bits of an id are a multiple of this many. Two ids of such a width are whole bytes, which threads narrow in less time than the
/// link then takes for the bits that fewer would save.
const STEP: u32 = 4;

/// Most bits of an id with which so much less goes over the link that it is worth widening.
const MOST_BITS: u32 = 28;

/// Most entries at a time of those that are copied as they are.
pub const COPIED_AT_ONCE: u64 = 4 << 20;

/// The form in which entries go to a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryUpload {
    /// Entries go to the GPU as they are.
    Whole {
        /// Entries at a time.
        at_once: u64,
    },
    /// Entries go to the GPU with fewer bits an id.
    Narrow {
        /// Bits of an id.
        bits: u32,
        /// Groups of entries at a time: a multiple of those that a thread writes.
        groups: u64,
    },
}

/// The way of `entries` entries with ids below `bound`. O(1).
pub fn way(entries: u64, bound: u64) -> EntryUpload {
    let bits = rank_bits(bound).max(LEAST_BITS).next_multiple_of(STEP);
    if entries < FEWEST || bits > MOST_BITS {
        return EntryUpload::Whole { at_once: COPIED_AT_ONCE };
    }
    let bytes = entries.div_ceil(GROUP) * group_bytes(bits);
    let at_once = (bytes / FEWEST_PIECES).clamp(LEAST_AT_ONCE, MOST_AT_ONCE);
    let groups = at_once / group_bytes(bits);
    EntryUpload::Narrow { bits, groups: groups - groups % GROUPS_AT_ONCE }
}

/// Bytes of a group of entries with ids of `bits` bits.
pub const fn group_bytes(bits: u32) -> u64 {
    4 * group_words(bits)
}

/// Bytes of device memory that the upload of `entries` entries takes beside them, at most.
pub const fn bytes_beside(entries: u64) -> u64 {
    let most = PLACES * MOST_AT_ONCE;
    let all = 8 * entries;
    if entries < FEWEST {
        0
    } else if all < most {
        all
    } else {
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_narrow_where_there_are_enough_and_ids_are_small() {
        let whole = EntryUpload::Whole { at_once: COPIED_AT_ONCE };
        let narrow = |bits, groups| EntryUpload::Narrow { bits, groups };
        for (entries, bound, expected) in [
            (0, 0, whole),
            (FEWEST - 1, 1 << 16, whole),
            // An eighth of 2 MiB is less than the fewest bytes: 4,096 bytes a group.
            (FEWEST, 1 << 16, narrow(16, 256)),
            (FEWEST, 2, narrow(16, 256)),
            (FEWEST, (1 << 16) + 1, narrow(20, 192)),
            (1 << 24, 1 << 20, narrow(20, 1_632)),
            (1 << 24, (1 << 20) + 1, narrow(24, 1_344)),
            (1 << 26, 1 << 24, narrow(24, 1_344)),
            (1 << 31, 1 << 28, narrow(28, 1_152)),
            (1 << 31, (1 << 28) + 1, whole),
            (u32::MAX.into(), 1 << 32, whole),
        ] {
            assert_eq!(way(entries, bound), expected, "{entries} {bound}");
        }
    }

    /// What is allocated beside the entries is no more than was predicted.
    #[test]
    fn places_take_no_more_than_predicted() {
        for entries in [FEWEST, FEWEST + 1, 1 << 20, 3_000_001, 1 << 26, u32::MAX.into()] {
            for bits in (LEAST_BITS..=MOST_BITS).step_by(STEP as usize) {
                let EntryUpload::Narrow { groups, .. } = way(entries, 1 << bits) else {
                    panic!("{entries} entries with {bits} bits go as they are");
                };
                let taken = PLACES * groups.min(entries.div_ceil(GROUP)) * group_bytes(bits);
                assert!(taken <= bytes_beside(entries), "{entries} {bits}");
            }
        }
        assert_eq!(bytes_beside(FEWEST - 1), 0);
    }
}
