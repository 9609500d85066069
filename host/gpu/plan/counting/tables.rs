//! Whether the rows of heads are looked up in tables of their tails' rows.

use super::segments::{ps_of_segments, segments_pay};
use super::switched_off;
use crate::plan::facts::{CountingFacts, WedgeSample};
use crate::plan::method_time::MethodSeconds;
use tribin_kernels::row_tables::{MOST_BITS, MOST_THREADS, SLOTS_LOG2, bits_bytes, tags_bytes};
use tribin_plan::reason::{Bound, Reason, ReasonFigure};

/// Most bytes of a table of bits, so that two blocks fit a multiprocessor of every GPU of compute capability 8.0 and more, and
/// four or five those of data centres.
const MOST_BITS_BYTES: u32 = 40 << 10;

/// A table has 2^this slots at most.
const MOST_SLOTS_LOG2: u32 = *SLOTS_LOG2.end();

/// A table has 2^this slots at least.
const LEAST_SLOTS_LOG2: u32 = 11;

/// Threads of the smallest blocks.
const LEAST_THREADS: u32 = 64;

/// Shared memory that the tables of a multiprocessor's blocks take together, about, and threads that can be there at once.
const SHARED_BYTES: u32 = 208 << 10;
const RESIDENT_THREADS: u32 = 2048;

/// The form in which a table keeps the entries of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableKind {
    /// A bit for each rank.
    Bits,
    /// 2^`slots_log2` slots of 8 bits: at most 255 ranks for each slot.
    Slots8 {
        /// The binary logarithm of the number of slots, from 5 to 15.
        slots_log2: u32,
    },
    /// 2^`slots_log2` slots of 16 bits: at most 65,535 ranks for each slot.
    Slots16 {
        /// The binary logarithm of the number of slots, from 5 to 15.
        slots_log2: u32,
    },
}

impl TableKind {
    /// Bytes of a table.
    pub const fn bytes(self, ranks: u64) -> u32 {
        match self {
            TableKind::Bits => bits_bytes(ranks as u32),
            TableKind::Slots8 { slots_log2 } => tags_bytes(slots_log2, 1),
            TableKind::Slots16 { slots_log2 } => tags_bytes(slots_log2, 2),
        }
    }
}

/// The kind of the tables, and the threads that look up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowTables {
    /// How a table keeps entries.
    pub table: TableKind,
    /// Threads in a block: a multiple of 32, at most 512.
    pub block: u32,
    /// The binary logarithm of the lanes that stream a row; at most 5.
    pub lanes_log2: u32,
}

impl RowTables {
    /// Most ranks of a graph that has tables.
    pub const MOST_RANKS: u64 = 65_535 << MOST_SLOTS_LOG2;

    /// The seconds that tables take. They are made while rows are looked up.
    pub(super) fn seconds(sample: &WedgeSample) -> MethodSeconds {
        MethodSeconds::of_edges(sample, [0.0, ps_of_tables(sample)])
    }

    /// The tables for rows of `row` entries, from the view of an edge, in a graph of at most [`MOST_RANKS`](Self::MOST_RANKS) ranks.
    ///
    /// There are about row² slots, so that of half an entry to one the slot is taken. A bit for each rank is
    /// taken where that is at most half as much memory again. Blocks have a thread for about each entry of a row, and more where their
    /// tables are so large that few blocks fit a multiprocessor.
    ///
    /// docs/measured.md says what this was read off.
    pub fn for_rows(row: u64, ranks: u64) -> RowTables {
        let row = row.clamp(1, 1 << 16) as u32;
        let least_slots =
            (row * row.min(u32::MAX / row)).ilog2().clamp(LEAST_SLOTS_LOG2, MOST_SLOTS_LOG2);
        let fitting = |ranks_of_slot: u64| {
            let slots = (ranks / ranks_of_slot + 1).next_power_of_two().ilog2();
            (slots <= MOST_SLOTS_LOG2).then(|| slots.max(least_slots))
        };
        // A slot of 16 bits takes as much as two of 8.
        let slots = match fitting(255) {
            Some(slots_log2) if slots_log2 <= least_slots + 1 => TableKind::Slots8 { slots_log2 },
            _ => TableKind::Slots16 { slots_log2: fitting(65_535).unwrap_or(MOST_SLOTS_LOG2) },
        };
        let bits = ranks <= MOST_BITS.into()
            && TableKind::Bits.bytes(ranks) <= (slots.bytes(ranks) * 3 / 2).min(MOST_BITS_BYTES);
        let table = if bits { TableKind::Bits } else { slots };
        let blocks = (SHARED_BYTES / table.bytes(ranks)).max(1);
        let block = (row * 3 / 4).max(RESIDENT_THREADS / blocks).next_power_of_two();
        RowTables {
            table,
            block: block.clamp(LEAST_THREADS, MOST_THREADS),
            lanes_log2: if row >= LONG_ROW { 4 } else { 3 },
        }
    }
}

/// Rows of so many entries and more get 16 lanes, shorter ones 8.
const LONG_ROW: u32 = 128;

/// The settings by which the rows of heads are looked up in tables of their tails' rows.
///
/// The figures are the fastest of a sweep, `cargo bench --bench gpu -- hybrid`, over the graphs that are named. Where two graphs
/// disagree, the one that loses less decides. A `permille` is in thousandths: 250 is a quarter.
///
/// | cut-off | measured by |
/// | --- | --- |
/// | `min_steps` 16, `joined_steps` 25, `even_permille` 1,300 | tables over the best other method: ba:400000,40,5 shuffled (20 wedges an edge, and 38 entries in its head's row: 0.72), hyperbolic:600000,60,2900,5 by degrees (15, 32: 0.70), sorted:er:800000,24000000,8 (20, 20: 0.84), sorted:geometric:500000,50,5 (15, 19: 0.93), shuffled:ws:1000000,20,50,5 (13, 13: 1.09), sorted:ws:700000,40,300,8 (20, 38, 37% joined: 1.06), hyperbolic:600000,60,2900,5 with hubs first (19, 31, 25%: 1.09); rows unequal 1.7 times, communities:600000,8000000,500,20,400,3 (39, 39: 0.79), sorted:hyperbolic:700000,40,2600,8 with hubs first (17, 36, 29%: 1.20) |
/// | `max_uneven_permille` 3,000, `max_entries_permille` 4,600 | rows unequal 2.1 times, communities:524288,300000,400,10,500,2+rmat:19,8,3 (0.76), 2.5 times, sorted:communities:1200000,2000000,350,15,900,7 by degrees (0.83), 4.2 times, sorted:affiliation:600000,120000,600,9 by ids (1.20), and 6.5 times, rmat20 (2.44); 3.4 entries for each wedge, hyperbolic:300000,100,2500,4 by degrees (0.73), 4.6, hyperbolic:800000,60,2400,3 (0.69), 5.1, hyperbolic:2000000,24,2400,9 (1.30) |
/// | `segments_permille` 1,000 | tables over segments, cutting included, and what is predicted: hyperbolic:500000,80,2300,4 by degrees (0.61, predicted 0.85), shuffled:ws:100000,200,100,3 by neighbourhoods (0.86, 0.83), ws:300000,60,200,2 (0.91, 1.00), hyperbolic:300000,100,2500,4 with hubs first (1.14, 1.02), sorted:ws:120000,180,150,4 (1.25, 1.02), geometric:300000,120,3 by neighbourhoods (1.50, 1.25), ws:100000,200,100,1 (1.76, 1.22), ws:150000,150,50,2 (2.49, 1.6) |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableSettings {
    /// Rows are long: a merge has at least this many steps along a row, in the mean of both rows of an edge.
    pub min_steps: u32,
    /// The steps that are asked for beyond `min_steps` if all sampled wedges have their third vertex in a segment with the entry before,
    /// and in proportion if fewer have: a merge of such rows reads what the caches hold.
    pub joined_steps: u32,
    /// The number of steps that are asked for grows in proportion where the mean row of an edge is longer than this share of the mean
    /// row, which it is if entries are drawn at random.
    pub even_permille: u32,
    /// The mean row of an edge is at most this share of the mean row.
    pub max_uneven_permille: u32,
    /// The rows of the heads have at most this many entries for 1,000 wedges.
    pub max_entries_permille: u32,
    /// Where segments pay, tables come before them if they are predicted to take at most this share of the segments' time.
    pub segments_permille: u32,
}

impl TableSettings {
    /// The settings that graphs are counted by.
    pub const MEASURED: TableSettings = TableSettings {
        min_steps: 16,
        joined_steps: 25,
        even_permille: 1_300,
        max_uneven_permille: 3_000,
        max_entries_permille: 4_600,
        segments_permille: 1_000,
    };
}

/// Rows are long and even, and segments do not take less.
///
/// A table takes as long to make for a short row as a merge takes, and each of its look-ups costs a read of shared memory. So
/// the rows that a merge would step along have to be long. A merge costs less where the entries of rows are near each other, since
/// the caches hold what it reads. Where rows are uneven, the largest fill their tables.
pub(super) fn tables(facts: &CountingFacts) -> Vec<Reason> {
    let CountingFacts { sample, ranks, settings, .. } = facts;
    let Some(own) = &settings.tables else { return switched_off() };
    let uneven = sample.inequality_permille();
    let (joined, sampled) = (sample.joined_wedges, sample.sampled_wedges.max(1));
    // Below 2³³, and with 2³¹ times the inequality below 2⁷⁵.
    let least = u128::from(own.min_steps) * 1_000
        + u128::from(own.joined_steps) * 1_000 * u128::from(joined) / u128::from(sampled);
    let even = u128::from(own.even_permille).max(1);
    // For 1,000 edges.
    let least = least * uneven.max(even) / even;
    let steps = (u128::from(sample.wedges) + sample.entries_of_heads()) / 2;
    // Entries are below 2⁵², and the wedges of the sample, too.
    let entries = ReasonFigure::Quotient(sample.head_entries as f64, sample.sampled as f64);
    let most = f64::from(own.max_entries_permille) / 1e3 * sample.sampled_wedges as f64;
    let more = u128::from(sample.head_entries) * 1_000
        <= u128::from(own.max_entries_permille) * u128::from(sample.sampled_wedges);
    let mut checks = vec![
        Reason::compared(
            // Wedges are below 2⁶³ and entries below 2⁶⁴.
            steps * 1_000 >= least * u128::from(sample.edges),
            ReasonFigure::Quotient(steps as f64, sample.edges as f64),
            "steps along each row of an edge",
            Bound::AtLeast(ReasonFigure::Quotient(least as f64, 1e3)),
        ),
        Reason::compared(
            uneven <= own.max_uneven_permille.into(),
            ReasonFigure::Quotient(uneven as f64, 1e3),
            "times the mean row, the mean row of an edge",
            Bound::AtMost(ReasonFigure::Quotient(own.max_uneven_permille.into(), 1e3)),
        ),
        Reason::compared(
            more,
            entries,
            "entries in the row of a sampled edge's head",
            Bound::AtMost(ReasonFigure::Quotient(most, sample.sampled as f64)),
        ),
        Reason::whole_at_most(*ranks, "ranks", RowTables::MOST_RANKS),
    ];
    if segments_pay(sample, settings) {
        let [tables, segments] = [ps_of_tables(sample), ps_of_segments(sample)];
        let most = f64::from(own.segments_permille) / 1e3 * segments;
        let what = "ps an edge in tables, where segments pay";
        checks.push(Reason::real_at_most(tables, what, most));
    }
    checks
}

/// Picoseconds an edge in tables on an H200: for the table and for each entry that is looked up, longer where the largest rows fill their
/// tables.
fn ps_of_tables(sample: &WedgeSample) -> f64 {
    let uneven = sample.inequality_permille() as f64 / 1_350.0;
    (35.0 + 0.5 * sample.steps_of_head()) * uneven.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::{RowTables, TableKind};

    /// The graphs of docs/measured.md, and those at the borders.
    #[test]
    fn tables_are_as_large_as_rows_and_ranks_ask_for() {
        let tables = |row, ranks| {
            let RowTables { table, block, lanes_log2 } = RowTables::for_rows(row, ranks);
            (table, block, lanes_log2)
        };
        let [slots8, slots16] = [
            |slots_log2| TableKind::Slots8 { slots_log2 },
            |slots_log2| TableKind::Slots16 { slots_log2 },
        ];
        // ws:300000,200,500,1; er-dense; ws:1000000,40,600,1.
        assert_eq!(tables(237, 300_000), (TableKind::Bits, 512, 4));
        assert_eq!(tables(82, 262_144), (slots8(12), 64, 3));
        assert_eq!(tables(45, 1_000_000), (slots8(12), 64, 3));
        // Slots of 8 bits tell 255 ranks apart, and twice as many as the row asks for are taken.
        assert_eq!(tables(45, (255 << 12) - 1).0, slots8(12));
        assert_eq!(tables(45, 255 << 12).0, slots16(11));
        assert_eq!(tables(45, u32::MAX.into()).0, slots16(15));
        // A bit a rank is taken where it is at most half as much memory again as the slots, which take 2,304 bytes.
        assert_eq!(tables(45, 8 * 3_456).0, TableKind::Bits);
        assert_eq!(tables(45, 8 * 3_456 + 1).0, slots8(11));
        assert_eq!(tables(400, 8 * (40 << 10)).0, TableKind::Bits);
        assert_eq!(tables(400, 8 * (40 << 10) + 1).0, slots8(15));
        // The shortest rows and the longest.
        assert_eq!(tables(0, 100_000), (slots8(11), 64, 3));
        assert_eq!(tables(u64::MAX, u32::MAX.into()), (slots16(15), 512, 4));
        assert_eq!(tables(128, 5_000_000).2, 4);
        assert_eq!(tables(127, 5_000_000).2, 3);
    }
}
