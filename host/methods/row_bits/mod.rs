//! Row bits: the edges of one head are brought together, and each is counted against that head's row as
//! bits in shared memory.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::edge_groups::{self, SIZES, head_groups, narrow_heads};

use crate::graph::DeviceGraph;
use crate::graph::device_graph::count_degrees_of_ranks;
use crate::plan::Policy;

/// Blocks a multiprocessor of the kernels that stride over the edges.
pub(crate) const BLOCKS: u32 = 32;

/// What the edges of low heads were sorted into.
pub struct Groups<D: Device> {
    /// The heads as bits of a row: exact or shared, in 16 bits.
    pub narrow: Buffer<u16, D>,
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

/// The 16-bit heads, and the groups and work items of the heads below `policy.ranks`.
pub fn find_groups<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    policy: &Policy,
) -> Result<Groups<D>, D::Error> {
    let m = graph.edges;
    let ranks = graph.rows.len() / 2;
    let most = device.multiprocessors() * BLOCKS;
    let narrow_len = edge_groups::narrow_len(m);
    let mut narrow = Buffer::uninitialized(device, narrow_len)?;
    narrow_heads(
        device,
        Shape::cover(narrow_len, edge_groups::BLOCK, most),
        graph.heads.view(),
        narrow.view_mut(),
        m,
        policy.exact,
        policy.filter_log2,
    )?;
    let counted;
    let degrees = if graph.degree_of_rank.is_empty() {
        counted = count_degrees_of_ranks(device, graph)?;
        counted.view()
    } else {
        graph.degree_of_rank.view()
    };
    let heads = ranks.min(u64::from(policy.ranks));
    let mut grouping = Buffer::uninitialized(device, heads.div_ceil(32))?;
    let mut cursors = Buffer::uninitialized(device, edge_groups::cursors_len(heads))?;
    // Every group's last item may be short.
    let mut items = Buffer::uninitialized(device, m / u64::from(policy.chunk) + heads)?;
    let mut sizes = Buffer::zeroed(device, SIZES)?;
    head_groups(
        device,
        Shape::cover(heads, edge_groups::BLOCK, u32::MAX).shared(edge_groups::GROUPS_SHARED_BYTES),
        graph.rows.view().cast(),
        degrees,
        grouping.view_mut(),
        cursors.view_mut(),
        items.view_mut(),
        sizes.view_mut(),
        heads as u32,
        policy.least_edges,
        policy.least_row,
        policy.chunk,
    )?;
    Ok(Groups { narrow, heads: heads as u32, grouping, cursors, items, sizes })
}
