//! Edges brought into the groups of their heads, and into a list where their head has none.

use std::ops::Range;

use tribin_kernels::edge_groups::{
    BLOCK, PLACE_BLOCKS, PLACE_SHARED_BYTES, SPLIT_BLOCK, SPLIT_SHARED_BYTES, SPLIT_TILE, bins_len,
    bins_of_heads, place_edges, split_edges,
};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::HeadGroups;
use crate::device_graph::DeviceGraph;
use crate::plan::counting::GroupBins;

/// The edges, as they were brought to slots and into the list.
pub struct Grouped<D: Device> {
    /// A word for each slot: the place of its edge, and the length of its prefix in the high half.
    pub grouped: Buffer<u64, D>,
    /// The places of the edges without a group.
    pub listed: Buffer<u32, D>,
}

/// Brings the edges of a graph at these places into the `slots` of the groups through `bins`, and into a list, which has at
/// most `listed` of them.
///
/// # Errors
/// What the device reports.
pub fn make_groups<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    places: Vec<Range<u64>>,
    groups: &mut HeadGroups<D>,
    slots: u64,
    listed: u64,
    bins: GroupBins,
) -> Result<Grouped<D>, D::Error> {
    let mut grouped = Buffer::uninitialized(device, slots)?;
    let mut listed_edges = Buffer::uninitialized(device, listed)?;
    let HeadGroups { heads: grouping_heads, grouping, cursors, sizes, .. } = groups;
    let GroupBins { slots_log2, count } = bins;
    let words = u64::from(*grouping_heads).div_ceil(32);
    let mut heads_in_bins = Buffer::uninitialized(device, words)?;
    let mut bins = Buffer::zeroed(device, bins_len(count))?;
    bins_of_heads(
        device,
        Shape::cover(words, BLOCK, u32::MAX),
        grouping.view(),
        cursors.view(),
        heads_in_bins.view_mut(),
        bins.view_mut(),
        *grouping_heads,
        slots_log2,
        count,
    )?;
    let mut split = Buffer::uninitialized(device, slots)?;
    for Range { start, end } in places {
        let tiles = (end - start).div_ceil(u64::from(SPLIT_TILE));
        split_edges(
            device,
            // Fewer than 2³² places are fewer than 2²⁰ tiles.
            Shape::new(tiles.max(1) as u32, SPLIT_BLOCK).shared(SPLIT_SHARED_BYTES),
            graph.oriented(),
            heads_in_bins.view(),
            bins.view_mut(),
            cursors.view_mut(),
            split.view_mut(),
            grouped.view_mut(),
            listed_edges.view_mut(),
            sizes.view_mut(),
            start,
            end,
            *grouping_heads,
            count,
        )?;
    }
    place_edges(
        device,
        Shape::new(device.multiprocessors() * PLACE_BLOCKS, SPLIT_BLOCK).shared(PLACE_SHARED_BYTES),
        split.view(),
        bins.view(),
        cursors.view_mut(),
        grouped.view_mut(),
        count,
    )?;
    Ok(Grouped { grouped, listed: listed_edges })
}
