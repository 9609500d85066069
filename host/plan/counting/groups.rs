//! Whether edges are brought together by head.

use crate::facts::{CountingFacts, Sample};
use crate::limits::edge_groups::{HEADS_TILE, cursors_len, narrow_len};
use crate::reason::{Bound, Figure, Reason};
use crate::time::Rates;
use crate::tuning::Tuning;

/// How long counting in groups takes, with the lists and the hubs' matrix.
pub(super) const RATES: Rates = Rates { build: 4.0e-11, count: 6.5e-13 };

/// How edges are brought into groups, and how many threads count them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupSettings {
    /// Heads below this rank can have a group.
    pub ranks: u32,
    /// Ranks below this one have a bit of their own.
    pub exact: u32,
    /// The ranks above share 2^this bits as a filter; with `exact` at most 65,536 bits.
    pub filter_log2: u32,
    /// Fewest edges of a head with a group; at least 1. A group costs its block two barriers and the setting
    /// and clearing of the bits, whatever there is to count.
    pub min_edges: u32,
    /// Shortest row of a head with a group; at least 1.
    pub min_row: u32,
    /// Most edges of a work item, from 1 to 2¹⁵.
    pub chunk: u32,
    /// 2^this lanes stream a prefix, at most 2⁵.
    pub stream_lanes_log2: u32,
    /// Threads in a block: a multiple of 32.
    pub block: u32,
    /// Blocks on a multiprocessor.
    pub blocks_per_multiprocessor: u32,
    /// An edge without a group is merged by one thread if its prefix and its head's row have at most this
    /// many entries together, and searched otherwise.
    pub merge_max: u32,
    /// 2^this lanes search an edge, at most 2⁵.
    pub search_lanes_log2: u32,
    /// Fewest edges that come to their groups through bins: two kernels more take longer to start than fewer edges take at
    /// random.
    pub bins_min_edges: u32,
}

impl GroupSettings {
    /// # Panics
    /// If a field is out of its bounds.
    pub fn check(&self) {
        let bits = 1u64.checked_shl(self.filter_log2).map(|filter| u64::from(self.exact) + filter);
        assert!(bits.is_some_and(|bits| bits <= 1 << 16), "65,536 bits at most: {self:?}");
        assert!(self.min_edges > 0 && self.min_row > 0, "an empty group: {self:?}");
        assert!((1..=1 << 15).contains(&self.chunk), "1 to 32,768 edges an item: {self:?}");
        assert!(self.stream_lanes_log2 <= 5 && self.search_lanes_log2 <= 5, "a warp: {self:?}");
        let block = (32..=1024).contains(&self.block) && self.block.is_multiple_of(32);
        assert!(block && self.blocks_per_multiprocessor > 0, "whole warps: {self:?}");
    }

    /// Bytes of device memory that counting in groups takes beside the graph, at most: the narrow heads, the
    /// places of the edges, and the groups of each head. The matrix of the hubs is not among them.
    pub fn bytes(&self, edges: u64, ranks: u64) -> u64 {
        let heads = ranks.min(u64::from(self.ranks));
        let items = edges / u64::from(self.chunk) + heads;
        2 * narrow_len(edges)
            + 4 * (heads.div_ceil(32) + cursors_len(heads))
            + 8 * (items + heads.div_ceil(HEADS_TILE.into()))
            // A slot of a group has 8 bytes, and an edge of a list 4.
            + 8 * edges
            + 4 * ranks
    }
}

/// Whether enough edges have a head with a group. Otherwise edges are merged.
pub fn enough_grouped(grouped: u64, edges: u64, least_permille: u32) -> Reason {
    Reason::share(grouped, edges, "of the edges have a head with a group", least_permille)
}

impl CountingFacts {
    /// Whether enough edges of this graph have a head with a group, once it is known how many edges do.
    pub fn enough_grouped(&self) -> Option<Reason> {
        let (edges, least) = (self.sample.edges, self.tuning.grouped_min_permille);
        self.grouped.map(|grouped| enough_grouped(grouped, edges, least))
    }
}

/// There are enough wedges for each edge, and not too many of them close where a set bit has to be looked up.
///
/// A group of few edges gains little by the bits of their head's row. The more edges are among the hubs, the larger the groups
/// are, and the fewer wedges are enough.
///
/// The more unequal the rows, the longer a merge takes: lanes wait for the longest of their warp. Then more
/// look-ups are worth it. So they are where rows are long: row bits read half of such a row.
pub fn grouping(sample: &Sample, tuning: &Tuning) -> Vec<Reason> {
    let high = u128::from(sample.high_triangles) * 1_000_000;
    let long = u128::from(tuning.high_wedges) * u128::from(sample.edges);
    let longer = u128::from(sample.wedges).max(long);
    // Below 2¹²⁷: rows have fewer than 2²⁰ entries, so that inequality is below 2³¹, and the other factors
    // are below 2³² and 2⁶⁴.
    let most =
        u128::from(tuning.high_max_permille) * sample.inequality_permille() * longer / long.max(1);
    let closes_low = high <= u128::from(sample.sampled_wedges).saturating_mul(most);
    vec![
        many_wedges([sample.wedges, sample.hub_edges], sample.edges, tuning),
        Reason::compared(
            closes_low,
            Figure::Percent(sample.high_triangles as f64, sample.sampled_wedges as f64),
            "of the sampled wedges close at a rank without a bit of its own",
            Bound::AtMost(Figure::Percent(most as f64, 1e6)),
        ),
    ]
}

/// Whether a graph of `edges` edges has enough wedges for groups, where this many of the edges are among the hubs.
pub fn many_wedges([wedges, hub_edges]: [u64; 2], edges: u64, tuning: &Tuning) -> Reason {
    let hubs = u64::from(tuning.group_hub_permille.max(1));
    let of_hubs = u128::from(hub_edges) * 1_000 / u128::from(edges.max(1));
    let lacking = hubs - of_hubs.min(hubs.into()) as u64;
    // Below 2³³.
    let more = u64::from(tuning.group_more_wedges) * lacking / hubs;
    let least = tuning.group_min_wedges.saturating_add(more as u32);
    Reason::at_least(wedges, edges, "wedges an edge", least)
}

/// Edges to count as a matrix of the hubs: all among them if they are enough, and none otherwise.
pub fn hub_matrix_edges(sample: &Sample, tuning: &Tuning) -> u64 {
    let enough = sample.hub_edges >= u64::from(tuning.hub_min_edges)
        && sample.hub_edges * 1_000 >= u64::from(tuning.hub_min_permille) * sample.edges;
    if enough { sample.hub_edges } else { 0 }
}
