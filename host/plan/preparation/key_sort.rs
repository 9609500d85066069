//! By how much of a key the edges are sorted.

use super::bins::{SortedGroups, TAILS_MAX_WEDGES_NEAR, fit_bins, fit_quantiles, fit_sorted_bins};
use super::degrees::{MIN_ENTRIES, wedges_an_entry, without_largest};
use super::{Missing, Order, SortPasses};
use crate::facts::EntryFacts;
use crate::graph::rank_bits;
use crate::limits::order_runs::MOST_STEPS;
use crate::reason::{Chosen, Reason, Rules};

/// By how much of a key the edges are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum KeySort {
    /// By both ranks.
    Whole,
    /// By the larger rank, and by those highest bits of the smaller that fit the same passes. What then
    /// stands together is brought into order by comparing each key with all others of its run.
    Tails,
    /// By neither: a pass brings keys whose larger ranks are near each other into a bin, and a block has the shared memory
    /// to bring a bin into order.
    Bins,
    /// By the highest bits of the larger rank. Then the keys of a bin stand together, and there may be any number of bins.
    SortedBins {
        /// The passes of that sort.
        passes: SortPasses,
    },
    /// By quantiles of the larger rank, ranges that are foreseen to have about equally many keys, though rows of low ranks are much
    /// longer than others. Then the keys of a bin stand together.
    Quantiles,
}

/// Most wedges for an entry, by degrees that count duplicates, of a graph that is sorted by tails. A key is
/// compared with less than twice as many on average: a row is no longer than its vertex' degree.
const TAILS_MAX_WEDGES: u128 = 400;

/// Most entries a vertex of such a graph, unless
const TAILS_MAX_ROW: u64 = 20;

/// this many bits of the smaller rank are sorted by, too.
const TAILS_MIN_SPARE_BITS: u32 = 5;

/// Most entries a vertex where those bits are sorted by.
const TAILS_MAX_ROW_SPARE: u64 = 128;

/// Most wedges for an entry where those bits are sorted by, in the order of degrees: most wedges may be those of hubs. (On an H200,
/// ba:100000,100,2 has 621 wedges and takes 0.61 ms, and 0.78 sorted by both ranks. ws:300000,200,500,1 has 399 and 200 entries a vertex, and
/// takes 3.6 and 3.0.)
const TAILS_MAX_WEDGES_SPARE: u128 = 700;

impl KeySort {
    /// The first bit of keys of two ranks that is sorted by.
    pub fn first_bit(self, rank_bits: u32) -> u32 {
        match self {
            // Keys of which a bin is too large are sorted by all bits.
            KeySort::Whole | KeySort::Bins => 0,
            // Passes take eight bits.
            KeySort::Tails => (2 * rank_bits).saturating_sub(rank_bits.next_multiple_of(8)),
            KeySort::SortedBins { passes } => rank_bits + rank_bits.saturating_sub(passes.bits()),
            // They stand above the ranks.
            KeySort::Quantiles => 2 * rank_bits,
        }
    }

    /// The passes of the sort from that bit on.
    pub fn passes(self, rank_bits: u32) -> SortPasses {
        match self {
            KeySort::SortedBins { passes } => passes,
            KeySort::Whole | KeySort::Tails | KeySort::Bins | KeySort::Quantiles => {
                SortPasses::of_bits(2 * rank_bits - self.first_bit(rank_bits))
            }
        }
    }

    /// Bits of a rank in the keys of this many entries between `vertices` vertices.
    ///
    /// # Panics
    /// Where bins have no room for groups of these vertices.
    pub fn rank_bits(self, entries: u64, vertices: u64) -> u32 {
        match self {
            KeySort::Whole | KeySort::Tails | KeySort::Bins | KeySort::Quantiles => {
                rank_bits(vertices)
            }
            KeySort::SortedBins { passes } => {
                let groups = SortedGroups::of(entries, vertices, passes);
                groups.expect("bins have room for groups").rank_bits
            }
        }
    }
}

/// How the edges of a whole graph come into rows, where they do not stay as they are.
///
/// # Errors
/// A fact that is missing.
pub fn key_sort(facts: &EntryFacts, order: Order) -> Result<Chosen<KeySort>, Missing> {
    let mut rules = Rules::new();
    let bins = fit_bins(facts, order)?;
    if Reason::all_hold(&bins) {
        return Ok(rules.otherwise("bins of rows", KeySort::Bins, 0, bins));
    }
    rules.reject("bins of rows", bins);
    let (passes, sorted_bins) = fit_sorted_bins(facts, order)?;
    let fit_sorted = Reason::all_hold(&sorted_bins);
    let sort = KeySort::SortedBins { passes };
    if fit_sorted && passes.bits() <= SortPasses::narrow(2).bits() {
        return Ok(rules.otherwise(SORTED_BINS, sort, 0, sorted_bins));
    }
    let quantiles = fit_quantiles(facts, order, fit_sorted)?;
    if Reason::all_hold(&quantiles) {
        return Ok(rules.otherwise(QUANTILES, KeySort::Quantiles, 0, quantiles));
    }
    if fit_sorted {
        rules.reject(QUANTILES, quantiles);
        return Ok(rules.otherwise(SORTED_BINS, sort, 0, sorted_bins));
    }
    rules.reject(SORTED_BINS, sorted_bins);
    rules.reject(QUANTILES, quantiles);
    without_bins(rules, facts, order)
}

/// The name of [`KeySort::Tails`].
const BY_TAILS: &str = "sort by the larger rank";

/// The name of [`KeySort::Quantiles`].
const QUANTILES: &str = "bins of rows, after a sort by quantiles of the larger rank";

/// The name of [`KeySort::SortedBins`].
const SORTED_BINS: &str = "bins of rows, after a sort by the highest bits of the larger rank";

/// By how much of a key the edges are sorted, where no bins are made.
///
/// # Errors
/// A fact that is missing.
pub fn sort_by_passes(facts: &EntryFacts, order: Order) -> Result<Chosen<KeySort>, Missing> {
    without_bins(Rules::new(), facts, order)
}

/// The sort by both ranks, where these reasons speak against that by the larger alone.
fn whole(mut rules: Rules<KeySort>, because: Vec<Reason>) -> Result<Chosen<KeySort>, Missing> {
    rules.reject(BY_TAILS, because);
    Ok(rules.otherwise("sort by both ranks", KeySort::Whole, 0, Vec::new()))
}

fn without_bins(
    rules: Rules<KeySort>,
    facts: &EntryFacts,
    order: Order,
) -> Result<Chosen<KeySort>, Missing> {
    let (entries, vertices) = (facts.entries, facts.vertices);
    let bits = rank_bits(vertices);
    let spare = bits.next_multiple_of(8) - bits;
    let large = Reason::whole_at_least(entries, "entries", MIN_ENTRIES);
    let entries_a_vertex = |most: u64| Reason::at_most(entries, vertices, "entries a vertex", most);
    let short_rows = entries_a_vertex(TAILS_MAX_ROW);
    let spare_bits = Reason::whole_at_least(
        spare.into(),
        "spare bits of the sort for the smaller rank",
        TAILS_MIN_SPARE_BITS.into(),
    );
    let has_spare = spare_bits.holds;
    let short = match short_rows.holds {
        true => vec![short_rows],
        false => vec![entries_a_vertex(TAILS_MAX_ROW_SPARE), spare_bits],
    };
    let short = [vec![large], short].concat();
    if !Reason::all_hold(&short) {
        return whole(rules, short);
    }
    let summary = facts.summary.ok_or(Missing::Summary)?;
    let most = match order {
        Order::MinHash | Order::HubsFirst { .. } => TAILS_MAX_WEDGES_NEAR,
        Order::Degrees if has_spare => TAILS_MAX_WEDGES_SPARE,
        Order::AsTheyAre | Order::Ids | Order::Degrees => TAILS_MAX_WEDGES,
    };
    let few = wedges_an_entry(&without_largest(&summary, order), most);
    if !few.holds {
        return whole(rules, vec![few]);
    }
    // Self-loops are one run, and one that is too long is found after the sort.
    let self_loops = facts.self_loops.ok_or(Missing::SelfLoops)?;
    let loops = Reason::whole_at_most(self_loops, "self-loops", MOST_STEPS.into());
    if !loops.holds {
        return whole(rules, vec![loops]);
    }
    let because = [short, vec![few, loops]].concat();
    Ok(rules.otherwise(BY_TAILS, KeySort::Tails, 0, because))
}
