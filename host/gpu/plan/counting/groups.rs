//! Whether edges are brought together by head.

use super::{GroupBins, HubSettings};
use crate::plan::facts::WedgeSample;
use crate::plan::method_time::Rates;
use tribin_kernels::edge_groups::{HEADS_TILE, cursors_len, narrow_len};
use tribin_plan::reason::{Bound, Reason, ReasonFigure};

/// The rates of counting in groups, with the list and the hubs' matrix.
pub(super) const RATES: Rates = Rates { build: 4.0e-11, count: 6.5e-13 };

/// The settings by which edges are brought into groups and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowBits {
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
    /// The binary logarithm of the lanes that stream a prefix; at most 5.
    pub stream_lanes_log2: u32,
    /// Threads in a block: a multiple of 32.
    pub block: u32,
    /// Blocks on a multiprocessor.
    pub blocks_per_multiprocessor: u32,
    /// The binary logarithm of the lanes that search an edge without a group; at most 5.
    pub search_lanes_log2: u32,
}

impl RowBits {
    /// The settings that graphs are counted by: with a smallest group of 8 edges rmat20 is counted in 1.28 ms and rmat22 in 6.42, and with 48
    /// in 1.51 and 6.84. No other value of the sweep was faster on both by more than 3%.
    pub const MEASURED: RowBits = RowBits {
        ranks: u32::MAX,
        exact: 57_344,
        filter_log2: 13,
        min_edges: 8,
        min_row: 1,
        chunk: 1_024,
        stream_lanes_log2: 3,
        block: 128,
        blocks_per_multiprocessor: 16,
        search_lanes_log2: 3,
    };

    /// Bytes of device memory that counting in groups takes beside the graph, at most: the narrow heads, the
    /// places of the edges, the groups of each head, and the bins. The matrix of the hubs is not among them.
    pub fn bytes(&self, edges: u64, ranks: u64) -> u64 {
        let heads = ranks.min(u64::from(self.ranks));
        let items = edges / u64::from(self.chunk) + heads;
        2 * narrow_len(edges)
            + 4 * (heads.div_ceil(32) + cursors_len(heads))
            + 8 * (items + heads.div_ceil(HEADS_TILE.into()))
            // A slot of a group has 8 bytes, and an edge of the list 4.
            + 8 * edges
            + GroupBins::most_bytes(edges, heads)
            + 4 * ranks
    }
}

/// The settings by which edges are brought into groups by their heads.
///
/// The figures are the fastest of a sweep, `cargo bench --bench gpu -- hybrid`, over the graphs that are named. Where two graphs
/// disagree, the one that loses less decides. A `permille` is in thousandths: 250 is a quarter.
///
/// | cut-off | measured by |
/// | --- | --- |
/// | `min_wedges` 24, `more_wedges` 42, `hub_permille` 70 | grouped and not, and the share of the edges among the hubs: rmat:21,4,5 (26.8 wedges an edge, 23%: 0.78 ms, 1.16), ba:200000,60,7 (29.5, 8.0%: 0.87 of the time), kron:18,100,350,250,250,5 (56.9, 5.5%: 0.51 of it), er:100000,10000000,4 (66.6, 2.7%: 0.99), kron:20,16,450,220,220,1 (18.0, 6.7%: 1.06), er-dense (40.7, 0.4%: 1.43), er:400000,20000000,6 (33.3, 0.2%: 1.57), sorted:er:800000,24000000,8 (20.0, none: 2.35) |
/// | `high_max_permille` 30 | grouped and not: ws:300000,60,500,2 (5.5% high, rows of one length: 3.05 ms, 1.70), ws:300000,60,200,2 (21%: 4.60, 1.48), er-dense (below 0.1%), rmat:26,20,1 (over 3%, rows unequal: 460, 8,740) |
/// | `high_wedges` 80 | grouped and not: ws:100000,200,500,1 (118 wedges an edge, 4.2% high: 3.37 ms, 5.51), ws:200000,120,500,1 (75, 5.9%: 4.16, 4.03) |
/// | `segments_permille` 800 | segments over groups: hyperbolic:700000,30,2100,3 (by degrees 99% close: 0.90; with hubs first 94%: 0.74), hyperbolic:1000000,40,2200,1 (95 to 99%: 0.93 to 1.16), affiliation:1500000,50000,1500,6 (99%: 0.26 to 1.09), kron:20,16,650,150,150,2 (60%: 2.06), rmat20 (40%: 2.41) |
/// | `small_edges` 3 · 2²⁰ | segments and groups, making included: rmat14 (0.05 ms, 0.16), rmat17 (1.9 M edges: 0.20, 0.29), rmat:17,24,9 (2.7 M: 0.31, 0.41), rmat18 (3.8 M: 0.49, 0.49); merged and in groups, affiliation:200000,20000,400,7 (2.4 M: 0.21, 0.30) |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupSettings {
    /// How groups are made and counted.
    pub row_bits: RowBits,
    /// The matrix of the hubs.
    pub hubs: Option<HubSettings>,
    /// The oriented graph has at least this many wedges for each edge: a group is made an edge at a time, and gains a wedge at a time.
    pub min_wedges: u32,
    /// A graph without edges among the hubs has to have this many wedges more for each edge. The number falls in proportion to the
    /// share of the edges that are among the hubs.
    pub more_wedges: u32,
    /// The share of the edges among the hubs from which on no more wedges are asked for.
    pub hub_permille: u32,
    /// In a sample, at most this share of the wedges closes at a head from [`exact`](RowBits::exact) on, where a set bit has to be
    /// looked up. The share holds where rows are of one length, and is larger where they are not ([`grouping`] says how).
    pub high_max_permille: u32,
    /// The share of `high_max_permille` grows in proportion where there are more than this many wedges an edge.
    pub high_wedges: Option<u32>,
    /// Where more than this share of the sampled wedges closes and segments pay, nothing is brought into groups: hubs are beside
    /// each other, and their rows are few segments.
    pub segments_permille: u32,
    /// The least share of the edges that is in groups: below it every edge is counted in place.
    pub min_grouped_permille: u32,
    /// The number of edges up to which nothing is brought into groups.
    pub small_edges: u32,
}

impl GroupSettings {
    /// The settings that graphs are counted by.
    pub const MEASURED: GroupSettings = GroupSettings {
        row_bits: RowBits::MEASURED,
        hubs: Some(HubSettings::MEASURED),
        min_wedges: 24,
        more_wedges: 42,
        hub_permille: 70,
        high_max_permille: 30,
        high_wedges: Some(80),
        segments_permille: 800,
        min_grouped_permille: 125,
        small_edges: 3 << 20,
    };
}

/// Whether enough edges have a head with a group. Otherwise edges are merged.
pub fn enough_grouped(grouped: u64, edges: u64, least_permille: u32) -> Reason {
    Reason::share(grouped, edges, "of the edges have a head with a group", least_permille)
}

/// There are enough wedges for each edge, and not too many of them close where a set bit has to be looked up.
///
/// A group of few edges gains little by the bits of their head's row. The more edges are among the hubs, the larger the groups
/// are, and the fewer wedges are enough.
///
/// The more unequal the rows, the longer a merge takes: lanes wait for the longest of their warp. Then more
/// look-ups are worth it. So they are where rows are long: row bits read half of such a row.
pub fn grouping(sample: &WedgeSample, settings: &GroupSettings) -> Vec<Reason> {
    let high = u128::from(sample.high_triangles) * 1_000_000;
    let long =
        settings.high_wedges.map_or(1, |wedges| u128::from(wedges) * u128::from(sample.edges));
    let longer = match settings.high_wedges {
        Some(_) => u128::from(sample.wedges).max(long),
        None => long,
    };
    // Below 2¹²⁷: rows have fewer than 2²⁰ entries, so that inequality is below 2³¹, and the other factors
    // are below 2³² and 2⁶⁴.
    let most = u128::from(settings.high_max_permille) * sample.inequality_permille() * longer
        / long.max(1);
    let closes_low = high <= u128::from(sample.sampled_wedges).saturating_mul(most);
    vec![
        many_wedges([sample.wedges, sample.hub_edges], sample.edges, settings),
        Reason::compared(
            closes_low,
            ReasonFigure::Percent(sample.high_triangles as f64, sample.sampled_wedges as f64),
            "of the sampled wedges close at a rank without a bit of its own",
            Bound::AtMost(ReasonFigure::Percent(most as f64, 1e6)),
        ),
    ]
}

/// Whether a graph of `edges` edges has enough wedges for groups, where this many of the edges are among the hubs.
pub fn many_wedges([wedges, hub_edges]: [u64; 2], edges: u64, settings: &GroupSettings) -> Reason {
    let hubs = u64::from(settings.hub_permille.max(1));
    let of_hubs = u128::from(hub_edges) * 1_000 / u128::from(edges.max(1));
    let lacking = hubs - of_hubs.min(hubs.into()) as u64;
    // Below 2³³.
    let more = u64::from(settings.more_wedges) * lacking / hubs;
    let least = settings.min_wedges.saturating_add(more as u32);
    Reason::at_least(wedges, edges, "wedges an edge", least)
}

/// Edges to count as a matrix of the hubs: all among them if they are enough, and none otherwise.
pub fn hub_matrix_edges(sample: &WedgeSample, hubs: Option<HubSettings>) -> u64 {
    let enough = hubs.is_some_and(|hubs| {
        sample.hub_edges >= u64::from(hubs.min_edges)
            && sample.hub_edges * 1_000 >= u64::from(hubs.min_permille) * sample.edges
    });
    if enough { sample.hub_edges } else { 0 }
}
