//! By which threads rows are merged, and whether unlike ones are searched.

use super::InPlace;
use crate::facts::{CountingFacts, Sample};
use crate::limits::forward::{BLOCK, BLOCKS_PER_MULTIPROCESSOR};
use crate::reason::{Bound, Figure, Reason};
use crate::time::Rates;

/// How many threads count, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountShape {
    /// Threads in a block.
    pub block: u32,
    /// Blocks for each multiprocessor.
    pub blocks_per_multiprocessor: u32,
    /// Whether an edge whose head has a much longer row than the edge has a prefix is searched, and not merged.
    pub search: bool,
}

impl Default for CountShape {
    /// The fastest on every graph of docs/measured.md, or within 2% of it.
    fn default() -> Self {
        CountShape {
            block: BLOCK,
            blocks_per_multiprocessor: BLOCKS_PER_MULTIPROCESSOR,
            search: false,
        }
    }
}

impl CountShape {
    /// How long the merge takes.
    pub const RATES: Rates = Rates { build: 0.0, count: 4.0e-12 };
}

/// When edges whose rows are merged in place are searched instead.
///
/// The figures are the fastest of a sweep, `cargo bench --bench gpu -- hybrid`, over the graphs that are named. Where two graphs
/// disagree, the one that loses less decides. A `permille` is in thousandths: 250 is a quarter.
///
/// | cut-off | measured by |
/// | --- | --- |
/// | `search_min_entries` 16, `search_min_entries_permille` 2,500 | unlike rows searched, and merged, on an H100: hyperbolic:3000000,16,2400,12 (35 entries, 5.4 for each wedge: 1.11 ms, 1.47), hyperbolic:1000000,40,2200,14 (4.4: 2.47, 3.48), rmat:18,16,7 (0.71, 0.92), affiliation:1000000,180000,1000,21 (1.1: 10.6, 12.2), ws (2.0, none unlike: 0.69, 0.65), rows:4096,2 (0.32, 0.29) |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MergeSettings {
    /// An edge is searched if its head has a much longer row than the edge has a prefix. Graphs are looked through for such edges if the
    /// rows of the heads of sampled edges have at least this many entries...
    pub search_min_entries: u32,
    /// ... and at least this many for 1,000 wedges.
    pub search_min_entries_permille: u32,
}

impl MergeSettings {
    /// The settings that graphs are counted by.
    pub const MEASURED: MergeSettings =
        MergeSettings { search_min_entries: 16, search_min_entries_permille: 2_500 };
}

/// Rows are merged. Edges of unlike rows are searched if there are many.
pub(super) fn merge(CountingFacts { sample, settings, .. }: &CountingFacts) -> InPlace {
    let search = settings
        .merge
        .is_some_and(|settings| unlike_rows(sample, &settings).iter().all(|reason| reason.holds));
    InPlace::Merge(CountShape { search, ..CountShape::default() })
}

/// What decided how rows are merged. Nothing speaks against merging them.
pub(super) fn merge_reasons(CountingFacts { sample, settings, .. }: &CountingFacts) -> Vec<Reason> {
    let Some(settings) = &settings.merge else { return Vec::new() };
    unlike_rows(sample, settings).map(Reason::decided).into()
}

/// Whether heads have long rows, and much longer ones than their edges have prefixes.
fn unlike_rows(sample: &Sample, settings: &MergeSettings) -> [Reason; 2] {
    let least = settings.search_min_entries_permille;
    [
        Reason::at_least(
            sample.head_entries,
            sample.sampled,
            "entries in the row of a sampled edge's head for searches",
            settings.search_min_entries,
        ),
        Reason::compared(
            u128::from(sample.head_entries) * 1_000
                >= u128::from(least) * u128::from(sample.sampled_wedges),
            Figure::Quotient(sample.head_entries as f64, sample.sampled_wedges as f64),
            "of these entries for each wedge",
            Bound::AtLeast(Figure::Quotient(least.into(), 1e3)),
        ),
    ]
}
