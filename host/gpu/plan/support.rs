//! How the support of edges is counted on a GPU.

use super::counting::{GroupSettings, RowBits, SAMPLE_STEP, SampleSettings, grouping};
use super::facts::WedgeSample;
use tribin_plan::reason::{Chosen, Reason, Rules};

/// The way in which support is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SupportCounter {
    /// Edges of heads with many of them are brought together.
    Groups,
    /// Every edge is merged in place.
    Merge,
}

/// Cut-offs of the groups: with no others that were tried was rmat20 faster by over 2% on an H200. There are fewer bits than
/// counting has. What is saved holds the places and counters of a row, and nearly all triangles close at a rank below `exact`.
pub const SUPPORT_GROUPS: GroupSettings = GroupSettings {
    row_bits: RowBits { exact: 12_288, filter_log2: 12, search_lanes_log2: 2, ..RowBits::MEASURED },
    hubs: None,
    min_wedges: 30,
    more_wedges: 0,
    high_max_permille: 100,
    high_wedges: None,
    ..GroupSettings::MEASURED
};

/// The settings of the sample for this choice.
pub fn support_sample() -> SampleSettings {
    SampleSettings::new(SAMPLE_STEP, Some(&SUPPORT_GROUPS))
}

/// The facts by which the way to count support is chosen.
#[derive(Debug, Clone, Copy)]
pub struct SupportFacts {
    /// Edges of the graph.
    pub edges: u64,
    /// Bytes of device memory that groups take beside the graph, with the support.
    pub grouped: u64,
    /// Bytes of device memory that the merge takes beside the graph, with the support.
    pub merged: u64,
    /// What a sample of the wedges found, where groups are in question.
    pub sample: Option<WedgeSample>,
}

impl SupportFacts {
    /// Whether a sample of the wedges decides, with `free` bytes of device memory beside the graph.
    pub fn is_to_be_sampled(&self, free: u64) -> bool {
        self.edges > 0 && self.grouped <= free
    }
}

/// Chooses how the support is counted of a graph with `free` bytes of device memory beside it. O(1).
pub fn support_counter(facts: &SupportFacts, free: u64) -> Chosen<SupportCounter> {
    let edges = Reason::whole_at_least(facts.edges, "edges", 1);
    let sampled = facts.sample.map(|sample| grouping(&sample, &SUPPORT_GROUPS));
    let many = [vec![edges], sampled.unwrap_or_default()].concat();
    Rules::within(free)
        .rule("groups by head", SupportCounter::Groups, facts.grouped, many)
        .otherwise("merge in place", SupportCounter::Merge, facts.merged, Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample of 1,000 edges, at which nothing closes.
    const SAMPLE: WedgeSample = WedgeSample {
        edges: 1_000,
        rows: 10,
        sampled: 1_000,
        sampled_wedges: 1_000,
        ..WedgeSample::NONE
    };

    fn chosen(facts: SupportFacts, free: u64) -> (SupportCounter, u64) {
        let chosen = support_counter(&facts, free);
        (chosen.choice, chosen.bytes)
    }

    #[test]
    fn groups_are_for_many_wedges_an_edge_where_they_fit() {
        let sample = |wedges| WedgeSample { wedges, ..SAMPLE };
        let (many, few) = (sample(30_000), sample(29_999));
        let facts = |sample| SupportFacts { edges: 1_000, grouped: 50, merged: 40, sample };
        assert_eq!(chosen(facts(Some(many)), 50), (SupportCounter::Groups, 50));
        assert_eq!(chosen(facts(Some(few)), 50), (SupportCounter::Merge, 40));
        assert_eq!(chosen(facts(Some(many)), 49), (SupportCounter::Merge, 40));
        let few = support_counter(&facts(Some(few)), 50);
        assert_eq!(few.rejected[0].because.len(), 1);
    }

    #[test]
    fn nothing_is_sampled_where_groups_are_out_of_the_question() {
        let facts = SupportFacts { edges: 1_000, grouped: 50, merged: 40, sample: None };
        assert!(facts.is_to_be_sampled(50) && !facts.is_to_be_sampled(49));
        assert_eq!(chosen(facts, 49), (SupportCounter::Merge, 40));
        let empty = SupportFacts { edges: 0, ..facts };
        assert!(!empty.is_to_be_sampled(50));
        assert_eq!(chosen(empty, 50), (SupportCounter::Merge, 40));
    }
}
