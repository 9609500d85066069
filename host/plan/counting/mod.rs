//! Which method counts an oriented graph on a GPU: ordered rules, the first that holds.
//!
//! | rule | edges | counted by |
//! | --- | --- | --- |
//! | [`InPlace::BitMatrix`] | all: few ranks, and a large share of their pairs are edges | a matrix of bits |
//! | [`InPlace::RowTables`] | all: rows are long and even, and their entries are not near each other | tables of rows |
//! | [`Counting::Groups`] | among the hubs, where they are many | a matrix of bits |
//! | | of the others, those whose head has many | the bits of their head's row |
//! | | of the others, those with short rows | merged, a thread an edge |
//! | | the rest | searched, a group of lanes an edge |
//! | [`InPlace::NarrowBloomFilters`] | all: few wedges close, but for those at a few vertices that are beside most others, and rows are short | filters of few bits a row |
//! | [`InPlace::BloomFilters`] | all: few wedges close | filters of 64 bytes a row |
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

pub use edge_grouping::{EdgeGrouping, GroupBins, GroupingFacts, edge_grouping};
pub use filters::{BloomFilters, NarrowBloomFilters};
pub use groups::{GroupSettings, enough_grouped, hub_matrix_edges, many_wedges};
pub use matrix::{BitMatrix, HubSettings, Product, matrix_bytes};
pub use merge::CountShape;
pub use segments::Segments;
pub use tables::{RowTables, Table};

use filters::{FILTER_BYTES, few_bits_pay, filters, filters_pay, narrow_filters};
pub use groups::grouping;
use matrix::{MATRIX_BYTES, bit_matrix, matrix_pays, matrix_work};
use merge::{merge, merge_reasons};
use segments::{segments, segments_pay};
use tables::tables;

use super::facts::CountingFacts;
use super::reason::{Chosen, Reason, Rule, first};
use super::time::{self, Rates};
use super::tuning::Tuning;

/// The question that a counting method answers.
pub const METHOD: &str = "counting method";

/// A method that counts edges where they lie, and its settings.
///
/// A new method has a variant here, a rule in the list below, and launches in `methods`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InPlace {
    /// Edges that close no triangle are told by a few bits for each row.
    NarrowBloomFilters(NarrowBloomFilters),
    /// Wedges that do not close are told by 64 bytes for each row.
    BloomFilters(BloomFilters),
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
    /// How long it takes.
    pub fn rates(&self) -> Rates {
        match self {
            InPlace::NarrowBloomFilters(_) => NarrowBloomFilters::RATES,
            InPlace::BloomFilters(_) => BloomFilters::RATES,
            InPlace::Segments(_) => Segments::RATES,
            InPlace::Merge(_) => CountShape::RATES,
            InPlace::RowTables(_) => RowTables::RATES,
            InPlace::BitMatrix(_) => BitMatrix::RATES,
        }
    }

    /// Bytes of device memory that it takes beside a graph of these sizes, at most.
    pub fn bytes(&self, edges: u64, ranks: u64) -> u64 {
        match self {
            InPlace::NarrowBloomFilters(filters) => filters.bytes(ranks),
            InPlace::BloomFilters(filters) => filters.bytes(ranks),
            InPlace::Segments(segments) => segments.bytes(edges, ranks),
            InPlace::Merge(_) | InPlace::RowTables(_) => 0,
            InPlace::BitMatrix(matrix) => matrix.bytes(ranks),
        }
    }
}

/// How an oriented graph is counted.
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
    /// Seconds to sample and to build what it needs, and seconds to count, as predicted.
    pub fn seconds(self, facts: &CountingFacts) -> (f64, f64) {
        let by = |rates| time::counting(&facts.sample, rates);
        match self {
            Counting::Groups { .. } => by(groups::RATES),
            Counting::InPlace(InPlace::BitMatrix(method)) => {
                let work = matrix_work(facts);
                work.map_or(by(InPlace::BitMatrix(method).rates()), |work| {
                    (work.write(), work.product(method.by))
                })
            }
            Counting::InPlace(method) => by(method.rates()),
        }
    }
}

const SEGMENTS: InPlace = InPlace::Segments(Segments);

fn in_place_bytes(method: InPlace, facts: &CountingFacts) -> u64 {
    method.bytes(facts.sample.edges, facts.ranks)
}

/// In the order in which they are considered.
const RULES: [Rule<CountingFacts, Counting>; 7] = [
    Rule {
        name: "a matrix of bits",
        choice: |facts| Counting::InPlace(bit_matrix(facts)),
        checks: matrix_pays,
        bytes: |facts| match matrix_work(facts) {
            Some(_) => in_place_bytes(bit_matrix(facts), facts),
            None => 0,
        },
    },
    Rule {
        name: "tables of rows",
        choice: |CountingFacts { sample, ranks, .. }| {
            let tables = RowTables::for_rows(sample.row_of_edges(), *ranks);
            Counting::InPlace(InPlace::RowTables(tables))
        },
        checks: tables,
        bytes: |_| 0,
    },
    Rule {
        name: "groups by head",
        choice: |facts| Counting::Groups {
            hub_edges: hub_matrix_edges(&facts.sample, &facts.tuning),
        },
        checks: |facts| {
            let CountingFacts { sample, tuning, .. } = facts;
            let mut checks = grouping(sample, tuning);
            if sample.edges <= tuning.merge_small_edges.into() {
                let why =
                    "the graph is so small that its rows are merged sooner than groups are made";
                checks.push(Reason::new(false, why));
            }
            let most =
                u128::from(tuning.group_segments_permille) * u128::from(sample.sampled_wedges);
            let mostly_closes = 1_000 * u128::from(sample.triangles) > most;
            if mostly_closes && segments_pay(sample, tuning) {
                let why = "most wedges close, and segments of 32 ranks save steps";
                checks.push(Reason::new(false, why));
            }
            checks.extend(facts.enough_grouped());
            checks
        },
        bytes: |CountingFacts { sample, ranks, tuning, .. }| {
            let matrix = hub_matrix_edges(sample, tuning) > 0;
            let matrix = if matrix { matrix_bytes(tuning.hub_product.hubs) } else { 0 };
            tuning.row_bits.bytes(sample.edges, *ranks) + matrix
        },
    },
    Rule {
        name: "filters of few bits a row",
        choice: |facts| Counting::InPlace(narrow_filters(facts)),
        checks: few_bits_pay,
        bytes: |facts| in_place_bytes(narrow_filters(facts), facts),
    },
    Rule {
        name: "filters of 64 bytes a row",
        choice: |facts| Counting::InPlace(filters(facts)),
        checks: filters_pay,
        bytes: |facts| in_place_bytes(filters(facts), facts),
    },
    Rule {
        name: "segments of 32 ranks",
        choice: |_| Counting::InPlace(SEGMENTS),
        checks: |CountingFacts { sample, tuning, .. }| segments(sample, tuning),
        bytes: |facts| in_place_bytes(SEGMENTS, facts),
    },
    Rule {
        name: "merge in place",
        choice: |facts| Counting::InPlace(merge(facts)),
        checks: merge_reasons,
        bytes: |_| 0,
    },
];

/// How to count, with `free` bytes of device memory beside the graph. O(1).
pub fn counting(facts: &CountingFacts, free: u64) -> Chosen<Counting> {
    first(&RULES, facts, free)
}

/// How to count in place, where groups were not found to pay.
pub fn in_place(facts: &CountingFacts, free: u64) -> Chosen<Counting> {
    first(&RULES[3..], facts, free)
}

/// Bytes of device memory that any of the methods takes beside a graph of these sizes, at most.
pub fn most_bytes(edges: u64, ranks: u64, tuning: &Tuning) -> u64 {
    let may_have_hubs = edges >= u64::from(tuning.hub_min_edges);
    let matrix = if may_have_hubs { matrix_bytes(tuning.hub_product.hubs) } else { 0 };
    let groups = tuning.row_bits.bytes(edges, ranks) + matrix;
    let filters = match (BloomFilters { exact: 0 }).bytes(ranks) {
        bytes if bytes <= FILTER_BYTES * edges => bytes,
        _ => NarrowBloomFilters::LARGEST.bytes(ranks),
    };
    let all_ranks = BitMatrix::rows(ranks).map_or(0, matrix_bytes);
    let all_ranks = if all_ranks <= MATRIX_BYTES * edges { MATRIX_BYTES * edges } else { 0 };
    groups.max(filters).max(Segments.bytes(edges, ranks)).max(all_ranks)
}
