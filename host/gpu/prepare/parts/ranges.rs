//! Ranges of ranks that have about as many keys as each other.

use std::ops::Range;

use tribin_kernels::row_bins::{MOST_GROUPS, groups_shared_bytes};

use crate::plan::preparation::GroupsOfRanks;

/// Groups of 2^`shift` neighbouring ranks, whose keys are counted. Ranges are cut where groups begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RankGroups {
    /// How many.
    pub groups: u32,
    /// Bits of a rank within its group.
    pub shift: u32,
}

impl RankGroups {
    /// The groups of ranks of `rank_bits` bits: as many as a block can count in `most_shared_bytes` of shared memory.
    pub fn of(rank_bits: u32, most_shared_bytes: u32) -> RankGroups {
        let fits = |groups: &u32| groups_shared_bytes(*groups) <= most_shared_bytes;
        let most = std::iter::successors(Some(MOST_GROUPS), |groups| Some(groups / 2));
        let most = most.take_while(|&groups| groups > 1).find(fits).unwrap_or(1);
        let shift = rank_bits.saturating_sub(most.ilog2());
        RankGroups { groups: 1 << (rank_bits - shift), shift }
    }
}

/// The ranks and the keys of each part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RankRanges {
    of: RankGroups,
    ranks: u64,
    /// The first group of each part, and one past the last.
    cuts: Vec<usize>,
}

impl RankRanges {
    /// Cuts `ranks` ranks into `parts` ranges, where groups have these numbers of keys: as near as whole groups come to the
    /// same number for all. O(groups).
    pub fn cut(of: RankGroups, counts: &[u64], ranks: u64, parts: usize) -> RankRanges {
        let all: u128 = counts.iter().map(|&count| u128::from(count)).sum();
        let (mut cuts, mut group, mut before) = (vec![0], 0, 0u128);
        for part in 1..parts {
            let wanted = all * part as u128 / parts as u128;
            // A group goes where more of it belongs.
            while group < counts.len() && before + u128::from(counts[group]).div_ceil(2) <= wanted {
                before += u128::from(counts[group]);
                group += 1;
            }
            cuts.push(group);
        }
        cuts.push(counts.len());
        RankRanges { of, ranks, cuts }
    }

    fn groups(&self, part: usize) -> Range<usize> {
        self.cuts[part]..self.cuts[part + 1]
    }

    /// The number of keys of a part, among those that are counted.
    pub fn keys(&self, part: usize, counts: &[u64]) -> u64 {
        counts[self.groups(part)].iter().sum()
    }

    /// The first rank of each part, and one past the last part's.
    pub fn starts(&self) -> Vec<u64> {
        let start = |&group: &usize| ((group as u64) << self.of.shift).min(self.ranks);
        let mut starts: Vec<u64> = self.cuts.iter().map(start).collect();
        // Groups may be those of more ranks than there are.
        starts[self.cuts.len() - 1] = self.ranks;
        starts
    }

    /// The keys of a part in each of other groups, which are as large as these or larger.
    pub fn in_groups(&self, part: usize, counts: &[u64], of: GroupsOfRanks) -> Vec<u32> {
        let mut in_groups = vec![0; of.groups as usize];
        let shift = of.shift.checked_sub(self.of.shift).expect("groups of groups");
        for group in self.groups(part) {
            // A part has fewer than 2³² keys.
            in_groups[group >> shift] += counts[group] as u32;
        }
        in_groups
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn groups_are_as_many_as_a_block_counts() {
        let of = |rank_bits, bytes| {
            let RankGroups { groups, shift } = RankGroups::of(rank_bits, bytes);
            (groups, shift)
        };
        assert_eq!(of(26, 228 << 10), (16_384, 12));
        assert_eq!(of(26, 48 << 10), (8_192, 13));
        assert_eq!(of(26, 0), (1, 26));
        assert_eq!(of(3, 48 << 10), (8, 0));
        assert_eq!(of(1, 48 << 10), (2, 0));
    }

    #[test]
    fn parts_have_as_many_keys_as_whole_groups_allow() {
        let of = RankGroups { groups: 8, shift: 2 };
        for (counts, parts, starts) in [
            ([5, 5, 5, 5, 5, 5, 5, 5], 2, vec![0, 16, 30]),
            ([5, 5, 5, 5, 5, 5, 5, 5], 3, vec![0, 12, 20, 30]),
            // One group has nearly all.
            ([1, 0, 90, 0, 0, 2, 0, 1], 3, vec![0, 8, 12, 30]),
            ([0; 8], 2, vec![0, 32, 30]),
        ] {
            let ranges = RankRanges::cut(of, &counts, 30, parts);
            let mut starts = starts;
            starts.iter_mut().for_each(|start| *start = (*start).min(30));
            assert_eq!(ranges.starts(), starts, "{counts:?} in {parts}");
        }
    }

    proptest! {
        #[test]
        fn every_key_is_of_one_part(
            counts in prop::collection::vec(0u64..50, 16),
            ranks in 1u64..=64,
            parts in 1usize..9,
        ) {
            let of = RankGroups { groups: 16, shift: 2 };
            let ranges = RankRanges::cut(of, &counts, ranks, parts);
            let starts = ranges.starts();
            prop_assert_eq!((starts.len(), starts[0], starts[parts]), (parts + 1, 0, ranks));
            prop_assert!(starts.is_sorted());
            let keys: Vec<u64> = (0..parts).map(|part| ranges.keys(part, &counts)).collect();
            prop_assert_eq!(keys.iter().sum::<u64>(), counts.iter().sum::<u64>());
            let largest = counts.iter().max().copied().unwrap_or(0);
            let mean = counts.iter().sum::<u64>() / parts as u64;
            prop_assert!(keys.iter().all(|&keys| keys <= mean + largest + 1));
            let larger = GroupsOfRanks { groups: 4, shift: 4, value_bits: 64, window: 1 };
            for (part, &keys) in keys.iter().enumerate() {
                let in_groups = ranges.in_groups(part, &counts, larger);
                prop_assert_eq!(in_groups.iter().map(|&n| u64::from(n)).sum::<u64>(), keys);
            }
        }
    }
}
