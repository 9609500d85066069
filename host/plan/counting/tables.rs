//! Whether the rows of heads are looked up in tables of their tails' rows.

use super::filters::{filters_pay, ps_of_filters};
use super::segments::segments_pay;
use crate::methods::row_tables::RowTables;
use crate::plan::facts::{CountingFacts, Sample};
use crate::plan::reason::{Bound, Figure, Reason};

/// Rows are long and even, and segments do not take less.
///
/// A table takes as long to make for a short row as a merge takes, and each of its look-ups costs a read of shared memory. So
/// the rows that a merge would step along have to be long. A merge costs less where the entries of rows are near each other, since
/// the caches hold what it reads. Where rows are uneven, the largest fill their tables.
pub(super) fn tables(facts: &CountingFacts) -> Vec<Reason> {
    let CountingFacts { sample, ranks, tuning, .. } = facts;
    let uneven = sample.inequality_permille();
    let (joined, sampled) = (sample.joined_wedges, sample.sampled_wedges.max(1));
    // Below 2³³, and with 2³¹ times the inequality below 2⁷⁵.
    let least = u128::from(tuning.table_min_steps) * 1_000
        + u128::from(tuning.table_joined_steps) * 1_000 * u128::from(joined) / u128::from(sampled);
    let even = u128::from(tuning.table_even_permille).max(1);
    // For 1,000 edges.
    let least = least * uneven.max(even) / even;
    let steps = (u128::from(sample.wedges) + sample.entries_of_heads()) / 2;
    // Entries are below 2⁵², and the wedges of the sample, too.
    let entries = Figure::Quotient(sample.head_entries as f64, sample.sampled as f64);
    let most = f64::from(tuning.table_max_entries_permille) / 1e3 * sample.sampled_wedges as f64;
    let more = u128::from(sample.head_entries) * 1_000
        <= u128::from(tuning.table_max_entries_permille) * u128::from(sample.sampled_wedges);
    let mut checks = vec![
        Reason::compared(
            // Wedges are below 2⁶³ and entries below 2⁶⁴.
            tuning.table_min_steps != u32::MAX && steps * 1_000 >= least * u128::from(sample.edges),
            Figure::Quotient(steps as f64, sample.edges as f64),
            "steps along each row of an edge",
            Bound::AtLeast(Figure::Quotient(least as f64, 1e3)),
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
    if filters_pay(facts).iter().all(|check| check.holds) {
        let [tables, filters] = [ps_of_tables(sample), ps_of_filters(sample, tuning)];
        checks.push(Reason::compared(
            tables <= filters,
            Figure::Quotient(tables, 1.0),
            "ps an edge in tables, where filters pay",
            Bound::AtMost(Figure::Quotient(filters, 1.0)),
        ));
    }
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
pub(super) fn steps(sample: &Sample) -> (f64, f64) {
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

/// Picoseconds an edge in segments on an H200, for each step that is left, longer where heads have much longer rows than
/// tails: lanes wait for them.
fn ps_of_segments(sample: &Sample) -> f64 {
    let (of_tail, of_head) = steps(sample);
    let sampled = sample.sampled_wedges.max(1) as f64;
    let left = 1.0 - sample.joined_wedges as f64 / sampled;
    let longer = sample.head_entries as f64 / sampled / 3.0;
    23.0 + (of_tail + of_head) * left * longer.max(1.0)
}
