//! By which threads rows are merged, and whether unlike ones are searched.

use super::InPlace;
use crate::facts::CountingFacts;
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

    /// The shape for rows of usual lengths, or for long ones: their blocks have twice the threads.
    pub fn for_rows(long: bool) -> CountShape {
        let usual = CountShape::default();
        CountShape { block: if long { 2 * usual.block } else { usual.block }, ..usual }
    }
}

/// Rows are merged, by larger blocks if they are long. Edges of unlike rows are searched if there are many.
pub(super) fn merge(facts: &CountingFacts) -> InPlace {
    let search = unlike_rows(facts).iter().all(|reason| reason.holds);
    InPlace::Merge(CountShape { search, ..CountShape::for_rows(long_rows(facts).holds) })
}

/// What decided how rows are merged. Nothing speaks against merging them.
pub(super) fn merge_reasons(facts: &CountingFacts) -> Vec<Reason> {
    let reasons = std::iter::once(long_rows(facts)).chain(unlike_rows(facts));
    reasons.map(Reason::decided).collect()
}

fn long_rows(CountingFacts { sample, tuning, .. }: &CountingFacts) -> Reason {
    Reason::at_least(
        sample.wedges,
        sample.edges,
        "wedges an edge for larger blocks",
        tuning.merge_long_wedges,
    )
}

/// Whether heads have long rows, and much longer ones than their edges have prefixes.
fn unlike_rows(CountingFacts { sample, tuning, .. }: &CountingFacts) -> [Reason; 2] {
    let least = tuning.search_min_entries_permille;
    [
        Reason::at_least(
            sample.head_entries,
            sample.sampled,
            "entries in the row of a sampled edge's head for searches",
            tuning.search_min_entries,
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
