//! Whether rows are merged as segments of 32 ranks.

use crate::facts::Sample;
use crate::reason::Reason;
use crate::time::Rates;
use crate::tuning::Tuning;

/// Segments of 32 ranks: 8 bytes an edge and 8 a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segments;

impl Segments {
    pub(super) const RATES: Rates = Rates { build: 8.0e-12, count: 1.9e-12 };

    /// Bytes of device memory beside a graph of these sizes.
    pub fn bytes(&self, edges: u64, ranks: u64) -> u64 {
        8 * (edges + 1) + 8 * ranks
    }
}

/// Rows have enough entries, and a merge of segments saves enough steps for each edge.
///
/// A wedge is a step along the tail's row, and one whose third vertex is in a segment with the entry before is a step no more. A
/// step over segments takes longer than one over entries, so that many have to go before anything is saved. Fewer have to
/// among the entries of heads' rows: those are read at random, and segments shorten what is read.
pub(super) fn segments(sample: &Sample, tuning: &Tuning) -> Vec<Reason> {
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
pub(super) fn segments_pay(sample: &Sample, tuning: &Tuning) -> bool {
    segments(sample, tuning).iter().all(|check| check.holds)
}
