//! Whether edges are brought together by head.

use crate::plan::facts::{CountingFacts, Sample};
use crate::plan::reason::{Bound, Figure, Reason};
use crate::plan::tuning::Tuning;

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
pub(in crate::plan) fn grouping(sample: &Sample, tuning: &Tuning) -> Vec<Reason> {
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
