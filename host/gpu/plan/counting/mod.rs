//! Which method counts an oriented graph on a GPU: ordered rules, the first that holds.
//!
//! | rule | edges | counted by |
//! | --- | --- | --- |
//! | [`InPlace::BitMatrix`] | all: few ranks, and a large share of their pairs are edges | a matrix of bits |
//! | [`InPlace::RowTables`] | all: rows are long and even, and their entries are not near each other | tables of rows |
//! | [`Counting::Groups`] | among the hubs, where they are many | a matrix of bits |
//! | | of the others, those whose head has many | the bits of their head's row |
//! | | the rest | searched, a group of lanes an edge |
//! | [`InPlace::NarrowBloomFilters`] | all: few wedges close, but for those at a few vertices that are beside most others, and rows are short | filters of few bits a row |
//! | [`InPlace::Segments`] | all: entries of rows are near each other | segments of 32 ranks |
//! | [`InPlace::Merge`] | all | a merge of rows |
//!
//! Each file has the facts that speak for a method, and those that speak against it.

mod edge_grouping;
mod filters;
mod groups;
mod matrix;
mod matrix_time;
mod merge;
mod segments;
mod tables;
#[cfg(test)]
mod tests;

pub use edge_grouping::GroupBins;
pub use filters::{FilterSettings, NarrowBloomFilters};
pub use groups::{GroupSettings, RowBits, enough_grouped, hub_matrix_edges, many_wedges};
pub use matrix::{BitMatrix, HubSettings, MatrixSettings, Product, matrix_bytes};
pub use merge::{CountShape, MergeSettings};
pub use segments::{SegmentSettings, Segments};
pub use tables::{RowTables, TableKind, TableSettings};

use filters::{few_bits_pay, narrow_filters};
pub use groups::grouping;
use matrix::{MATRIX_BYTES, bit_matrix, matrix_pays};
use merge::merge;
use segments::{segments, segments_pay};
use tables::tables;

use super::facts::CountingFacts;
use super::method_time::{self, MethodSeconds};
use tribin_plan::reason::{Chosen, Reason, Rules};

/// The question that a counting method answers.
pub const METHOD: &str = "counting method";

/// A method that counts edges where they lie, and its settings.
///
/// A new method has a variant here, a rule in the list below, and launches in `methods`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InPlace {
    /// Edges that close no triangle are told by a few bits for each row.
    NarrowBloomFilters(NarrowBloomFilters),
    /// Rows are merged as segments of 32 ranks.
    Segments(Segments),
    /// Rows are merged entry by entry.
    Merge(CountShape),
    /// The rows of heads are looked up in a table of their tail's row.
    RowTables(RowTables),
    /// All ranks as a matrix of bits.
    BitMatrix(BitMatrix),
}

impl InPlace {
    /// The seconds that the method takes.
    pub fn seconds(&self, facts: &CountingFacts) -> MethodSeconds {
        let sample = &facts.sample;
        match self {
            InPlace::NarrowBloomFilters(_) => {
                method_time::counting(sample, NarrowBloomFilters::RATES)
            }
            InPlace::Segments(_) => Segments::seconds(sample),
            InPlace::Merge(_) => method_time::counting(sample, CountShape::RATES),
            InPlace::RowTables(_) => RowTables::seconds(sample),
            InPlace::BitMatrix(matrix) => matrix.seconds(facts),
        }
    }

    /// Bytes of device memory that it takes beside a graph of these sizes, at most.
    pub fn bytes(&self, edges: u64, ranks: u64) -> u64 {
        match self {
            InPlace::NarrowBloomFilters(filters) => filters.bytes(ranks),
            InPlace::Segments(segments) => segments.bytes(edges, ranks),
            InPlace::Merge(_) | InPlace::RowTables(_) => 0,
            InPlace::BitMatrix(matrix) => matrix.bytes(ranks),
        }
    }
}

/// The settings of all rules. A method whose settings are `None` is never chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountingSettings {
    /// One edge of this many is looked at first, to see how many wedges close. At least 1, and best a prime:
    /// rows of equal lengths are not to meet it at the same place each time.
    pub sample_step: u32,
    /// A matrix of all ranks.
    pub matrix: Option<MatrixSettings>,
    /// Tables of rows.
    pub tables: Option<TableSettings>,
    /// Groups of edges by head.
    pub groups: Option<GroupSettings>,
    /// Filters of rows.
    pub filters: Option<FilterSettings>,
    /// Segments of 32 ranks.
    pub segments: Option<SegmentSettings>,
    /// Searches, where rows are merged.
    pub merge: Option<MergeSettings>,
}

impl CountingSettings {
    /// The settings that graphs are counted by.
    pub const MEASURED: CountingSettings = CountingSettings {
        sample_step: SAMPLE_STEP,
        matrix: Some(MatrixSettings::MEASURED),
        tables: Some(TableSettings::MEASURED),
        groups: Some(GroupSettings::MEASURED),
        filters: Some(FilterSettings::MEASURED),
        segments: Some(SegmentSettings::MEASURED),
        merge: Some(MergeSettings::MEASURED),
    };

    /// Every edge is merged in place, whatever the graph. Other settings are written as what they add to these.
    pub const MERGE_ONLY: CountingSettings = CountingSettings {
        matrix: None,
        tables: None,
        groups: None,
        filters: None,
        segments: None,
        merge: None,
        ..CountingSettings::MEASURED
    };

    /// The settings of the hubs' matrix.
    fn hubs(&self) -> Option<HubSettings> {
        self.groups?.hubs
    }

    /// Bytes of device memory that groups take beside a graph of these sizes, with the matrix of these hubs.
    fn bytes_of_groups(&self, edges: u64, ranks: u64, hubs: Option<HubSettings>) -> u64 {
        let matrix = hubs.map_or(0, |hubs| matrix_bytes(hubs.hubs));
        self.groups.map_or(0, |groups| groups.row_bits.bytes(edges, ranks) + matrix)
    }

    /// The settings of the sample.
    pub fn sample(&self) -> SampleSettings {
        SampleSettings::new(self.sample_step, self.groups.as_ref())
    }
}

/// One edge of this many is looked at.
pub(super) const SAMPLE_STEP: u32 = 251;

/// The settings of the sample of edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleSettings {
    /// One edge of this many is looked at.
    pub step: u32,
    /// Ranks below this one have a bit of their own.
    pub exact: u32,
    /// The hubs, among which edges are counted.
    pub hubs: u32,
}

impl SampleSettings {
    /// The settings of a sample of one edge in `step`, by which a rule for these groups goes.
    pub(super) fn new(step: u32, groups: Option<&GroupSettings>) -> SampleSettings {
        SampleSettings {
            step,
            exact: groups.map_or(0, |groups| groups.row_bits.exact),
            hubs: groups.and_then(|groups| groups.hubs).map_or(0, |hubs| hubs.hubs),
        }
    }
}

/// The reason against a method that has no settings.
fn switched_off() -> Vec<Reason> {
    vec![Reason::new(false, "it is switched off")]
}

/// The way in which an oriented graph is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Edges are brought together by head.
    Groups {
        /// The first edges, those among the hubs, that are counted as a matrix; 0 for none.
        hub_edges: u64,
    },
    /// Every edge is counted where it lies.
    InPlace(InPlace),
}

impl Counting {
    /// The seconds that counting takes.
    pub fn seconds(self, facts: &CountingFacts) -> MethodSeconds {
        match self {
            Counting::Groups { .. } => method_time::counting(&facts.sample, groups::RATES),
            Counting::InPlace(method) => method.seconds(facts),
        }
    }
}

/// What speaks for groups by head, or against them.
fn groups_pay(facts: &CountingFacts) -> Vec<Reason> {
    let CountingFacts { sample, settings, .. } = facts;
    let Some(groups) = &settings.groups else { return switched_off() };
    let mut checks = grouping(sample, groups);
    if sample.edges <= groups.small_edges.into() {
        let why = "the graph is so small that its rows are merged sooner than groups are made";
        checks.push(Reason::new(false, why));
    }
    let most = u128::from(groups.segments_permille) * u128::from(sample.sampled_wedges);
    let mostly_closes = 1_000 * u128::from(sample.triangles) > most;
    if mostly_closes && segments_pay(sample, settings) {
        let why = "most wedges close, and segments of 32 ranks save steps";
        checks.push(Reason::new(false, why));
    }
    // Once it is known how many there are.
    let enough = |grouped| enough_grouped(grouped, sample.edges, groups.min_grouped_permille);
    checks.extend(facts.grouped.map(enough));
    checks
}

/// Chooses how to count, with `free` bytes of device memory beside the graph. O(1).
pub fn counting(facts: &CountingFacts, free: u64) -> Chosen<Counting> {
    let CountingFacts { sample, ranks, settings, .. } = facts;
    let in_place = |rules: Rules<Counting>, name, method: InPlace, because| {
        rules.rule(name, Counting::InPlace(method), method.bytes(sample.edges, *ranks), because)
    };
    let of_rows = RowTables::for_rows(sample.row_of_edges(), *ranks);
    let hub_edges = hub_matrix_edges(sample, settings.hubs());
    let hubs = settings.hubs().filter(|_| hub_edges > 0);
    let group_bytes = settings.bytes_of_groups(sample.edges, *ranks, hubs);
    let (groups, few_bits) = (Counting::Groups { hub_edges }, narrow_filters(facts));
    let matrix = InPlace::BitMatrix(bit_matrix(facts));
    let (saved, segmented) = (segments(sample, settings), InPlace::Segments(Segments));

    let rules = in_place(Rules::within(free), "a matrix of bits", matrix, matrix_pays(facts));
    let rules = in_place(rules, "tables of rows", InPlace::RowTables(of_rows), tables(facts));
    let rules = rules.rule("groups by head", groups, group_bytes, groups_pay(facts));
    let rules = in_place(rules, "filters of few bits a row", few_bits, few_bits_pay(facts));
    let rules = in_place(rules, "segments of 32 ranks", segmented, saved);
    let (merge, because) = merge(facts);
    rules.otherwise("merge in place", Counting::InPlace(merge), 0, because)
}

/// Bytes of device memory that any of the methods takes beside a graph of these sizes, at most.
pub fn most_bytes(edges: u64, ranks: u64, settings: &CountingSettings) -> u64 {
    let hubs = settings.hubs().filter(|hubs| edges >= u64::from(hubs.min_edges));
    let groups = settings.bytes_of_groups(edges, ranks, hubs);
    let filters = NarrowBloomFilters::LARGEST.bytes(ranks);
    let all_ranks = BitMatrix::rows(ranks).map_or(0, matrix_bytes);
    let all_ranks = if all_ranks <= MATRIX_BYTES * edges { MATRIX_BYTES * edges } else { 0 };
    groups.max(filters).max(Segments.bytes(edges, ranks)).max(all_ranks)
}
