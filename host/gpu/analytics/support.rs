//! Support on the GPU: the number of triangles on every edge (docs/engines.md).
//!
//! | edges | method |
//! | --- | --- |
//! | whose head has many edges | [`support_bits`] |
//! | the others | looked up, a group of lanes an edge |
//! | all, where grouping does not pay | merged in place, a thread an edge |

use tribin_kernels::edge_groups::{self, HEADS, ITEMS, LISTED, SIZES, SLOTS};
use tribin_kernels::edge_support::{
    self, add_thirds, shared_bytes, support_bits, support_listed, support_merge,
};
use tribin_kernels::forward::BLOCKS_PER_MULTIPROCESSOR;
use tribin_kernels::primitives::Oriented;
use warpwise_device::launch::{Buffer, Device, Shape};

use super::{longest_row, over};
use crate::counting::sample;
use crate::device_graph::DeviceGraph;
use crate::methods::row_bits::{
    Grouped, Groups, HeadGroups, find_groups, make_groups, most_listed,
};
use crate::plan::Chosen;
use crate::plan::counting::{GroupBins, RowBits};
use crate::plan::support::{
    SUPPORT_GROUPS, SupportCounter, SupportFacts, support_counter, support_sample,
};

/// The longest row that allows thirds in 16 bits: they count less than the row's entries.
pub const LONGEST_WITH_THIRDS: u32 = 1 << 16;

/// The groups of edges by which support is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SupportGroups {
    /// How groups are made. An edge without a group is looked up, and never merged.
    pub row_bits: RowBits,
    /// Entries of a row that have a counter in shared memory.
    pub counters: u32,
    /// The length of rows up to which thirds are counted in 16 bits; at most [`LONGEST_WITH_THIRDS`].
    pub longest_with_thirds: u32,
}

impl SupportGroups {
    /// Groups by the cut-offs of the plan.
    pub const MEASURED: SupportGroups = SupportGroups {
        row_bits: SUPPORT_GROUPS.row_bits,
        counters: 1_024,
        longest_with_thirds: LONGEST_WITH_THIRDS,
    };
}

/// Has the plan choose how the support of a graph is counted with `free` bytes of device memory beside it. The wedges are sampled only if
/// the plan asks for that.
///
/// # Errors
/// What the device reports.
pub fn choose<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    free: u64,
) -> Result<Chosen<SupportCounter>, D::Error> {
    let mut facts = SupportFacts {
        edges: graph.edges,
        grouped: memory_needed(graph.edges, graph.rows.len() / 2),
        merged: memory_needed_to_merge(graph.edges),
        sample: None,
    };
    if facts.is_to_be_sampled(free) {
        facts.sample = Some(sample::measure(device, graph, &support_sample())?);
    }
    Ok(support_counter(&facts, free))
}

/// Bytes of device memory that [`edge_support()`] takes beside the graph at most, with its result.
pub fn memory_needed(edges: u64, ranks: u64) -> u64 {
    6 * (edges + 8) + SUPPORT_GROUPS.row_bits.bytes(edges, ranks)
}

/// Bytes of device memory that [`edge_support()`] takes beside the graph at most by [`SupportCounter::Merge`].
pub fn memory_needed_to_merge(edges: u64) -> u64 {
    4 * edge_groups::narrow_len(edges)
}

/// The support of every edge of an oriented graph on the device, aligned with the graph's edges, and longer than there are edges.
/// Where the device has a share of the edges, it is what the triangles add that are counted at these; the sum over all shares is the
/// support.
///
/// `groups` are read for [`SupportCounter::Groups`] alone. O(m^1.5) work; memory: [`memory_needed`]. Exact: an edge has one triangle at most with each of fewer than 2³² vertices.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If a setting is out of the bounds of the kernel that takes it.
pub fn edge_support<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    counter: SupportCounter,
    groups: &SupportGroups,
) -> Result<Buffer<u32, D>, D::Error> {
    // Support is added to two edges at a time, where prefixes are read eight at a time.
    let mut per_edge = Buffer::zeroed(device, edge_groups::narrow_len(graph.edges))?;
    match counter {
        _ if graph.edges == 0 => {}
        SupportCounter::Merge => {
            let most = device.multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
            for edges in graph.counted_from(0) {
                support_merge(
                    device,
                    Shape::cover(edges.end - edges.start, edge_support::BLOCK, most),
                    graph.oriented(),
                    per_edge.view_mut(),
                    edges.start,
                    edges.end,
                )?;
            }
        }
        SupportCounter::Groups => by_groups(device, graph, groups, &mut per_edge)?,
    }
    Ok(per_edge)
}

fn by_groups<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    groups: &SupportGroups,
    per_edge: &mut Buffer<u32, D>,
) -> Result<(), D::Error> {
    let SupportGroups { ref row_bits, counters, longest_with_thirds } = *groups;
    assert!(longest_with_thirds <= LONGEST_WITH_THIRDS, "more than 16 bits: {longest_with_thirds}");
    let m = graph.edges;
    let longest = longest_row(device, graph)?;
    let Groups { narrow, mut of_heads } = find_groups(device, graph, row_bits)?;
    let mut sizes = [0; SIZES as usize];
    of_heads.sizes.download(device, 0, &mut sizes)?;
    let with_thirds = longest.to_vec(device)?[0] <= longest_with_thirds;
    let (in_groups, items_made) = (u64::from(sizes[SLOTS as usize]), sizes[ITEMS as usize]);
    let in_list = most_listed(graph, in_groups);
    let places = graph.counted_from(0);
    let bins = GroupBins::of(in_groups, sizes[HEADS as usize].into());
    let Grouped { grouped, listed } =
        make_groups(device, graph, places, &mut of_heads, in_groups, in_list, bins)?;
    let HeadGroups { cursors, items, sizes: class_sizes, .. } = &of_heads;
    class_sizes.download(device, 0, &mut sizes)?;
    if items_made > 0 {
        let most = device.multiprocessors() * row_bits.blocks_per_multiprocessor;
        let bytes = shared_bytes(row_bits.exact, row_bits.filter_log2, counters);
        let mut ticket = Buffer::zeroed(device, 1)?;
        let mut thirds =
            Buffer::<u64, D>::zeroed(device, if with_thirds { narrow.len() / 4 } else { 0 })?;
        support_bits(
            device,
            Shape::new(items_made.min(most), row_bits.block).shared(bytes),
            narrow.view().cast(),
            narrow.view(),
            graph.heads.view(),
            graph.rows.view().cast(),
            items.view(),
            grouped.view(),
            cursors.view(),
            class_sizes.view(),
            ticket.view_mut(),
            per_edge.view_mut().cast(),
            thirds.view_mut(),
            u32::from(with_thirds),
            row_bits.exact,
            row_bits.filter_log2,
            counters,
            row_bits.chunk,
            row_bits.stream_lanes_log2,
        )?;
        if with_thirds {
            add_thirds(device, over(device, m), thirds.view().cast(), per_edge.view_mut(), m)?;
        }
    }
    let left = u64::from(sizes[LISTED as usize]);
    if left > 0 {
        let most = device.multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
        support_listed(
            device,
            Shape::cover(left << row_bits.search_lanes_log2, edge_support::BLOCK, most),
            Oriented { heads: graph.heads.view().slice(0, m), ..graph.oriented() },
            listed.view(),
            class_sizes.view(),
            per_edge.view_mut(),
            row_bits.search_lanes_log2,
        )?;
    }
    Ok(())
}

/// The first `edges` values of a result by edge, on the host.
///
/// # Errors
/// What the device reports.
pub fn download<D: Device>(
    device: &D,
    per_edge: &Buffer<u32, D>,
    edges: u64,
) -> Result<Vec<u32>, D::Error> {
    let mut values = vec![0; edges as usize];
    per_edge.download(device, 0, &mut values)?;
    Ok(values)
}
