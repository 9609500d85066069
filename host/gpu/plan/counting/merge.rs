//! By which threads rows are merged, and whether unlike ones are searched.

use super::InPlace;
use crate::plan::facts::CountingFacts;
use crate::plan::method_time::Rates;
use tribin_plan::reason::Reason;

/// The way in which rows are merged where they lie.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CountShape {
    /// Whether an edge whose head has a much longer row than the edge has a prefix is searched, and not merged.
    pub search: bool,
}

impl CountShape {
    /// The rates of the merge.
    pub const RATES: Rates = Rates { build: 0.0, count: 4.0e-12 };
}

/// The settings by which edges whose rows are merged in place are searched instead.
///
/// The figure loses least over all graphs of benches/gpu/bed.rs in every order, by what `cargo bench --bench gpu -- regret --bed` measured.
///
/// | cut-off | measured by |
/// | --- | --- |
/// | `search_min_entries` 14 | unlike rows searched over all merged, on an H200, at the entries in the row of an edge's head: rows:2500,4 (1.1: 1.08), ws:2000000,6,10,3 (5.0: 1.05), geometric:1000000,20,2 (6.6: 1.03), clustered:400,5 (12: 1.04), hyperbolic:900000,24,3500,7 by ids (14: 0.63), sorted:shuffled:web:400000,30,700,6 (19: 0.91), sorted:communities:1048576,500000,200,20,400,3+rmat:20,4,4 (35: 0.88), sorted:ws:700000,40,300,8 (38: 1.12), kron:22,6,500,200,200,3 (48: 0.79), hyperbolic:1200000,30,2300,2 (90: 0.66) |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MergeSettings {
    /// An edge is searched if its head has a much longer row than the edge has a prefix. Graphs are looked through for such edges if the
    /// rows of the heads of sampled edges have at least this many entries.
    pub search_min_entries: u32,
}

impl MergeSettings {
    /// The settings that graphs are counted by.
    pub const MEASURED: MergeSettings = MergeSettings { search_min_entries: 14 };
}

/// How rows are merged, and what decided it: edges of unlike rows are searched if heads have long rows.
pub(super) fn merge(
    CountingFacts { sample, settings, .. }: &CountingFacts,
) -> (InPlace, Vec<Reason>) {
    let long = settings.merge.map(|settings| {
        Reason::at_least(
            sample.head_entries,
            sample.sampled,
            "entries in the row of a sampled edge's head for searches",
            settings.search_min_entries,
        )
    });
    let search = long.as_ref().is_some_and(|long| long.holds);
    let because = long.map(Reason::decided).into_iter().collect();
    (InPlace::Merge(CountShape { search }), because)
}
