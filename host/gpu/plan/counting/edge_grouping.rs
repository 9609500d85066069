//! How edges are brought into groups by their heads.
//!
//! An edge's slot is taken by an addition to its head's cursor. At random, that is an addition in the cache and a write of 8 bytes for
//! each edge. So where there are many edges, they are first brought into bins of neighbouring groups. docs/measured.md has the times.

use super::RowBits;
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
    /// Bins of 2^`slots_log2` slots each for `slots` slots, which the groups of `heads` heads have.
    pub fn with_slots_log2(slots: u64, heads: u64, slots_log2: u32) -> GroupBins {
        let count = bins_for(slots, heads, slots_log2).clamp(1, MOST_BINS.into()) as u32;
        GroupBins { slots_log2, count }
    }

    /// Bytes of device memory that the bins take beside the groups.
    pub fn bytes(self, facts: &GroupingFacts) -> u64 {
        8 * facts.slots + 4 * facts.heads.div_ceil(32) + 4 * bins_len(self.count)
    }
}

/// The facts by which the way to the groups is chosen.
#[derive(Debug, Clone, Copy)]
pub struct GroupingFacts {
    /// Edges to be brought into groups and the list.
    pub edges: u64,
    /// Slots of the groups.
    pub slots: u64,
    /// Heads up to the last that has a group.
    pub heads: u64,
}

/// The bins through which edges come into groups, where `free` bytes of device memory are left beside these; `None` where each edge comes
/// by itself. O(1).
pub fn group_bins(facts: &GroupingFacts, settings: &RowBits, free: u64) -> Option<GroupBins> {
    let slots_log2 = facts.slots.div_ceil(BINS_OF_SLOTS).max(1).next_power_of_two().ilog2();
    let bins = GroupBins::with_slots_log2(facts.slots, facts.heads, slots_log2);
    let pay = facts.edges >= settings.bins_min_edges.into() && bins.bytes(facts) <= free;
    pay.then_some(bins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_edges_come_through_bins_where_these_fit() {
        let settings = RowBits::MEASURED;
        let by = |edges, free| {
            group_bins(&GroupingFacts { edges, slots: edges, heads: edges / 64 }, &settings, free)
        };
        assert_eq!(by(1_000, u64::MAX), None);
        let bins = by(1 << 26, u64::MAX);
        assert!(bins.is_some_and(|bins| bins.slots_log2 == 16));
        assert_eq!(by(1 << 26, 8 << 26), None);
    }
}
