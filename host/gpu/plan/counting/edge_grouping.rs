//! How edges are brought into groups by their heads.
//!
//! An edge's slot is taken by an addition to its head's cursor. At random, that is an addition in the cache and a write of 8 bytes for
//! each edge. So edges are first brought into bins of neighbouring groups. docs/measured.md has the times.

use tribin_kernels::edge_groups::{MOST_BINS, bins_for, bins_len};

/// Bins of neighbouring groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupBins {
    /// A bin ends after 2^`slots_log2` slots, and the heads with groups there.
    pub slots_log2: u32,
    /// How many there may be.
    pub count: u32,
}

/// Bins that the slots are divided into, without those that begin since a bin has all the heads that it may.
const BINS_OF_SLOTS: u64 = 1_024;

impl GroupBins {
    /// The bins through which edges come into `slots` slots, which the groups of `heads` heads have. O(1).
    pub fn of(slots: u64, heads: u64) -> GroupBins {
        let slots_log2 = slots.div_ceil(BINS_OF_SLOTS).next_power_of_two().ilog2();
        GroupBins::with_slots_log2(slots, heads, slots_log2)
    }

    /// Bins of 2^`slots_log2` slots each.
    pub fn with_slots_log2(slots: u64, heads: u64, slots_log2: u32) -> GroupBins {
        let count = bins_for(slots, heads, slots_log2).clamp(1, MOST_BINS.into()) as u32;
        GroupBins { slots_log2, count }
    }

    /// The most bytes of device memory that the bins of at most `slots` slots and `heads` heads take beside the groups.
    pub(super) fn most_bytes(slots: u64, heads: u64) -> u64 {
        let most = GroupBins::with_slots_log2(slots.min(BINS_OF_SLOTS), heads, 0);
        8 * (slots + heads.div_ceil(32)) + 4 * bins_len(most.count)
    }
}
