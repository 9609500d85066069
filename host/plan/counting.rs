//! Which method counts an oriented graph on a GPU: ordered rules, the first that holds.
//!
//! | rule | edges | counted by |
//! | --- | --- | --- |
//! | [`InPlace::BitMatrix`] | all: few ranks, and a large share of their pairs are edges | a matrix of bits ([`hub_product`]) |
//! | [`InPlace::RowTables`] | all: rows are long and even, and their entries are not near each other | [`row_tables`](crate::methods::row_tables) |
//! | [`Counting::Groups`] | among the hubs, where they are many | a matrix of bits ([`hub_product`]) |
//! | | of the others, those whose head has many | [`row_bits`] |
//! | | of the others, those with short rows | merged, a thread an edge |
//! | | the rest | searched, a group of lanes an edge |
//! | [`InPlace::NarrowBloomFilters`] | all: few wedges close, but for those at a few vertices that are beside most others, and rows are short | [`narrow_bloom_filters`](crate::methods::narrow_bloom_filters) |
//! | [`InPlace::BloomFilters`] | all: few wedges close | [`bloom_filters`](crate::methods::bloom_filters) |
//! | [`InPlace::Segments`] | all: entries of rows are near each other | [`segments`](crate::methods::segments) |
//! | [`InPlace::Merge`] | all | [`forward`](crate::methods::forward) |

use tribin_kernels::hub_product::MOST_HUBS;
use tribin_kernels::wedge_sample::FIRST_RANKS;

use super::facts::{CountingFacts, Sample};
use super::reason::{Bound, Chosen, Figure, Reason, Rule, first};
use super::time;
use super::tuning::Tuning;
use crate::methods::bloom_filters::BloomFilters;
use crate::methods::forward::gpu::CountShape;
use crate::methods::hub_product::{BitMatrix, Product, Work, faster, in_groups};
use crate::methods::narrow_bloom_filters::NarrowBloomFilters;
use crate::methods::row_tables::RowTables;
use crate::methods::segments::Segments;
use crate::methods::{InPlace, hub_product, row_bits};

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
            Counting::Groups { .. } => by(row_bits::RATES),
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

const FILTERS: InPlace = InPlace::BloomFilters(BloomFilters);
const SEGMENTS: InPlace = InPlace::Segments(Segments);

/// Filters for rows without the first ranks that have a bit of their own.
fn narrow_filters(CountingFacts { sample, ranks, tuning, .. }: &CountingFacts) -> InPlace {
    let exact = exact_ranks(sample, tuning);
    let (wedges, _) = sample.without_first(exact);
    // Wedges are below 2⁶³.
    let row = 2 * wedges / sample.edges.max(1) + 1;
    InPlace::NarrowBloomFilters(NarrowBloomFilters::for_rows(row, *ranks, exact))
}

fn merge(long_rows: bool) -> InPlace {
    InPlace::Merge(CountShape::for_rows(long_rows))
}

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
            checks.extend(enough_grouped(facts));
            checks
        },
        bytes: |CountingFacts { sample, ranks, tuning, .. }| {
            let matrix = hub_matrix_edges(sample, tuning) > 0;
            let matrix = if matrix { hub_product::bytes(tuning.hub_product.hubs) } else { 0 };
            row_bits::bytes(sample.edges, *ranks, &tuning.row_bits) + matrix
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
        choice: |_| Counting::InPlace(FILTERS),
        checks: filters_pay,
        bytes: |facts| in_place_bytes(FILTERS, facts),
    },
    Rule {
        name: "segments of 32 ranks",
        choice: |_| Counting::InPlace(SEGMENTS),
        checks: |CountingFacts { sample, tuning, .. }| segments(sample, tuning),
        bytes: |facts| in_place_bytes(SEGMENTS, facts),
    },
    Rule {
        name: "merge in place",
        choice: |facts| Counting::InPlace(merge(long_rows(facts).holds)),
        checks: |facts| vec![long_rows(facts).decided()],
        bytes: |_| 0,
    },
];

/// How to count, with `free` bytes of device memory beside the graph. O(1).
pub fn counting(facts: &CountingFacts, free: u64) -> Chosen<Counting> {
    first(&RULES, facts, free)
}

/// How to count in place, where groups were not found to pay.
#[cfg(feature = "lab")]
pub fn in_place(facts: &CountingFacts, free: u64) -> Chosen<Counting> {
    first(&RULES[3..], facts, free)
}

/// Bytes of device memory that any of the methods takes beside a graph of these sizes, at most.
pub fn most_bytes(edges: u64, ranks: u64, tuning: &Tuning) -> u64 {
    let may_have_hubs = edges >= u64::from(tuning.hub_min_edges);
    let matrix = if may_have_hubs { hub_product::bytes(tuning.hub_product.hubs) } else { 0 };
    let groups = row_bits::bytes(edges, ranks, &tuning.row_bits) + matrix;
    let filters = match FILTERS.bytes(edges, ranks) {
        bytes if bytes <= FILTER_BYTES * edges => bytes,
        _ => InPlace::NarrowBloomFilters(NarrowBloomFilters::LARGEST).bytes(edges, ranks),
    };
    let all_ranks = BitMatrix::rows(ranks).map_or(0, hub_product::bytes);
    let all_ranks = if all_ranks <= MATRIX_BYTES * edges { MATRIX_BYTES * edges } else { 0 };
    groups.max(filters).max(SEGMENTS.bytes(edges, ranks)).max(all_ranks)
}

/// Whether enough edges have a place in a group, once that is known.
pub fn enough_grouped(facts: &CountingFacts) -> Option<Reason> {
    let CountingFacts { sample, tuning, .. } = facts;
    let of = "of the edges have a head with a group";
    let share = |grouped| Reason::share(grouped, sample.edges, of, tuning.grouped_min_permille);
    facts.grouped.map(share)
}

/// Whether edges are brought into groups, by the graph's wedges and what the sample found.
pub fn grouping_pays(sample: &Sample, tuning: &Tuning) -> bool {
    grouping(sample, tuning).iter().all(|check| check.holds)
}

/// There are enough wedges for each edge, and not too many of them close where a set bit has to be looked up.
///
/// A group of few edges gains little by the bits of their head's row. The more edges are among the hubs, the larger the groups
/// are, and the fewer wedges are enough.
///
/// The more unequal the rows, the longer a merge takes: lanes wait for the longest of their warp. Then more
/// look-ups are worth it. So they are where rows are long: row bits read half of such a row.
fn grouping(sample: &Sample, tuning: &Tuning) -> Vec<Reason> {
    let high = u128::from(sample.high_triangles) * 1_000_000;
    let long = u128::from(tuning.high_wedges) * u128::from(sample.edges);
    let longer = u128::from(sample.wedges).max(long);
    // Below 2¹²⁷: rows have fewer than 2²⁰ entries, so that inequality is below 2³¹, and the other factors
    // are below 2³² and 2⁶⁴.
    let most =
        u128::from(tuning.high_max_permille) * sample.inequality_permille() * longer / long.max(1);
    let closes_low = high <= u128::from(sample.sampled_wedges).saturating_mul(most);
    let hubs = u64::from(tuning.group_hub_permille.max(1));
    let lacking = hubs - (sample.hub_edges * 1_000 / sample.edges.max(1)).min(hubs);
    // Below 2³³.
    let more = u64::from(tuning.group_more_wedges) * lacking / hubs;
    let least = tuning.group_min_wedges.saturating_add(more as u32);
    vec![
        Reason::at_least(sample.wedges, sample.edges, "wedges an edge", least),
        Reason::compared(
            closes_low,
            Figure::Percent(sample.high_triangles as f64, sample.sampled_wedges as f64),
            "of the sampled wedges close at a rank without a bit of its own",
            Bound::AtMost(Figure::Percent(most as f64, 1e6)),
        ),
    ]
}

/// Most bytes of a matrix of all ranks for each edge. Groups take 10. Memory is predicted before it is known whether the
/// matrix pays, and so the bound keeps the prediction near what is used: the sort before takes 10 more than the graph.
const MATRIX_BYTES: u64 = 14;

/// What a matrix of all ranks goes by; `None` where there are more ranks than it can have.
fn matrix_work(CountingFacts { sample, ranks, .. }: &CountingFacts) -> Option<Work> {
    let rows = BitMatrix::rows(*ranks)?;
    let edges = sample.edges as f64;
    let reads = edges * sample.matrix_reads as f64 / sample.sampled.max(1) as f64;
    Some(Work { edges, ranks: *ranks as f64, reads, rows })
}

fn bit_matrix(facts: &CountingFacts) -> InPlace {
    let by = matrix_work(facts).map_or(Product::TensorBits, |work| faster(&work));
    InPlace::BitMatrix(BitMatrix { by })
}

/// A matrix of all ranks takes little memory, and less time than any other method takes at least.
fn matrix_pays(facts: &CountingFacts) -> Vec<Reason> {
    let CountingFacts { sample, ranks, tuning, .. } = facts;
    let Some(work) = matrix_work(facts) else {
        return vec![Reason::whole_at_most(*ranks, "ranks", MOST_HUBS.into())];
    };
    let bytes = in_place_bytes(bit_matrix(facts), facts);
    let microseconds = |seconds: f64| (seconds * 1e6) as u64;
    let (write, product) = (work.write(), work.product(faster(&work)));
    let least = f64::from(tuning.matrix_max_permille) / 1e3 * other_seconds(facts, &work);
    vec![
        Reason::whole_at_least(sample.edges, "edges", tuning.matrix_min_edges.into()),
        Reason::whole_at_most(bytes, "bytes as a matrix", MATRIX_BYTES * sample.edges),
        Reason::whole_at_most(microseconds(write + product), "µs as a matrix", microseconds(least)),
    ]
}

/// Seconds that the fastest other method takes, at least.
fn other_seconds(facts: &CountingFacts, work: &Work) -> f64 {
    let CountingFacts { sample, ranks, tuning, .. } = facts;
    let (edges, wedges) = (sample.edges as f64, sample.wedges as f64);
    let hub_edges = hub_matrix_edges(sample, tuning) as f64;
    let groups = if hub_edges > 0.0 {
        // As many wedges as rows of one length have, which are the fewest.
        let rows = ranks.saturating_sub(tuning.hub_product.hubs.into()) as f64;
        let rest = edges - hub_edges;
        let wedges = if rows > 0.0 { rest * (rest / rows - 1.0).max(0.0) / 2.0 } else { 0.0 };
        let share = (f64::from(tuning.hub_product.hubs) / work.ranks).min(1.0);
        let hubs = Work {
            edges: hub_edges,
            reads: work.reads * hub_edges / edges * share,
            rows: tuning.hub_product.hubs,
            ..*work
        };
        let by = Product::CommonBits { lanes_log2: 0 };
        in_groups(edges, wedges) + hubs.write() + hubs.product(by)
    } else {
        in_groups(edges, wedges)
    };
    let in_place = [SEGMENTS, merge(false)].map(|method| {
        let (build, count) = time::counting(sample, method.rates());
        build + count
    });
    in_place.into_iter().fold(groups, f64::min)
}

/// Edges to count as a matrix of the hubs: all among them if they are enough, and none otherwise.
pub fn hub_matrix_edges(sample: &Sample, tuning: &Tuning) -> u64 {
    let enough = sample.hub_edges >= u64::from(tuning.hub_min_edges)
        && sample.hub_edges * 1_000 >= u64::from(tuning.hub_min_permille) * sample.edges;
    if enough { sample.hub_edges } else { 0 }
}

/// Rows have enough entries, and a merge of segments saves enough steps for each edge.
///
/// A wedge is a step along the tail's row, and one whose third vertex is in a segment with the entry before is a step no more. A
/// step over segments takes longer than one over entries, so that many have to go before anything is saved. Fewer have to
/// among the entries of heads' rows: those are read at random, and segments shorten what is read.
fn segments(sample: &Sample, tuning: &Tuning) -> Vec<Reason> {
    let (joined, sampled) = (i128::from(sample.joined_wedges), i128::from(sample.sampled_wedges));
    // In units of a thousandth of a sampled wedge, below 2⁶². No share is larger than all.
    let beyond = |permille: u32| 1_000 * joined - i128::from(permille.min(1_000)) * sampled;
    // Wedges are below 2⁶³ and entries below 2⁶⁴, so that the sum is below 2¹²⁷.
    let of_tails = i128::from(sample.wedges) * beyond(tuning.segment_min_joined_permille);
    let of_heads = sample.entries_of_heads() as i128 * beyond(tuning.segment_head_joined_permille);
    let saved = (of_tails + of_heads).max(0) / (1_000 * sampled).max(1);
    vec![
        Reason::at_least(sample.wedges, sample.edges, "wedges an edge", tuning.segment_min_wedges),
        Reason::at_least(
            u64::try_from(saved).unwrap_or(u64::MAX),
            sample.edges,
            "steps of a merge are saved an edge by segments",
            tuning.segment_min_saved,
        ),
    ]
}

/// Whether nothing speaks against segments.
fn segments_pay(sample: &Sample, tuning: &Tuning) -> bool {
    segments(sample, tuning).iter().all(|check| check.holds)
}

/// Rows are long and even, and segments do not take less.
///
/// A table takes as long to make for a short row as a merge takes, and each of its look-ups costs a read of shared memory. So
/// the rows that a merge would step along have to be long. A merge costs less where the entries of rows are near each other, since
/// the caches hold what it reads. Where rows are uneven, the largest fill their tables.
fn tables(facts: &CountingFacts) -> Vec<Reason> {
    let CountingFacts { sample, ranks, tuning, .. } = facts;
    let uneven = sample.inequality_permille();
    let (joined, sampled) = (sample.joined_wedges, sample.sampled_wedges.max(1));
    // Below 2³³, and with 2³¹ times the inequality below 2⁷⁵.
    let least = u128::from(tuning.table_min_steps) * 1_000
        + u128::from(tuning.table_joined_steps) * 1_000 * u128::from(joined) / u128::from(sampled);
    let even = u128::from(tuning.table_even_permille);
    let least = (least * uneven.max(even)).div_ceil(1_000 * even.max(1));
    // Entries are below 2⁵², and the wedges of the sample, too.
    let entries = Figure::Quotient(sample.head_entries as f64, sample.sampled as f64);
    let most = f64::from(tuning.table_max_entries_permille) / 1e3 * sample.sampled_wedges as f64;
    let more = u128::from(sample.head_entries) * 1_000
        <= u128::from(tuning.table_max_entries_permille) * u128::from(sample.sampled_wedges);
    let mut checks = vec![
        Reason::at_least(
            // Wedges are below 2⁶³ and entries below 2⁶⁴.
            ((u128::from(sample.wedges) + sample.entries_of_heads()) / 2) as u64,
            sample.edges,
            "steps along each row of an edge",
            u32::try_from(least).unwrap_or(u32::MAX),
        ),
        Reason::compared(
            uneven <= tuning.table_max_uneven_permille.into(),
            Figure::Quotient(uneven as f64, 1e3),
            "times the mean row, the mean row of an edge",
            Bound::AtMost(Figure::Quotient(tuning.table_max_uneven_permille.into(), 1e3)),
        ),
        Reason::compared(
            more,
            entries,
            "entries in the row of a sampled edge's head",
            Bound::AtMost(Figure::Quotient(most, sample.sampled as f64)),
        ),
        Reason::whole_at_most(*ranks, "ranks", RowTables::MOST_RANKS),
    ];
    if segments_pay(sample, tuning) {
        let [tables, segments] = [ps_of_tables(sample), ps_of_segments(sample)];
        let most = f64::from(tuning.table_segments_permille) / 1e3 * segments;
        checks.push(Reason::compared(
            tables <= most,
            Figure::Quotient(tables, 1.0),
            "ps an edge in tables, where segments pay",
            Bound::AtMost(Figure::Quotient(most, 1.0)),
        ));
    }
    checks
}

/// Wedges, and entries of the head's row, of an edge.
fn steps(sample: &Sample) -> (f64, f64) {
    let edges = sample.edges.max(1) as f64;
    (sample.wedges as f64 / edges, sample.entries_of_heads() as f64 / edges)
}

/// Picoseconds an edge in tables on an H200: for the table and for each entry that is looked up, longer where the largest rows fill their
/// tables.
fn ps_of_tables(sample: &Sample) -> f64 {
    let (_, of_head) = steps(sample);
    let uneven = sample.inequality_permille() as f64 / 1_350.0;
    (35.0 + 0.5 * of_head) * uneven.max(1.0)
}

/// The same of segments, for each step that is left, longer where heads have much longer rows than tails: lanes wait for them.
fn ps_of_segments(sample: &Sample) -> f64 {
    let (of_tail, of_head) = steps(sample);
    let sampled = sample.sampled_wedges.max(1) as f64;
    let left = 1.0 - sample.joined_wedges as f64 / sampled;
    let longer = sample.head_entries as f64 / sampled / 3.0;
    23.0 + (of_tail + of_head) * left * longer.max(1.0)
}

/// Most bytes of filters of 64 bytes a rank for each edge, about twice what groups take. Beyond that, most ranks have no
/// row.
const FILTER_BYTES: u64 = 22;

/// As few of the first ranks as leave few wedges and few triangles when they have a bit of their own; 0 where there are few
/// triangles anyway, or where all these ranks are too few.
fn exact_ranks(sample: &Sample, tuning: &Tuning) -> u32 {
    if has_few_triangles(sample, tuning, 0).holds {
        return 0;
    }
    let few_are_left = |exact: &u32| {
        has_few_wedges(sample, tuning, *exact).holds
            && has_few_triangles(sample, tuning, *exact).holds
    };
    FIRST_RANKS.into_iter().find(few_are_left).unwrap_or(0)
}

/// Rows are so short that a few bits tell their entries apart.
fn has_few_wedges(sample: &Sample, tuning: &Tuning, exact: u32) -> Reason {
    let (wedges, _) = sample.without_first(exact);
    // No other method leaves the first ranks out.
    let most = u64::from(tuning.narrow_max_wedges) * if exact > 0 { 2 } else { 1 };
    Reason::compared(
        // Below 2⁶⁴ each.
        u128::from(wedges) <= u128::from(most) * u128::from(sample.edges),
        Figure::Quotient(wedges as f64, sample.edges as f64),
        "wedges an edge for few bits a row",
        Bound::AtMost(Figure::Whole(most)),
    )
}

/// So few wedges close that most are told by their bits.
fn has_few_triangles(sample: &Sample, tuning: &Tuning, exact: u32) -> Reason {
    let (_, triangles) = sample.without_first(exact);
    triangles_of_edge(triangles, sample.sampled, tuning.narrow_max_permille)
}

fn triangles_of_edge(triangles: u64, sampled: u64, most: u32) -> Reason {
    Reason::compared(
        // Triangles are below 2⁵².
        triangles * 1_000 <= u64::from(most) * sampled,
        Figure::Quotient(triangles as f64, sampled as f64),
        "triangles on a sampled edge",
        Bound::AtMost(Figure::Quotient(most.into(), 1e3)),
    )
}

/// So few wedges close, but for those at first ranks that have a bit of their own, that filters of few bits a row pay. What
/// saves reading few entries at random does not pay where most are near.
fn few_bits_pay(CountingFacts { sample, tuning, .. }: &CountingFacts) -> Vec<Reason> {
    let exact = exact_ranks(sample, tuning);
    // A merge steps to the first ranks on nearly every edge.
    let least = if exact > 0 { tuning.narrow_min_edges / 2 } else { tuning.narrow_min_edges };
    vec![
        Reason::whole_at_least(sample.edges, "edges", least.into()),
        has_few_wedges(sample, tuning, exact),
        has_few_triangles(sample, tuning, exact),
        Reason::compared(
            sample.near * 2 <= sample.sampled,
            Figure::Percent(sample.near as f64, sample.sampled as f64),
            "of the sampled edges join ranks near each other",
            Bound::AtMost(Figure::Percent(1.0, 2.0)),
        ),
    ]
}

/// So few wedges close that filters of 64 bytes pay, and rows are neither so short that few bits do, nor so long that they
/// fill them.
fn filters_pay(CountingFacts { sample, ranks, tuning, .. }: &CountingFacts) -> Vec<Reason> {
    let edges = sample.edges;
    let most = tuning.filter_max_wedges;
    let short = has_few_wedges(sample, tuning, 0);
    vec![
        Reason::whole_at_least(edges, "edges", tuning.filter_min_edges.into()),
        Reason::compared(
            !short.holds,
            Figure::Quotient(sample.wedges as f64, edges as f64),
            "wedges an edge for 64 bytes a row",
            Bound::Over(Figure::Whole(tuning.narrow_max_wedges.into())),
        ),
        Reason::whole_at_most(
            FILTERS.bytes(edges, *ranks),
            "bytes of filters",
            FILTER_BYTES * edges,
        ),
        triangles_of_edge(sample.triangles, sample.sampled, tuning.filter_max_permille),
        Reason::compared(
            // Below 2⁶⁴ each.
            u128::from(sample.wedges) <= u128::from(most) * u128::from(edges),
            Figure::Quotient(sample.wedges as f64, edges as f64),
            "wedges an edge",
            Bound::AtMost(Figure::Whole(most.into())),
        ),
    ]
}

fn long_rows(facts: &CountingFacts) -> Reason {
    let CountingFacts { sample, tuning, .. } = facts;
    Reason::at_least(
        sample.wedges,
        sample.edges,
        "wedges an edge for larger blocks",
        tuning.merge_long_wedges,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::facts::OfFirstRanks;

    /// All edges of rows of one length, with 40 wedges for each edge.
    const SAMPLE: Sample = Sample {
        edges: 2_000,
        wedges: 80_000,
        rows: 25,
        hub_edges: 0,
        sampled: 2_000,
        sampled_wedges: 10_000,
        triangles: 0,
        high_triangles: 0,
        near: 0,
        joined: 0,
        joined_wedges: 0,
        matrix_reads: 0,
        head_entries: 0,
        of_first: [OfFirstRanks { wedges: 0, triangles: 0 }; 3],
    };

    fn tuning() -> Tuning {
        Tuning {
            group_min_wedges: 25,
            high_max_permille: 30,
            high_wedges: 40,
            filter_max_permille: 900,
            narrow_max_permille: 300,
            group_more_wedges: 0,
            filter_max_wedges: u32::MAX,
            segment_min_wedges: 40,
            segment_min_joined_permille: 300,
            segment_head_joined_permille: 0,
            segment_min_saved: 40,
            merge_small_edges: 0,
            table_min_steps: u32::MAX,
            ..Tuning::for_compute_capability(9, 0)
        }
    }

    /// Whether filters pay: of few bits a row, for rows that are short whatever wedges they have, or of 64 bytes, for rows that
    /// are not.
    fn filtering_pays(sample: &Sample, tuning: &Tuning, few_bits: bool) -> bool {
        let tuning = Tuning {
            filter_min_edges: 0,
            narrow_min_edges: 0,
            narrow_max_wedges: if few_bits { u32::MAX } else { 0 },
            ..*tuning
        };
        let facts = CountingFacts { sample: *sample, ranks: 0, grouped: None, tuning };
        let checks = if few_bits { few_bits_pay(&facts) } else { filters_pay(&facts) };
        checks.iter().all(|check| check.holds)
    }

    #[test]
    fn long_rows_are_merged_by_larger_blocks() {
        let tuning = Tuning { merge_long_wedges: 20, ..tuning() };
        let choice = |wedges| {
            let sample = Sample { wedges, ..SAMPLE };
            in_place(&CountingFacts { sample, ranks: 0, grouped: None, tuning }, u64::MAX).choice
        };
        let [short, long] = [20 * 2_000 - 1, 20 * 2_000].map(choice);
        assert_eq!(short, Counting::InPlace(merge(false)));
        assert_eq!(long, Counting::InPlace(merge(true)));
    }

    #[test]
    fn grouping_takes_enough_wedges() {
        let with = |wedges| Sample { wedges, ..SAMPLE };
        assert!(grouping_pays(&with(25 * 2_000), &tuning()));
        assert!(!grouping_pays(&with(25 * 2_000 - 1), &tuning()));
    }

    /// Of the sample's 10,000 wedges, 30 of 1,000 may close high where the rows are of one length, which
    /// 2 · wedges · rows = edges² says; and more where they are not, or have more wedges.
    #[test]
    fn unequal_and_long_rows_are_worth_more_high_triangles() {
        let check = |sample: Sample, high_wedges, most| {
            let tuning = Tuning { high_wedges, ..tuning() };
            let pays = |high| grouping_pays(&Sample { high_triangles: high, ..sample }, &tuning);
            assert!(pays(0) && pays(most) && !pays(most + 1), "{sample:?}, {high_wedges}");
        };
        let with = |wedges, rows| Sample { wedges, rows, ..SAMPLE };
        for (rows, most) in [(25, 300), (50, 600), (100, 1_200)] {
            check(with(80_000, rows), 40, most);
        }
        for (wedges, rows, most) in
            [(50_000, 40, 300), (80_000, 25, 300), (100_000, 20, 375), (200_000, 10, 750)]
        {
            check(with(wedges, rows), 40, most);
        }
        // 40 are as many as 40 and as 41, and more than 39.
        for (high_wedges, most) in [(41, 300), (40, 300), (39, 307), (20, 600), (1, 12_000)] {
            check(with(80_000, 25), high_wedges, most);
        }
    }

    /// Rows have fewer than 2²⁰ entries.
    #[test]
    fn the_largest_graph_has_no_more_wedges_than_the_sums_hold() {
        let edges = (1 << 32) - 1;
        let triangles = edges << 20;
        let sample = Sample {
            edges,
            wedges: edges << 19,
            rows: edges,
            hub_edges: edges,
            sampled: edges,
            sampled_wedges: triangles,
            triangles,
            high_triangles: triangles,
            near: edges,
            joined: edges,
            joined_wedges: triangles,
            matrix_reads: edges << 25,
            head_entries: edges << 20,
            of_first: [OfFirstRanks { wedges: triangles, triangles }; 3],
        };
        let most = Tuning {
            group_min_wedges: 1 << 19,
            high_max_permille: u32::MAX,
            high_wedges: u32::MAX,
            filter_max_permille: u32::MAX,
            hub_min_permille: 1_000,
            segment_min_wedges: 1 << 19,
            segment_min_joined_permille: 1_000,
            segment_head_joined_permille: 1_000,
            segment_min_saved: 0,
            ..tuning()
        };
        assert!(grouping_pays(&sample, &most) && segments_pay(&sample, &most));
        assert!(filtering_pays(&sample, &most, false) && !filtering_pays(&sample, &most, true));
        assert_eq!(hub_matrix_edges(&sample, &most), edges);
        let wedges = Tuning { group_min_wedges: u32::MAX, segment_min_wedges: u32::MAX, ..most };
        assert!(!grouping_pays(&sample, &wedges) && !segments_pay(&sample, &wedges));
        let joined = Tuning { segment_min_joined_permille: u32::MAX, segment_min_saved: 1, ..most };
        assert!(!segments_pay(&sample, &joined));
    }

    /// Of 40 steps along each row of an edge, as large a share as is joined beyond 30%.
    #[test]
    fn segments_save_enough_steps() {
        let pays = |wedges, joined_wedges, segment_min_saved| {
            let sample = Sample { wedges, joined_wedges, head_entries: 80_000, ..SAMPLE };
            let tuning = Tuning { segment_head_joined_permille: 300, ..tuning() };
            segments_pay(&sample, &Tuning { segment_min_saved, ..tuning })
        };
        assert!(pays(80_000, 8_000, 40) && !pays(80_000, 7_999, 40) && !pays(80_000, 8_000, 41));
        // All are joined, three tenths, and fewer, which would take longer than entries do.
        assert!(pays(80_000, 10_000, 56) && !pays(80_000, 10_000, 57));
        assert!(pays(80_000, 3_000, 0) && !pays(80_000, 3_000, 1) && !pays(80_000, 0, 1));
        // As few wedges as make segments of no use.
        assert!(!pays(79_999, 10_000, 1));
    }

    /// SAMPLE has 40 steps along the tails' rows. Of these as large a share is saved as is joined beyond 30%, and beyond 10% of
    /// those along the heads' rows: none, as many, and three times as many.
    #[test]
    fn fewer_have_to_be_joined_where_heads_have_long_rows() {
        let tuning = Tuning { segment_head_joined_permille: 100, segment_min_saved: 1, ..tuning() };
        let pays = |head_entries, joined_wedges| {
            segments_pay(&Sample { head_entries, joined_wedges, ..SAMPLE }, &tuning)
        };
        for (head_entries, least) in [(0, 3_250), (80_000, 2_125), (240_000, 1_563)] {
            assert!(pays(head_entries, least) && !pays(head_entries, least - 1), "{head_entries}");
        }
    }

    fn tables_pay(facts: &CountingFacts) -> bool {
        tables(facts).iter().all(|check| check.holds)
    }

    /// SAMPLE with all wedges looked at, and as many entries of heads' rows.
    fn for_tables(table_min_steps: u32) -> CountingFacts {
        let sample = Sample { sampled_wedges: 80_000, head_entries: 80_000, ..SAMPLE };
        let tuning = Tuning {
            table_min_steps,
            table_joined_steps: 100,
            table_even_permille: 1_000,
            table_max_uneven_permille: 2_000,
            table_max_entries_permille: 1_500,
            ..tuning()
        };
        CountingFacts { sample, ranks: 300, grouped: None, tuning }
    }

    /// There are 40 steps along each row of an edge, or 30 where the heads' rows are half as long.
    #[test]
    fn tables_take_enough_steps() {
        let half = |least| {
            let facts = for_tables(least);
            let sample = Sample { head_entries: 40_000, ..facts.sample };
            CountingFacts { sample, ..facts }
        };
        assert!(tables_pay(&half(30)) && !tables_pay(&half(31)));
        assert!(tables_pay(&for_tables(40)) && !tables_pay(&for_tables(41)));
        let with = |sample| CountingFacts { sample, ..for_tables(20) };
        let base = for_tables(20).sample;
        // A fifth of the wedges joined asks for 20 more.
        let joined = |joined_wedges| with(Sample { joined_wedges, ..base });
        assert!(tables_pay(&joined(16_000)) && !tables_pay(&joined(16_001)));
        // The mean row of an edge twice as long as the mean row asks for twice as many, and more is too uneven.
        let rows =
            |rows| CountingFacts { tuning: for_tables(0).tuning, ..with(Sample { rows, ..base }) };
        assert!(tables_pay(&rows(50)) && !tables_pay(&rows(51)));
        let uneven = |least| CountingFacts { sample: rows(50).sample, ..for_tables(least) };
        assert!(tables_pay(&uneven(20)) && !tables_pay(&uneven(21)));
        let even = |least| {
            let facts = uneven(least);
            let tuning = Tuning { table_even_permille: 1_600, ..facts.tuning };
            CountingFacts { tuning, ..facts }
        };
        assert!(tables_pay(&even(32)) && !tables_pay(&even(33)));
    }

    #[test]
    fn tables_take_few_entries_and_ranks_and_no_segments() {
        let base = for_tables(20);
        let entries =
            |head_entries| CountingFacts { sample: Sample { head_entries, ..base.sample }, ..base };
        assert!(tables_pay(&entries(120_000)) && !tables_pay(&entries(120_001)));
        let ranks = |ranks| CountingFacts { ranks, ..base };
        assert!(
            tables_pay(&ranks(RowTables::MOST_RANKS))
                && !tables_pay(&ranks(RowTables::MOST_RANKS + 1))
        );
        // Eight tenths of the wedges are joined: 16 of 80 steps are left, and 39 ps an edge. Tables take 55 ps, and more where rows
        // are unequal one and a half times.
        let joined = Sample { joined_wedges: 64_000, ..base.sample };
        let tuning = |table_segments_permille| Tuning {
            table_joined_steps: 0,
            table_segments_permille,
            ..base.tuning
        };
        let with = |sample, most| CountingFacts { sample, tuning: tuning(most), ..base };
        assert!(tables_pay(&with(joined, 1_411)) && !tables_pay(&with(joined, 1_410)));
        let uneven = Sample { rows: joined.rows * 6 / 4, ..joined };
        assert_eq!(uneven.inequality_permille(), 1_480);
        assert!(tables_pay(&with(uneven, 1_547)) && !tables_pay(&with(uneven, 1_546)));
        // Heads' rows of six entries for each wedge: 56 steps are left and count twice, and tables take 155 ps.
        let longer = Sample { head_entries: 480_000, ..joined };
        let few = Tuning { table_max_entries_permille: u32::MAX, ..tuning(1_149) };
        let facts = CountingFacts { sample: longer, tuning: few, ..base };
        assert!(tables_pay(&facts));
        let fewer = Tuning { table_segments_permille: 1_148, ..few };
        assert!(!tables_pay(&CountingFacts { tuning: fewer, ..facts }));
        // Segments that do not pay are no reason.
        let tuning = Tuning { segment_min_wedges: u32::MAX, ..tuning(0) };
        assert!(tables_pay(&CountingFacts { tuning, sample: joined, ..base }));
    }

    /// A tenth of the edges among hubs makes groups pay as soon as they ever do; half of that, half-way from 65 to 25 wedges.
    #[test]
    fn groups_take_fewer_wedges_where_edges_are_among_hubs() {
        let tuning = Tuning { group_more_wedges: 40, group_hub_permille: 100, ..tuning() };
        let pays = |hub_edges, wedges: u64| {
            grouping_pays(&Sample { hub_edges, wedges: wedges * 2_000, ..SAMPLE }, &tuning)
        };
        for (hub_edges, least) in [(0, 65), (100, 45), (150, 35), (200, 25), (2_000, 25)] {
            assert!(pays(hub_edges, least) && !pays(hub_edges, least - 1), "{hub_edges}");
        }
    }

    #[test]
    fn filters_take_few_wedges() {
        let tuning = Tuning { filter_max_wedges: 40, ..tuning() };
        let pays = |wedges| filtering_pays(&Sample { wedges, ..SAMPLE }, &tuning, false);
        assert!(pays(80_000) && !pays(80_001));
    }

    /// Filters of 64 bytes take at most 22 bytes an edge.
    #[test]
    fn filters_take_enough_edges_for_each_rank() {
        let tuning = Tuning { filter_min_edges: 0, narrow_max_wedges: 0, ..tuning() };
        let pays = |ranks| {
            let facts = CountingFacts { sample: SAMPLE, ranks, grouped: None, tuning };
            filters_pay(&facts).iter().all(|check| check.holds)
        };
        assert!(pays(687) && !pays(688));
    }

    /// As few of the first ranks have a bit of their own as leave at most 0.3 triangles and twice 6 wedges for each edge. Of 2,000
    /// edges with 40 wedges each 10,000 wedges were looked at, so that twelve wedges an edge are 3,000 of them.
    #[test]
    fn the_first_ranks_have_a_bit_each_where_that_leaves_few_wedges_and_triangles() {
        let tuning = Tuning { narrow_max_wedges: 6, ..tuning() };
        let exact = |wedges: [u64; 3], triangles: [u64; 3]| {
            let of = |k| OfFirstRanks { wedges: wedges[k], triangles: triangles[k] };
            let sample = Sample { triangles: 5_000, of_first: std::array::from_fn(of), ..SAMPLE };
            exact_ranks(&sample, &tuning)
        };
        assert_eq!(exact([7_000; 3], [4_400; 3]), 1);
        assert_eq!(exact([6_999, 7_000, 7_000], [4_400; 3]), 4);
        assert_eq!(exact([7_000; 3], [4_399, 4_399, 4_400]), 16);
        assert_eq!(exact([7_000; 3], [4_399; 3]), 0);
        assert_eq!(exact([6_999; 3], [4_400; 3]), 0);
        // None of them where few triangles are left without.
        let of_first = [OfFirstRanks { wedges: 10_000, triangles: 600 }; 3];
        let few = |triangles| Sample { triangles, of_first, ..SAMPLE };
        assert_eq!([600, 601].map(|triangles| exact_ranks(&few(triangles), &tuning)), [0, 1]);
    }

    #[test]
    fn filters_take_few_triangles_and_few_near_edges() {
        let pays = |triangles, near, sparse| {
            filtering_pays(&Sample { triangles, near, ..SAMPLE }, &tuning(), sparse)
        };
        assert!(pays(1_800, 2_000, false) && !pays(1_801, 0, false));
        assert!(pays(600, 1_000, true) && !pays(601, 1_000, true) && !pays(600, 1_001, true));
    }

    /// A uniform random graph of 20,000 ranks, with this number of edges.
    fn dense(edges: u64) -> CountingFacts {
        let ranks = 20_000;
        let sample = Sample {
            edges,
            // Row u has a share of u that is the graph's density.
            wedges: edges * edges / ranks * 2 / 3,
            rows: ranks,
            hub_edges: edges * 671 / 1_000,
            matrix_reads: 2_000 * 52,
            ..SAMPLE
        };
        let tuning = Tuning::for_compute_capability(9, 0);
        CountingFacts { sample, ranks, grouped: None, tuning }
    }

    #[test]
    fn dense_graphs_are_a_matrix_of_bits() {
        let taken = |facts: &CountingFacts| counting(facts, u64::MAX);
        let by = |facts: &CountingFacts| match taken(facts).choice {
            Counting::InPlace(InPlace::BitMatrix(BitMatrix { by })) => Some(by),
            _ => None,
        };
        let of_pairs = |permille: u64| dense(200_000 * permille);
        assert_eq!(by(&of_pairs(250)), Some(Product::TensorBits));
        // Heads of low ranks have short rows.
        let dense = of_pairs(250);
        let skewed = Sample { matrix_reads: 2_000 * 10, ..dense.sample };
        let popcount = Product::CommonBits { lanes_log2: 3 };
        assert_eq!(by(&CountingFacts { sample: skewed, ..dense }), Some(popcount));
        // The matrix has 32,768 rows, 134 MB: 14 bytes for each of 9.6 million edges.
        let reason = |facts: &CountingFacts| {
            let chosen = taken(facts);
            let rejected = chosen.rejected.iter().find(|rule| rule.name == "a matrix of bits");
            rejected.map_or(String::new(), |rule| {
                rule.because.iter().map(|reason| format!("{reason}; ")).collect()
            })
        };
        assert!(!reason(&of_pairs(48)).contains("bytes"));
        let of_memory = reason(&of_pairs(47));
        assert!(of_memory.starts_with("134223872 bytes"), "{of_memory}");
        // As many ranks as a matrix has rows, and one more.
        let ranks = |ranks| CountingFacts { ranks, ..of_pairs(3_000) };
        assert!(by(&ranks(65_536)).is_some());
        assert_eq!(reason(&ranks(65_537)), "65537 ranks, at most 65536; ");
        // As many edges as are asked for, and one less.
        let least = |matrix_min_edges| {
            let facts = of_pairs(250);
            CountingFacts { tuning: Tuning { matrix_min_edges, ..facts.tuning }, ..facts }
        };
        assert!(by(&least(50_000_000)).is_some() && by(&least(50_000_001)).is_none());
        // As long as it may take, and less.
        let most = |matrix_max_permille| {
            let facts = of_pairs(250);
            CountingFacts { tuning: Tuning { matrix_max_permille, ..facts.tuning }, ..facts }
        };
        let borders: Vec<u32> = (1..1_000).filter(|&n| by(&most(n)).is_some()).collect();
        let first = borders[0];
        assert!(borders.into_iter().eq(first..1_000) && (100..200).contains(&first), "{first}");
    }

    /// Every border between the rules, from both sides: what changes, and which rule is taken.
    #[test]
    fn the_rules_are_taken_in_their_order() {
        // 40 wedges an edge, none closing, nothing joined.
        let base = Tuning {
            group_min_wedges: 40,
            high_max_permille: 0,
            grouped_min_permille: 500,
            filter_min_edges: 2_000,
            narrow_min_edges: 2_000,
            narrow_max_wedges: 39,
            filter_max_permille: 0,
            narrow_max_permille: 0,
            ..tuning()
        };
        let taken = |sample: Sample, ranks, grouped, tuning: Tuning, free| {
            counting(&CountingFacts { sample, ranks, grouped, tuning }, free).name
        };
        let usual = |sample| taken(sample, 300, None, base, u64::MAX);
        let groups = "groups by head";
        assert_eq!(usual(SAMPLE), groups);
        assert_eq!(usual(Sample { wedges: 79_999, ..SAMPLE }), "filters of 64 bytes a row");
        // Tables come before groups.
        assert_eq!(counting(&for_tables(40), u64::MAX).name, "tables of rows");
        assert_eq!(counting(&for_tables(41), u64::MAX).name, groups);
        // Groups that turned out to be too few.
        let found = |grouped| taken(SAMPLE, 300, Some(grouped), base, u64::MAX);
        assert_eq!((found(1_000), found(999)), (groups, "filters of 64 bytes a row"));
        // 39 wedges an edge are told by few bits, and more take 64 bytes.
        let in_place = Sample { wedges: 79_999, ..SAMPLE };
        let short = Sample { wedges: 78_000, ..SAMPLE };
        assert_eq!(usual(short), "filters of few bits a row");
        assert_eq!(usual(Sample { wedges: 78_001, ..SAMPLE }), "filters of 64 bytes a row");
        // Too few edges for filters, and one triangle too many.
        let few_bits = |narrow_min_edges| {
            let tuning = Tuning { narrow_min_edges, ..base };
            taken(short, 300, None, tuning, u64::MAX)
        };
        assert_eq!(few_bits(2_000), "filters of few bits a row");
        assert_eq!(few_bits(2_001), "merge in place");
        let more = Tuning { filter_min_edges: 2_001, ..base };
        assert_eq!(taken(in_place, 300, None, more, u64::MAX), "merge in place");
        assert_eq!(usual(Sample { triangles: 1, ..in_place }), "merge in place");
        // Segments come after filters and before the merge.
        let close = Sample { triangles: 1, high_triangles: 1, head_entries: 50_000, ..SAMPLE };
        let saving = Sample { joined_wedges: 8_000, ..close };
        assert_eq!(usual(saving), "segments of 32 ranks");
        assert_eq!(usual(Sample { joined_wedges: 7_999, ..close }), "merge in place");
        // Where most wedges close, segments come before groups.
        let closing = |triangles| {
            let tuning = Tuning { group_segments_permille: 800, ..base };
            let sample = Sample { high_triangles: 0, triangles, ..saving };
            taken(sample, 300, None, tuning, u64::MAX)
        };
        assert_eq!((closing(8_001), closing(8_000)), ("segments of 32 ranks", groups));
        // A small graph has segments instead of groups.
        let joined = Sample { high_triangles: 0, ..saving };
        let small = |merge_small_edges| {
            taken(joined, 300, None, Tuning { merge_small_edges, ..base }, u64::MAX)
        };
        assert_eq!((small(2_000), small(1_999)), ("segments of 32 ranks", groups));
        // Each rule takes its memory, or the next is taken.
        let fits = |facts: &CountingFacts| {
            let bytes = counting(facts, u64::MAX).bytes;
            (
                counting(facts, bytes).name,
                bytes.checked_sub(1).map(|less| counting(facts, less).name),
            )
        };
        let facts = CountingFacts { sample: SAMPLE, ranks: 300, grouped: None, tuning: base };
        assert_eq!(fits(&facts), (groups, Some("filters of 64 bytes a row")));
        let facts = CountingFacts { sample: in_place, ..facts };
        assert_eq!(fits(&facts), ("filters of 64 bytes a row", Some("merge in place")));
        let facts = CountingFacts { sample: short, ..facts };
        assert_eq!(fits(&facts), ("filters of few bits a row", Some("merge in place")));
        let facts = CountingFacts { sample: saving, ..facts };
        assert_eq!(fits(&facts), ("segments of 32 ranks", Some("merge in place")));
    }
}
