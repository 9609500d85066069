//! The cut-offs of [`hybrid_gpu`](super::hybrid_gpu), by compute capability.
//!
//! Every figure here is the fastest of a sweep, `cargo bench --bench gpu -- --hybrid`, over the graphs
//! that it names; where two graphs disagree, the one that loses less decides.

use crate::graph::Summary;

/// How a graph's edges are shared out between methods, and how many threads each gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Edges among so many hubs, the lowest ranks, are counted as a matrix of bits: a multiple of 512 up
    /// to 16,384, or none for 0...
    pub hubs: u32,
    /// ... if there are at least so many of them...
    pub hub_least_edges: u32,
    /// ... and so many of 1,000 edges.
    pub hub_least_permille: u32,
    /// 2^this lanes go through a row of the matrix, at most 2⁵.
    pub hub_lanes_log2: u32,
    /// Heads below this rank can have a group, counted by row bits.
    pub ranks: u32,
    /// Ranks below this one have a bit of their own.
    pub exact: u32,
    /// The ranks above share 2^this bits as a filter; with `exact` at most 65,536 bits.
    pub filter_log2: u32,
    /// Fewest edges of a head with a group; at least 1. A group costs its block two barriers and the
    /// setting and clearing of the bits, whatever there is to count.
    pub least_edges: u32,
    /// Shortest row of a head with a group; at least 1.
    pub least_row: u32,
    /// Edges are brought into groups if there are at least so many wedges of the oriented graph for each:
    /// a group is made an edge at a time, and gains a wedge at a time.
    pub group_least_wedges: u32,
    /// ... and if, in a sample, at most so many of 1,000 wedges close at a head from `exact` on, where a set
    /// bit has to be looked up: where rows are of one length, and more where they are not
    /// ([`Sample::grouping_pays`](super::sample_gpu::Sample::grouping_pays)).
    pub high_most_permille: u32,
    /// Such wedges may be more in proportion where there are more than so many wedges an edge; at least 1.
    pub high_wedges: u32,
    /// If fewer of 1,000 edges are in groups, none are: every edge is merged in place.
    pub least_grouped_permille: u32,
    /// Most edges of a work item, from 1 to 2¹⁵.
    pub chunk: u32,
    /// 2^this lanes stream a prefix, at most 2⁵.
    pub stream_lanes_log2: u32,
    /// Threads in a block of row bits: a multiple of 32.
    pub block: u32,
    /// Blocks of row bits on a multiprocessor.
    pub blocks_per_multiprocessor: u32,
    /// An edge without a group is merged by one thread if its prefix and its head's row have at most
    /// so many entries together, and searched otherwise.
    pub merge_most: u32,
    /// 2^this lanes search an edge, at most 2⁵.
    pub search_lanes_log2: u32,
    /// Where no edge has a group, signatures are thought of for graphs with at least so many edges...
    pub filter_least_edges: u32,
    /// ... and so many for each rank, at least 6: two signatures of 32 bytes are made for every rank. Where
    /// there are fewer, they are of one to four bytes.
    pub filter_least_row: u32,
    /// Every so-many-th edge is counted first to see how many wedges close; at least 1, and best a prime:
    /// rows of equal lengths are not to meet it at the same place each time.
    pub sample_step: u32,
    /// The signatures are used if 1,000 edges of the sample have at most so many triangles,
    pub filter_most_permille: u32,
    /// and those of few bytes if they have at most so many.
    pub narrow_most_permille: u32,
    /// What is left is merged as segments of 32 ranks if there are at least so many wedges of the oriented graph
    /// for each edge...
    pub segment_least_wedges: u32,
    /// ... and at least so many of 1,000 entries are in one segment with the entry before.
    pub segment_least_joined_permille: u32,
    /// In a graph of at most so many edges...
    pub segment_small_edges: u32,
    /// ... so many of 1,000 entries are enough, and nothing is brought into groups then.
    pub segment_small_joined_permille: u32,
    /// Where entries are merged in place, with at least so many wedges of the oriented graph for each edge, a
    /// block has twice the threads of [`CountShape::default`](crate::methods::forward::gpu::CountShape).
    pub merge_long_wedges: u32,
}

/// The hubs of every policy that has a matrix.
pub const HUBS: u32 = 16_384;
/// The fewest edges among the hubs for which the matrix is made.
pub const HUB_LEAST_EDGES: u32 = 3_000_000;

/// The policies, each from the compute capability it was measured on; the last that is not above the
/// chip's is taken, or the first.
///
/// | from | cut-off | measured by |
/// | --- | --- | --- |
/// | 8.0 | as 9.0 | not measured |
/// | 9.0 | `least_edges` 8 | rmat20 (1.28 ms of counting against 1.51 with 48), rmat22 (6.42, 6.84), ba (0.47, 0.76) |
/// | 9.0 | `group_least_wedges` 20 | grouped and not: er22 (9: 11.4 ms and 1.93), ba-sparse (10: 1.05, 0.35), ws (16: 5.7, 0.99), ba (25: 0.88, 0.94), er-dense (38: 1.71, 2.14), rmat-sparse (27: 0.77, 1.77), rmat20 (78: 1.81, 8.06) |
/// | 9.0 | `high_most_permille` 30 | grouped and not: ws:300000,60,500,2 (5.5% high, rows of one length: 3.05 ms, 1.70), ws:300000,60,200,2 (21%: 4.60, 1.48), er-dense (below 0.1%), rmat:26,20,1 (over 3%, rows unequal: 460, 8,740) |
/// | 9.0 | `high_wedges` 80 | grouped and not: ws:100000,200,500,1 (118 wedges an edge, 4.2% high: 3.37 ms, 5.51), ws:200000,120,500,1 (75, 5.9%: 4.16, 4.03) |
/// | 9.0 | `filter_least_row` 6 | er22 (15 a rank: 1.93 ms with signatures and their making, 3.36 merged), web (12: 0.61, 0.92), grid (2: 0.30, 0.20) |
/// | 9.0 | `filter_most_permille` 1,000 | web (1: 0.61, 0.92), ba (350: 0.94, 1.11), clustered (7,300: 3.82, 0.81), ws (8,700: 3.27, 0.99) |
/// | 9.0 | `narrow_most_permille` 300 | with few bits a row and merged: grid:4096,2 (120: 0.67 ms, 0.88), ws:4000000,8,50,3 (3,000: 0.44, 0.32) |
/// | 9.0 | `segment_least_wedges` 8, `segment_least_joined_permille` 650 | segments and entries merged: clustered (11.5 wedges an edge, 75% joined: 0.33 ms, 0.51), geometric (10.1, 69%: 0.31, 0.43), ws:2000000,16,300,1 (8.0, 61%: 0.77, 0.68), ws:4000000,8,50,3 (3.6, 80%: 0.31, 0.32) |
/// | 9.0 | `segment_small_edges` 2²¹, `segment_small_joined_permille` 300 | segments and groups, making included: rmat14 (50% joined: 0.05 ms, 0.16), rmat17 (1.9 M edges, 40%: 0.20, 0.29), rmat18 (3.8 M edges, 35%: 0.49, 0.49) |
/// | 9.0 | `merge_long_wedges` 20 | 128 threads and 64: ws:300000,200,500,1 (118 wedges an edge: 16.5 ms, 16.6), ws:1000000,40,600,1 (25: 2.83, 2.89), ws:4000000,8,50,3 (4: 0.34, 0.33); merged as entries, clustered (12: 0.54, 0.52) |
/// | 9.0 | the others | no other value of the sweep was faster on rmat20 and rmat22 by more than 3% |
const POLICIES: [((u32, u32), Policy); 1] = [(
    (8, 0),
    Policy {
        hubs: HUBS,
        hub_least_edges: HUB_LEAST_EDGES,
        hub_least_permille: 100,
        hub_lanes_log2: 2,
        ranks: u32::MAX,
        exact: 57_344,
        filter_log2: 13,
        least_edges: 8,
        least_row: 1,
        group_least_wedges: 20,
        high_most_permille: 30,
        high_wedges: 80,
        least_grouped_permille: 125,
        chunk: 1_024,
        stream_lanes_log2: 3,
        block: 128,
        blocks_per_multiprocessor: 16,
        merge_most: 64,
        search_lanes_log2: 3,
        filter_least_edges: 1 << 20,
        filter_least_row: 6,
        sample_step: 251,
        filter_most_permille: 1_000,
        narrow_most_permille: 300,
        segment_least_wedges: 8,
        segment_least_joined_permille: 650,
        segment_small_edges: 1 << 21,
        segment_small_joined_permille: 300,
        merge_long_wedges: 20,
    },
)];

/// Most wedges of the simple graph for each of its edges, and
const MOST_WEDGES_BY_ID: u128 = 200;

/// largest degree, of a graph whose vertices are as well in the order of their ids: one thread merges
/// two rows of that length in microseconds.
const MOST_DEGREE_BY_ID: u64 = 1_024;

/// Whether the degrees of a graph differ so little that its rows are nearly as short in any order.
///
/// The lengths of both rows, summed over all edges, are at most the squared degrees, which few wedges an
/// edge keep small.
pub fn order_of_ids_serves(figures: &Summary) -> bool {
    figures.wedges <= MOST_WEDGES_BY_ID * u128::from(figures.edges)
        && figures.max_degree <= MOST_DEGREE_BY_ID
}

impl Policy {
    /// The policy for chips of compute capability `major.minor`.
    pub fn for_compute_capability(major: u32, minor: u32) -> Policy {
        let fits = POLICIES.iter().rev().find(|(from, _)| *from <= (major, minor));
        fits.unwrap_or(&POLICIES[0]).1
    }

    /// # Panics
    /// If a field is out of its bounds.
    pub fn check(&self) {
        let bits = 1u64.checked_shl(self.filter_log2).map(|filter| u64::from(self.exact) + filter);
        assert!(bits.is_some_and(|bits| bits <= 1 << 16), "65,536 bits at most: {self:?}");
        assert!(self.least_edges > 0 && self.least_row > 0, "an empty group: {self:?}");
        assert!((1..=1 << 15).contains(&self.chunk), "1 to 32,768 edges an item: {self:?}");
        assert!(self.stream_lanes_log2 <= 5 && self.search_lanes_log2 <= 5, "a warp: {self:?}");
        assert!((1..1 << 31).contains(&self.sample_step), "a sample: {self:?}");
        assert!(self.high_wedges > 0, "no wedges an edge: {self:?}");
        let hubs = self.hubs <= 16_384 && self.hubs.is_multiple_of(512);
        assert!(hubs && self.hub_lanes_log2 <= 5, "a matrix: {self:?}");
        let block = (32..=1024).contains(&self.block) && self.block.is_multiple_of(32);
        assert!(block && self.blocks_per_multiprocessor > 0, "whole warps: {self:?}");
    }
}

#[cfg(test)]
mod tests {
    use std::panic;

    use super::{POLICIES, Policy};

    #[test]
    fn every_chip_has_the_nearest_policy_below() {
        assert!(POLICIES.is_sorted_by(|(a, _), (b, _)| a < b));
        for (i, ((major, minor), policy)) in POLICIES.iter().enumerate() {
            assert_eq!(Policy::for_compute_capability(*major, *minor), *policy);
            let next = POLICIES.get(i + 1).map(|(from, _)| *from);
            if next != Some((*major, minor + 1)) {
                assert_eq!(Policy::for_compute_capability(*major, minor + 1), *policy);
            }
        }
        assert_eq!(Policy::for_compute_capability(5, 0), POLICIES[0].1);
    }

    #[test]
    fn every_policy_keeps_its_bounds() {
        for (_, policy) in POLICIES {
            policy.check();
        }
    }

    #[test]
    fn a_field_out_of_its_bounds_is_told() {
        let base = POLICIES[0].1;
        let is_told = |policy: Policy| panic::catch_unwind(|| policy.check()).is_err();
        let least = Policy {
            hubs: 0,
            hub_lanes_log2: 0,
            exact: 0,
            filter_log2: 0,
            least_edges: 1,
            least_row: 1,
            high_wedges: 1,
            chunk: 1,
            stream_lanes_log2: 0,
            block: 32,
            blocks_per_multiprocessor: 1,
            search_lanes_log2: 0,
            sample_step: 1,
            ..base
        };
        let most = Policy {
            hubs: 16_384,
            hub_lanes_log2: 5,
            exact: 1 << 15,
            filter_log2: 15,
            chunk: 1 << 15,
            stream_lanes_log2: 5,
            block: 1_024,
            search_lanes_log2: 5,
            sample_step: (1 << 31) - 1,
            ..base
        };
        assert!(!is_told(least) && !is_told(most));
        let out_of_bounds = [
            Policy { hubs: 256, ..least },
            Policy { hubs: 16_384 + 512, ..most },
            Policy { hub_lanes_log2: 6, ..most },
            Policy { exact: (1 << 15) + 1, ..most },
            Policy { filter_log2: 16, ..most },
            Policy { filter_log2: 64, ..least },
            Policy { least_edges: 0, ..least },
            Policy { least_row: 0, ..least },
            Policy { high_wedges: 0, ..least },
            Policy { chunk: 0, ..least },
            Policy { chunk: (1 << 15) + 1, ..most },
            Policy { stream_lanes_log2: 6, ..most },
            Policy { search_lanes_log2: 6, ..most },
            Policy { sample_step: 0, ..least },
            Policy { sample_step: 1 << 31, ..most },
            Policy { block: 0, ..least },
            Policy { block: 33, ..least },
            Policy { block: 1_056, ..most },
            Policy { blocks_per_multiprocessor: 0, ..least },
        ];
        for policy in out_of_bounds {
            assert!(is_told(policy), "{policy:?}");
        }
    }
}
