//! What a graph's wedges and a sample of its edges say about the methods that suit it.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::figures::{self, oriented_wedges};
use tribin_kernels::forward::TOTALS;
use tribin_kernels::wedge_sample::{self, LANES, SUMS, sample_wedges};

use crate::graph::DeviceGraph;
use crate::methods::forward::gpu::CountShape;
use crate::plan::tuning::Policy;
use crate::prepare::gpu::vertex_order::NEAR_PART;

/// Blocks a multiprocessor of the kernel that strides over the rows.
const BLOCKS: u32 = 32;

/// The wedges of an oriented graph, and the triangles of a sample of its edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    /// Edges of the graph.
    pub edges: u64,
    /// Pairs of entries of a row, of all rows.
    pub wedges: u64,
    /// Rows with an entry.
    pub rows: u64,
    /// Edges among the hubs of the policy. As edges are sorted by their larger rank, these are the first.
    pub hub_edges: u64,
    /// Edges that were looked at.
    pub sampled: u64,
    /// Their wedges.
    pub sampled_wedges: u64,
    /// Those of them that close, from at most [`LANES`] of an edge.
    pub triangles: u64,
    /// Those of these whose edge's head is among the ranks without a bit of their own.
    pub high_triangles: u64,
    /// Edges of the sample whose ranks are near each other.
    pub near: u64,
    /// Edges of the sample whose head is in a segment of 32 ranks with the entry before it in its row.
    pub joined: u64,
}

impl Sample {
    /// Counts the wedges, and looks at every [`Policy::sample_step`]-th edge.
    ///
    /// O(ranks) and O(edges / step); one copy from the device.
    ///
    /// # Errors
    /// What the device reports.
    pub fn of<D: Device>(
        device: &D,
        graph: &DeviceGraph<D>,
        policy: &Policy,
    ) -> Result<Sample, D::Error> {
        let edges = graph.edges;
        let step = u64::from(policy.sample_step);
        let sampled = edges.div_ceil(step);
        let rows = graph.rows.view().cast();
        let mut sums = Buffer::zeroed(device, SUMS * TOTALS + 3)?;
        oriented_wedges(
            device,
            Shape::cover(rows.len(), figures::BLOCK, device.multiprocessors() * BLOCKS),
            rows,
            sums.view_mut().slice(SUMS * TOTALS, 3),
            rows.len(),
            u64::from(policy.hubs),
        )?;
        sample_wedges(
            device,
            Shape::cover(sampled * u64::from(LANES), wedge_sample::BLOCK, u32::MAX),
            graph.tails.view(),
            graph.heads.view(),
            rows,
            sums.view_mut().slice(0, SUMS * TOTALS),
            edges,
            step,
            policy.exact,
            (rows.len() / NEAR_PART) as u32,
        )?;
        let sums = sums.to_vec(device)?;
        let (looked_at, of_rows) = sums.split_at((SUMS * TOTALS) as usize);
        let [triangles, high_triangles, sampled_wedges, near, joined] = [0, 1, 2, 3, 4].map(|k| {
            // Each below 2⁵⁵ (`sample_wedges` says why).
            let sum: u64 = looked_at[k * TOTALS as usize..][..TOTALS as usize].iter().sum();
            sum / u64::from(LANES)
        });
        Ok(Sample {
            edges,
            wedges: of_rows[0],
            hub_edges: of_rows[1],
            rows: of_rows[2],
            sampled,
            sampled_wedges,
            triangles,
            high_triangles,
            near,
            joined,
        })
    }

    /// Whether to bring edges into groups: there are enough wedges for each edge, and not too many of them
    /// close where a set bit has to be looked up.
    ///
    /// The more unequal the rows, the longer a merge takes: lanes wait for the longest of their warp. So
    /// many more look-ups are worth it; and so they are where rows are long, of which row bits read a half.
    pub fn grouping_pays(&self, policy: &Policy) -> bool {
        let high = u128::from(self.high_triangles) * 1_000_000;
        let long = u128::from(policy.high_wedges) * u128::from(self.edges);
        let longer = u128::from(self.wedges).max(long);
        // Below 2¹²⁷: rows have fewer than 2²⁰ entries, so that inequality is below 2³¹, and the other factors
        // are below 2³² and 2⁶⁴.
        let most = u128::from(policy.high_most_permille) * self.inequality_permille() * longer
            / long.max(1);
        self.wedges >= u64::from(policy.group_least_wedges) * self.edges
            && high <= u128::from(self.sampled_wedges).saturating_mul(most)
    }

    /// 1,000 times the mean length of a row from the view of an edge over the mean from the view of a row:
    /// 1,000, or little less, for rows of one length.
    fn inequality_permille(&self) -> u128 {
        // Wedges are below 2⁶³, rows and edges below 2³².
        let of_edges = 2_000 * u128::from(self.wedges) * u128::from(self.rows);
        of_edges / (u128::from(self.edges) * u128::from(self.edges)).max(1)
    }

    /// Edges to count as a matrix of the hubs: all among them if they are enough, and none otherwise.
    pub fn hub_matrix_edges(&self, policy: &Policy) -> u64 {
        let enough = self.hub_edges >= u64::from(policy.hub_least_edges)
            && self.hub_edges * 1_000 >= u64::from(policy.hub_least_permille) * self.edges;
        if enough { self.hub_edges } else { 0 }
    }

    /// Whether rows have so many entries, and so many of them in one segment with others, that merging segments
    /// pays: a step takes longer than of a merge of entries, and the rows have to be cut.
    pub fn segments_pay(&self, policy: &Policy) -> bool {
        self.joined_enough(policy, policy.segment_least_joined_permille)
            || self.small_segments_pay(policy)
    }

    /// Whether the graph is so small that groups would take longer to make than segments take to merge.
    pub fn small_segments_pay(&self, policy: &Policy) -> bool {
        self.edges <= u64::from(policy.segment_small_edges)
            && self.joined_enough(policy, policy.segment_small_joined_permille)
    }

    fn joined_enough(&self, policy: &Policy, joined_permille: u32) -> bool {
        self.wedges >= u64::from(policy.segment_least_wedges) * self.edges
            && self.joined * 1_000 >= u64::from(joined_permille) * self.sampled
    }

    /// How entries are merged in place.
    pub fn merge_shape(&self, policy: &Policy) -> CountShape {
        let usual = CountShape::default();
        let long = self.wedges >= u64::from(policy.merge_long_wedges) * self.edges;
        CountShape { block: if long { 2 * usual.block } else { usual.block }, ..usual }
    }

    /// Whether so few wedges close that signatures pay: those of few bytes if the rows are `sparse`. What saves
    /// reading few entries at random does not pay where most are near.
    pub fn filtering_pays(&self, policy: &Policy, sparse: bool) -> bool {
        let most = if sparse { policy.narrow_most_permille } else { policy.filter_most_permille };
        // Triangles are below 2⁵².
        self.triangles * 1_000 <= u64::from(most) * self.sampled
            && !(sparse && self.near * 2 > self.sampled)
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;
    use crate::plan::tuning::Policy;

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
    };

    fn policy() -> Policy {
        Policy {
            group_least_wedges: 25,
            high_most_permille: 30,
            high_wedges: 40,
            filter_most_permille: 900,
            narrow_most_permille: 300,
            segment_least_wedges: 40,
            segment_least_joined_permille: 650,
            segment_small_edges: 0,
            ..Policy::for_compute_capability(9, 0)
        }
    }

    #[test]
    fn long_rows_are_merged_by_larger_blocks() {
        let policy = Policy { merge_long_wedges: 20, ..policy() };
        let block = |wedges| Sample { wedges, ..SAMPLE }.merge_shape(&policy).block;
        assert_eq!([20 * 2_000 - 1, 20 * 2_000].map(block), [64, 128]);
    }

    #[test]
    fn grouping_takes_enough_wedges() {
        let with = |wedges| Sample { wedges, ..SAMPLE };
        assert!(with(25 * 2_000).grouping_pays(&policy()));
        assert!(!with(25 * 2_000 - 1).grouping_pays(&policy()));
    }

    /// Of the sample's 10,000 wedges, 30 of 1,000 may close high where the rows are of one length, which
    /// 2 · wedges · rows = edges² says; and more where they are not, or have more wedges.
    #[test]
    fn unequal_and_long_rows_are_worth_more_high_triangles() {
        let check = |sample: Sample, high_wedges, most| {
            let policy = Policy { high_wedges, ..policy() };
            let pays = |high| Sample { high_triangles: high, ..sample }.grouping_pays(&policy);
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
        };
        let most = Policy {
            group_least_wedges: 1 << 19,
            high_most_permille: u32::MAX,
            high_wedges: u32::MAX,
            filter_most_permille: u32::MAX,
            hub_least_permille: 1_000,
            segment_least_wedges: 1 << 19,
            segment_least_joined_permille: 1_000,
            ..policy()
        };
        assert!(sample.grouping_pays(&most) && sample.segments_pay(&most));
        assert!(sample.filtering_pays(&most, false) && !sample.filtering_pays(&most, true));
        assert_eq!(sample.hub_matrix_edges(&most), edges);
        let wedges =
            Policy { group_least_wedges: u32::MAX, segment_least_wedges: u32::MAX, ..most };
        assert!(!sample.grouping_pays(&wedges) && !sample.segments_pay(&wedges));
        let joined = Policy { segment_least_joined_permille: u32::MAX, ..most };
        assert!(!sample.segments_pay(&joined));
    }

    #[test]
    fn segments_take_enough_wedges_and_joined_entries() {
        let pays = |wedges, joined, sampled| {
            Sample { wedges, joined, sampled, ..SAMPLE }.segments_pay(&policy())
        };
        assert!(pays(80_000, 1_300, 2_000));
        assert!(!pays(79_999, 1_300, 2_000) && !pays(80_000, 1_299, 2_000));
        // 650 of 1,000 are 4.55 of seven.
        assert!(pays(80_000, 5, 7) && !pays(80_000, 4, 7));
    }

    #[test]
    fn filters_take_few_triangles_and_few_near_edges() {
        let pays = |triangles, near, sparse| {
            Sample { triangles, near, ..SAMPLE }.filtering_pays(&policy(), sparse)
        };
        assert!(pays(1_800, 2_000, false) && !pays(1_801, 0, false));
        assert!(pays(600, 1_000, true) && !pays(601, 1_000, true) && !pays(600, 1_001, true));
    }
}
