//! Row bits: the edges of one head are brought together, and each is counted against that head's row as
//! bits in shared memory.

mod edge_grouping;
mod grouping;

use tribin_device::launch::{Buffer, Device, Shape, View};
use tribin_kernels::edge_groups::{self, SIZES, head_groups, narrow_heads};

pub use edge_grouping::{EdgeGrouping, GroupBins, GroupingFacts, edge_grouping};
pub use grouping::{EdgesToGroup, Grouped, Grouping, make_groups};

use super::method::Rates;
use crate::device_graph::DeviceGraph;
use crate::device_graph::count_degrees_of_ranks;

/// Blocks a multiprocessor of the kernels that stride over the edges.
pub(crate) const BLOCKS: u32 = 32;

/// Grouping edges are brought into groups, and how many threads count them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
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

impl Tuning {
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
}

/// How long counting in groups takes, with the lists and the hubs' matrix.
pub const RATES: Rates = Rates { build: 4.0e-11, count: 6.5e-13 };

/// Bytes of device memory that counting in groups takes beside the graph, at most: the narrow heads, the
/// places of the edges, and the groups of each head. The matrix of the hubs is not among them.
pub fn bytes(edges: u64, ranks: u64, tuning: &Tuning) -> u64 {
    let heads = ranks.min(u64::from(tuning.ranks));
    let items = edges / u64::from(tuning.chunk) + heads;
    2 * edge_groups::narrow_len(edges)
        + 4 * (heads.div_ceil(32) + edge_groups::cursors_len(heads))
        + 8 * (items + heads.div_ceil(edge_groups::HEADS_TILE.into()))
        // A slot of a group has 8 bytes, and an edge of a list 4.
        + 8 * edges
        + 4 * ranks
}

/// What the edges of low heads were sorted into.
pub struct Groups<D: Device> {
    /// The heads as bits of a row: exact or shared, in 16 bits.
    pub narrow: Buffer<u16, D>,
    /// The groups.
    pub of_heads: HeadGroups<D>,
}

/// Which heads have a group, where it lies, and the work items.
pub struct HeadGroups<D: Device> {
    /// Heads that can have a group.
    pub heads: u32,
    /// One bit a head: whether it has a group.
    pub grouping: Buffer<u32, D>,
    /// Where each head's next edge goes.
    pub cursors: Buffer<u32, D>,
    /// The work items.
    pub items: Buffer<u64, D>,
    /// How many there are of each class.
    pub sizes: Buffer<u32, D>,
}

/// The 16-bit heads, and the groups and work items of the heads below `tuning.ranks`, with a slot for every edge of the graph.
/// Devices that share the edges decide by them, and so alike; each leaves the slots of the others' edges empty.
pub fn find_groups<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    tuning: &Tuning,
) -> Result<Groups<D>, D::Error> {
    if graph.degree_of_rank.is_empty() {
        let degrees = count_degrees_of_ranks(device, graph)?;
        return groups_of_degrees(device, graph, tuning, &degrees);
    }
    groups_of_degrees(device, graph, tuning, &graph.degree_of_rank)
}

/// Most edges of the graph's share that have no group. `slots` are those of the whole graph's groups.
pub fn most_listed<D: Device>(graph: &DeviceGraph<D>, slots: u64) -> u64 {
    let counted = graph.counted_from(0).iter().map(|edges| edges.end - edges.start).sum::<u64>();
    counted.min(graph.edges - slots)
}

fn groups_of_degrees<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    tuning: &Tuning,
    degrees: &Buffer<u32, D>,
) -> Result<Groups<D>, D::Error> {
    let m = graph.edges;
    let ranks = graph.rows.len() / 2;
    let narrow = narrow(device, graph.heads.view(), m, tuning)?;
    // Ranks have 32 bits.
    let heads = ranks.min(u64::from(tuning.ranks)) as u32;
    let rows = graph.rows.view().cast();
    let of_heads = groups_of_heads(device, rows, degrees.view(), heads, m, tuning)?;
    Ok(Groups { narrow, of_heads })
}

/// The first `m` heads in 16 bits.
pub(super) fn narrow<D: Device>(
    device: &D,
    heads: View<'_, u32, D>,
    m: u64,
    tuning: &Tuning,
) -> Result<Buffer<u16, D>, D::Error> {
    let len = edge_groups::narrow_len(m);
    let mut narrow = Buffer::uninitialized(device, len)?;
    let shape = Shape::cover(len, edge_groups::BLOCK, device.multiprocessors() * BLOCKS);
    narrow_heads(device, shape, heads, narrow.view_mut(), m, tuning.exact, tuning.filter_log2)?;
    Ok(narrow)
}

/// The groups of the first `heads` heads, which have `edges` edges at most. `degrees` are a head's edges and its row together.
pub(super) fn groups_of_heads<D: Device>(
    device: &D,
    rows: View<'_, u64, D>,
    degrees: View<'_, u32, D>,
    heads: u32,
    edges: u64,
    tuning: &Tuning,
) -> Result<HeadGroups<D>, D::Error> {
    let n = u64::from(heads);
    let mut grouping = Buffer::uninitialized(device, n.div_ceil(32))?;
    let mut cursors = Buffer::uninitialized(device, edge_groups::cursors_len(n))?;
    // Every group's last item may be short.
    let mut items = Buffer::uninitialized(device, edges / u64::from(tuning.chunk) + n)?;
    let mut sizes = Buffer::zeroed(device, SIZES)?;
    let tiles = heads.div_ceil(edge_groups::HEADS_TILE);
    let mut words = Buffer::zeroed(device, tiles.into())?;
    let mut ticket = Buffer::zeroed(device, 1)?;
    head_groups(
        device,
        Shape::new(tiles.max(1), edge_groups::BLOCK).shared(edge_groups::GROUPS_SHARED_BYTES),
        rows,
        degrees,
        grouping.view_mut(),
        cursors.view_mut(),
        items.view_mut(),
        sizes.view_mut(),
        words.view_mut(),
        ticket.view_mut(),
        heads,
        tuning.min_edges,
        tuning.min_row,
        tuning.chunk,
    )?;
    Ok(HeadGroups { heads, grouping, cursors, items, sizes })
}
