//! Row bits: the edges of one head are brought together, and each is counted against that head's row as
//! bits in shared memory.

mod grouping;

use tribin_kernels::edge_groups::{self, SIZES, head_groups, narrow_heads};
use warpwise_device::launch::{Buffer, Device, Shape, View};

pub use grouping::{Grouped, make_groups};

use crate::device_graph::DeviceGraph;
use crate::plan::counting::RowBits;

/// Blocks a multiprocessor of the kernels that stride over the edges.
pub const BLOCKS: u32 = 32;

/// The groups that the edges of low heads were sorted into.
pub struct Groups<D: Device> {
    /// The heads as bits of a row: exact or shared, in 16 bits.
    pub narrow: Buffer<u16, D>,
    /// The groups.
    pub of_heads: HeadGroups<D>,
}

/// The heads that have a group, where each lies, and the work items.
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

/// The 16-bit heads, and the groups and work items of the heads below `settings.ranks`, with a slot for every edge of the graph.
/// Devices that share the edges decide by them, and so alike; each leaves the slots of the others' edges empty.
pub fn find_groups<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    settings: &RowBits,
) -> Result<Groups<D>, D::Error> {
    let (m, ranks) = (graph.edges, graph.rows.len() / 2);
    let counted = graph.missing_degrees(device)?;
    let degrees = counted.as_ref().unwrap_or(&graph.degree_of_rank);
    let narrow = narrow(device, graph.heads.view(), m, settings)?;
    // Ranks have 32 bits.
    let heads = ranks.min(u64::from(settings.ranks)) as u32;
    let rows = graph.rows.view().cast();
    let of_heads = groups_of_heads(device, rows, degrees.view(), heads, m, settings)?;
    Ok(Groups { narrow, of_heads })
}

/// Most edges of the graph's share that have no group. `slots` are those of the whole graph's groups.
pub fn most_listed<D: Device>(graph: &DeviceGraph<D>, slots: u64) -> u64 {
    graph.share.edges(graph.edges).min(graph.edges - slots)
}

/// The first `m` heads in 16 bits.
pub(super) fn narrow<D: Device>(
    device: &D,
    heads: View<'_, u32, D>,
    m: u64,
    settings: &RowBits,
) -> Result<Buffer<u16, D>, D::Error> {
    let len = edge_groups::narrow_len(m);
    let mut narrow = Buffer::uninitialized(device, len)?;
    let shape = Shape::cover(len, edge_groups::BLOCK, device.multiprocessors() * BLOCKS);
    narrow_heads(device, shape, heads, narrow.view_mut(), m, settings.exact, settings.filter_log2)?;
    Ok(narrow)
}

/// The groups of the first `heads` heads, which have `edges` edges at most. `degrees` are a head's edges and its row together.
pub(super) fn groups_of_heads<D: Device>(
    device: &D,
    rows: View<'_, u64, D>,
    degrees: View<'_, u32, D>,
    heads: u32,
    edges: u64,
    settings: &RowBits,
) -> Result<HeadGroups<D>, D::Error> {
    let n = u64::from(heads);
    let mut grouping = Buffer::uninitialized(device, n.div_ceil(32))?;
    let mut cursors = Buffer::uninitialized(device, edge_groups::cursors_len(n))?;
    // Every group's last item may be short.
    let mut items = Buffer::uninitialized(device, edges / u64::from(settings.chunk) + n)?;
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
        settings.min_edges,
        settings.min_row,
        settings.chunk,
    )?;
    Ok(HeadGroups { heads, grouping, cursors, items, sizes })
}
