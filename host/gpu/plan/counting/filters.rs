//! Whether filters of the rows tell most wedges that do not close.

use super::{InPlace, switched_off};
use crate::plan::facts::{CountingFacts, WedgeSample};
use crate::plan::method_time::Rates;
use tribin_kernels::narrow_bloom_filters::{BITS_LOG2, most_exact, words};
use tribin_kernels::wedge_sample::FIRST_RANKS;
use tribin_plan::reason::{Bound, Reason, ReasonFigure};

/// Bytes that filters of few bits take at most if they have more than the least bits: what stays in the L2 cache beside
/// the edges that go by.
const MOST_BYTES: u64 = 32 << 20;

/// Filters of two to sixteen bytes a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NarrowBloomFilters {
    /// The bits of a row, as a power of two, from [`BITS_LOG2`].
    pub bits_log2: u32,
    /// Ranks, from the first on, that have a bit of their own: fewer than there are bits.
    pub exact: u32,
}

impl NarrowBloomFilters {
    /// The filters that take most memory.
    pub const LARGEST: NarrowBloomFilters = NarrowBloomFilters { bits_log2: BITS_LOG2.1, exact: 0 };

    pub(super) const RATES: Rates = Rates { build: 3.0e-12, count: 5.0e-12 };

    /// Filters for `ranks` rows where an edge's row has `row` entries in the mean, without those of the `exact` first
    /// ranks.
    ///
    /// | where | bits |
    /// | --- | --- |
    /// | rows have more than eight entries | 128 |
    /// | those of 64 stay in the L2 cache | 64 |
    /// | otherwise | eight for an entry, a power of two from 16 to 64 |
    pub fn for_rows(row: u64, ranks: u64, exact: u32) -> NarrowBloomFilters {
        let in_cache = NarrowBloomFilters { bits_log2: 6, exact };
        let bits_log2 = if row > 8 {
            7
        } else if in_cache.bytes(ranks) <= MOST_BYTES {
            6
        } else {
            let (least, _) = BITS_LOG2;
            let least = if exact > most_exact(least) { least + 1 } else { least };
            (row * 8).max(1).ilog2().clamp(least, in_cache.bits_log2)
        };
        NarrowBloomFilters { bits_log2, exact }
    }

    /// Words of 32 bits that the filters of this many ranks take: whole groups of four.
    pub fn words(&self, ranks: u64) -> u64 {
        words(ranks, self.bits_log2).next_multiple_of(4)
    }

    /// Bytes of device memory beside a graph with this many ranks.
    pub fn bytes(&self, ranks: u64) -> u64 {
        4 * self.words(ranks)
    }
}

/// The settings by which filters are chosen: they tell most wedges that do not close.
///
/// The figures are the fastest of a sweep, `cargo bench --bench gpu -- hybrid`, over the graphs that are named. Where two graphs
/// disagree, the one that loses less decides. A `permille` is in thousandths: 250 is a quarter.
///
/// | cut-off | measured by |
/// | --- | --- |
/// | `min_edges` 10 M | with few bits a row, making included, and merged: er:3000000,5000000,7 (0.09 ms, 0.08), grid (8.9 M edges: 0.20, 0.17), er:2000000,8000000,1 (0.17, 0.17), ba:3000000,4,3 (12 M: 0.17, 0.24); with a bit for the first rank, hub:1000000,5000000,2 (6 M: 0.13, 0.15), hub:2000000,6000000,3 (8 M: 0.13, 0.19); paths with chords on an H100 (66 M edges, 60 M ranks, 0.4 wedges a rank: 1.81, 1.54) |
/// | `max_permille` 300 | with few bits a row and merged: grid:4096,2 (120: 0.57 ms, 0.89), ws:4000000,8,50,3 (3,000: 0.95, 0.37), hub:4000000,20000000,1 (830, of which none without the first rank: 0.33, 0.68) |
/// | `max_wedges` 12 | with few bits a row, making included, and the better of merge and search: er:3000000,30000000,3 (6.7: 0.76 ms, 1.05), ba:1000000,16,2 (7.6: 0.43, 0.64), er:1000000,16000000,2 (10.7: 0.55, 0.62), er:4194304,67108864,1 (10.7: 2.80, 3.38), ba:600000,24,6 (11.6: 0.57, 0.68), sorted:kron:21,8,480,210,210,6 (13.2: 1.68, 1.03), kron:22,6,500,200,200,3 (13.2: 3.10, 1.64), er:1000000,23000000,1 (15.3: 1.15, 1.05) |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilterSettings {
    /// Filters are used for graphs with at least this many edges, as a smaller one is in the caches. Half as many
    /// are enough where first ranks have a bit of their own.
    pub min_edges: u32,
    /// Filters are used if 1,000 edges of the sample have at most this many triangles whose third vertex has no bit
    /// of its own.
    pub max_permille: u32,
    /// Filters are used up to this many wedges for each edge. Where first ranks have a bit of their own, the wedges at
    /// these are left out.
    pub max_wedges: u32,
}

impl FilterSettings {
    /// The settings that graphs are counted by.
    pub const MEASURED: FilterSettings =
        FilterSettings { min_edges: 10_000_000, max_permille: 300, max_wedges: 12 };
}

/// Filters of few bits a row, for rows without the first ranks that have a bit of their own.
pub(super) fn narrow_filters(
    CountingFacts { sample, ranks, settings, .. }: &CountingFacts,
) -> InPlace {
    let exact = settings.filters.map_or(0, |settings| exact_ranks_of_few_bits(sample, &settings));
    let wedges = sample.wedges_without_first(exact);
    let row = WedgeSample { wedges, ..*sample }.row_of_edges();
    InPlace::NarrowBloomFilters(NarrowBloomFilters::for_rows(row, *ranks, exact))
}

/// How many of the first ranks have a bit of their own in filters of few bits a row: as few as leave few wedges, too.
pub(super) fn exact_ranks_of_few_bits(sample: &WedgeSample, settings: &FilterSettings) -> u32 {
    if has_few_triangles(sample, settings, 0).holds {
        return 0;
    }
    let few_are_left = |exact: &u32| {
        has_few_wedges(sample, settings, *exact).holds
            && has_few_triangles(sample, settings, *exact).holds
    };
    FIRST_RANKS.into_iter().find(few_are_left).unwrap_or(0)
}

/// Rows are so short that a few bits tell their entries apart.
fn has_few_wedges(sample: &WedgeSample, settings: &FilterSettings, exact: u32) -> Reason {
    let wedges = sample.wedges_without_first(exact);
    let most = settings.max_wedges.into();
    Reason::at_most(wedges, sample.edges, "wedges an edge for few bits a row", most)
}

/// Checks that so few wedges close that most of the others are told by their bits.
fn has_few_triangles(sample: &WedgeSample, settings: &FilterSettings, exact: u32) -> Reason {
    let triangles = sample.triangles_without_first(exact);
    let most = settings.max_permille;
    Reason::compared(
        // Triangles are below 2⁵².
        triangles * 1_000 <= u64::from(most) * sample.sampled,
        ReasonFigure::Quotient(triangles as f64, sample.sampled as f64),
        "triangles on a sampled edge",
        Bound::AtMost(ReasonFigure::Quotient(most.into(), 1e3)),
    )
}

/// Checks that so few wedges close that filters of few bits a row pay. Wedges at first ranks that have a bit of their
/// own are left out. Filters save reads at random, and save little where most edges join near ranks or few have
/// wedges.
pub(super) fn few_bits_pay(
    CountingFacts { sample, ranks, settings, .. }: &CountingFacts,
) -> Vec<Reason> {
    let Some(settings) = &settings.filters else { return switched_off() };
    let exact = exact_ranks_of_few_bits(sample, settings);
    let wedges = sample.wedges_without_first(exact);
    // A merge steps to the first ranks on nearly every edge.
    let least = if exact > 0 { settings.min_edges / 2 } else { settings.min_edges };
    vec![
        Reason::whole_at_least(sample.edges, "edges", least.into()),
        // The filter of a rank takes 6 to 8 ps to make on an H100, and saves 12 to 18 on a wedge.
        Reason::compared(
            2 * u128::from(wedges) >= u128::from(*ranks),
            ReasonFigure::Quotient(wedges as f64, *ranks as f64),
            "wedges a rank for few bits a row",
            Bound::AtLeast(ReasonFigure::Quotient(1.0, 2.0)),
        ),
        has_few_wedges(sample, settings, exact),
        has_few_triangles(sample, settings, exact),
        Reason::compared(
            sample.near * 2 <= sample.sampled,
            ReasonFigure::Percent(sample.near as f64, sample.sampled as f64),
            "of the sampled edges join ranks near each other",
            Bound::AtMost(ReasonFigure::Percent(1.0, 2.0)),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_as_many_bits_as_stay_in_the_cache_or_as_their_entries_need() {
        let bits = |row, ranks, exact| {
            let filters = NarrowBloomFilters::for_rows(row, ranks, exact);
            assert_eq!(filters.exact, exact);
            assert!(exact <= most_exact(filters.bits_log2));
            1 << filters.bits_log2
        };
        for row in [0, 1, 2, 8] {
            assert_eq!((bits(row, 0, 0), bits(row, 1 << 22, 16)), (64, 64));
        }
        let more = (1 << 22) + 1;
        let rows = [0, 1, 3, 4, 7, 8, 9, u64::MAX];
        assert_eq!(rows.map(|row| bits(row, more, 0)), [16, 16, 16, 32, 32, 64, 128, 128]);
        assert_eq!(bits(9, 1, 0), 128);
        assert_eq!([8, 9, 16].map(|exact| bits(1, 1 << 32, exact)), [16, 32, 32]);
    }
}
