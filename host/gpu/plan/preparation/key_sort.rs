//! By how much of a key the edges are sorted.

use super::bins::{SortedGroups, fit_bins, fit_sorted_bins};
use super::{Order, SortPasses};
use crate::graph::rank_bits;
use crate::plan::facts::EntryFacts;
use tribin_plan::reason::{Chosen, Rules};

/// The part of a key by which the edges are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySort {
    /// Edges are sorted by both ranks.
    Whole,
    /// Edges are sorted by neither rank: a pass brings keys whose larger ranks are near each other into a bin, and a block has the shared
    /// memory to bring a bin into order.
    Bins,
    /// Edges are sorted by the highest bits of the larger rank. Then the keys of a bin stand together, and there may be any number of bins.
    SortedBins {
        /// The passes of that sort.
        passes: SortPasses,
    },
}

impl KeySort {
    /// Bits of a rank in the keys of this many entries between `vertices` vertices.
    ///
    /// # Panics
    /// Where bins have no room for groups of these vertices.
    pub fn rank_bits(self, entries: u64, vertices: u64) -> u32 {
        match self {
            KeySort::Whole | KeySort::Bins => rank_bits(vertices),
            KeySort::SortedBins { passes } => {
                let groups = SortedGroups::of(entries, vertices, passes);
                groups.expect("bins have room for groups").rank_bits
            }
        }
    }
}

/// Chooses how the edges of a whole graph come into rows, where they do not stay as they are.
pub fn key_sort(facts: &EntryFacts, order: Order) -> Chosen<KeySort> {
    let (passes, sorted_bins) = fit_sorted_bins(facts, order);
    Rules::unbounded()
        .rule("bins of rows", KeySort::Bins, 0, fit_bins(facts, order))
        .rule(SORTED_BINS, KeySort::SortedBins { passes }, 0, sorted_bins)
        .or("sort by both ranks", KeySort::Whole)
}

/// The name of [`KeySort::SortedBins`].
const SORTED_BINS: &str = "bins of rows, after a sort by the highest bits of the larger rank";
