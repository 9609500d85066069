//! Whether rows are merged as segments of 32 ranks.

use super::{CountingSettings, switched_off};
use crate::plan::facts::WedgeSample;
use crate::plan::method_time::MethodSeconds;
use tribin_plan::reason::Reason;

/// Segments of 32 ranks: 8 bytes an edge and 8 a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segments;

impl Segments {
    /// The seconds that segments take to be cut, and to be merged.
    pub(super) fn seconds(sample: &WedgeSample) -> MethodSeconds {
        MethodSeconds::of_edges(sample, [PS_TO_CUT, ps_of_segments(sample) - PS_TO_CUT])
    }

    /// Bytes of device memory beside a graph of these sizes.
    pub fn bytes(&self, edges: u64, ranks: u64) -> u64 {
        8 * (edges + 1) + 8 * ranks
    }
}

/// The settings by which rows are merged as segments of 32 ranks.
///
/// The figures are the fastest of a sweep, `cargo bench --bench gpu -- hybrid`, over the graphs that are named. Where two graphs
/// disagree, the one that loses less decides. A `permille` is in thousandths: 250 is a quarter.
///
/// | cut-off | measured by |
/// | --- | --- |
/// | `min_wedges` 8, `min_saved` 8, `min_joined_permille` 600, `head_joined_permille` 200 | segments, cutting included, over the better of merge and tables, on the graphs to choose by of benches/gpu/bed.rs in every order: these lose nothing there; heads' rows as long as the tails', ws:600000,30,100,2 (67% of the wedges joined, 14.6 an edge: 0.87), communities:400000,1000000,900,10,200,6 (72%, 32: 0.69); twice as long, ws (66%, 12: 1.03), hyperbolic:300000,100,2500,4 with hubs first (41%, 44: 0.88); four times, hyperbolic:1200000,30,2300,2 with hubs first (42%, 20: 0.71) |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentSettings {
    /// The oriented graph has at least this many wedges for each edge.
    pub min_wedges: u32,
    /// At least this many steps of a merge are saved for each edge, which is about what it takes to cut the rows. A wedge
    /// is a step along the tail's row. It is saved if its third vertex is in a segment with the entry before.
    pub min_saved: u32,
    /// The share of the wedges that has to be saved before any counts: so much longer a step over segments takes.
    pub min_joined_permille: u32,
    /// The share of the entries of heads' rows that has to be saved before any counts: each of these is a step, too.
    pub head_joined_permille: u32,
}

impl SegmentSettings {
    /// The settings that graphs are counted by.
    pub const MEASURED: SegmentSettings = SegmentSettings {
        min_wedges: 8,
        min_saved: 8,
        min_joined_permille: 600,
        head_joined_permille: 200,
    };
}

/// Rows have enough entries, and a merge of segments saves enough steps for each edge.
///
/// A wedge is a step along the tail's row, and one whose third vertex is in a segment with the entry before is a step no more. A
/// step over segments takes longer than one over entries, so that many have to go before anything is saved. Fewer have to
/// among the entries of heads' rows: those are read at random, and segments shorten what is read.
pub(super) fn segments(sample: &WedgeSample, settings: &CountingSettings) -> Vec<Reason> {
    let Some(settings) = &settings.segments else { return switched_off() };
    let (joined, sampled) = (i128::from(sample.joined_wedges), i128::from(sample.sampled_wedges));
    // In units of a thousandth of a sampled wedge, below 2⁶². No share is larger than all.
    let beyond = |permille: u32| 1_000 * joined - i128::from(permille.min(1_000)) * sampled;
    // Wedges are below 2⁶³ and entries below 2⁶⁴, so that the sum is below 2¹²⁷.
    let of_tails = i128::from(sample.wedges) * beyond(settings.min_joined_permille);
    let of_heads = sample.entries_of_heads() as i128 * beyond(settings.head_joined_permille);
    let saved = (of_tails + of_heads).max(0) / (1_000 * sampled).max(1);
    vec![
        Reason::at_least(sample.wedges, sample.edges, "wedges an edge", settings.min_wedges),
        Reason::at_least(
            u64::try_from(saved).unwrap_or(u64::MAX),
            sample.edges,
            "steps of a merge are saved an edge by segments",
            settings.min_saved,
        ),
    ]
}

/// Whether nothing speaks against segments.
pub(super) fn segments_pay(sample: &WedgeSample, settings: &CountingSettings) -> bool {
    segments(sample, settings).iter().all(|check| check.holds)
}

/// Picoseconds an edge that rows take to be cut into segments.
const PS_TO_CUT: f64 = 8.0;

/// Picoseconds an edge in segments on an H200, cutting included, for each step that is left, longer where heads have much longer rows than tails: lanes wait for them.
pub(super) fn ps_of_segments(sample: &WedgeSample) -> f64 {
    let sampled = sample.sampled_wedges.max(1) as f64;
    let left = 1.0 - sample.joined_wedges as f64 / sampled;
    let longer = sample.head_entries as f64 / sampled / 3.0;
    PS_TO_CUT + 15.0 + (sample.steps_of_tail() + sample.steps_of_head()) * left * longer.max(1.0)
}
