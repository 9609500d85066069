//! Graphs with 64-bit places, a window at a time: the rows of neighbouring ranks, with places of 32 bits.
//!
//! In a window the edges of the first heads are brought into groups, as those of smaller graphs are. They are counted by the bits of
//! their head's row, and the others are merged or searched. A head's row may lie outside the window. Those of heads with a
//! group stand at the beginning of the graph, since ranks descend by degree, and have 32-bit places there.

use std::ops::Range;

use tribin_device::launch::{Buffer, Device, Shape, View};
use tribin_kernels::edge_groups::{HEADS, ITEMS, SIZES, SLOTS};
use tribin_kernels::forward::TOTALS;
use tribin_kernels::listed_edges;
use tribin_kernels::parts::{self, TAILS_TILE, pack_rows, part_lengths, tails_of_rows};
use tribin_kernels::row_bits::{row_bits, shared_bytes};
use tribin_kernels::windows::{
    COUNT_BLOCK, count_shared_bytes, head_counts, merge_listed_wide, merge_wide,
    search_listed_wide, window_rows,
};

use super::forward::launch_shape;
use super::method::MethodCount;
use super::row_bits::{
    BLOCKS, EdgesToGroup, Grouped, Grouping, HeadGroups, groups_of_heads, make_groups, narrow,
};
use crate::device_graph::WideGraph;
use crate::device_graph::in_pairs;
use crate::plan::counting::{GroupingFacts, RowBits, group_bins};
use crate::plan::windows::MOST_HEADS;

/// Edges that are merged at a time, at most: more would not be faster, and their tails take 4 bytes each.
const MERGED_AT_ONCE: u64 = 1 << 30;

/// Edges of a block that counts heads, at least: it has counters for many heads, and adds each to the other blocks'.
const LEAST_COUNTED: u64 = 1 << 17;

/// Blocks a multiprocessor of the kernels that merge and search lists.
const LIST_BLOCKS: u32 = 64;

/// The settings by which windows are counted.
#[derive(Debug, Clone, Copy)]
pub struct Windows {
    /// Places of a window, at most. A longer row is a window of its own.
    pub places: u64,
    /// The settings by which edges are brought into groups; `None` where all are merged.
    pub groups: Option<RowBits>,
    /// The least share of a window's edges that can be in groups, in thousandths: below it all are merged.
    pub least_permille: u32,
    /// Bytes of device memory that edges may come to their groups by, beside what windows take.
    pub free: u64,
}

impl Windows {
    /// Whether groups are made in a window, where `grouped` of a device's `edges` can be in one.
    fn are_enough(&self, grouped: u64, edges: u64) -> bool {
        u128::from(grouped) * 1_000 >= u128::from(self.least_permille) * u128::from(edges)
    }
}

/// The triangles and edges that a device counted.
#[derive(Debug, Clone, Copy, Default)]
pub struct CountedWindows {
    /// Triangles and seconds.
    pub counted: MethodCount,
    /// Edges that the device counted.
    pub edges: u64,
    /// Edges whose head has a group.
    pub grouped: u64,
}

/// Counts the edges that a device counts of a graph with 64-bit places.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If a setting is out of the bounds of the kernel that takes it.
pub fn count_windows<D: Device>(
    device: &D,
    graph: &WideGraph<D>,
    windows: &Windows,
) -> Result<CountedWindows, D::Error> {
    let start = device.record()?;
    let mut totals = Buffer::zeroed(device, TOTALS)?;
    let mut found = CountedWindows::default();
    let mut build = 0.0;
    match &windows.groups {
        _ if graph.edges == 0 => {}
        None => found.edges = merge_all(device, graph, windows.places, &mut totals)?,
        Some(settings) => {
            let heads = Heads::first(device, graph, settings, windows.places)?;
            let mut first = 0;
            while first < graph.ranks() {
                let window = Window::from(device, graph, first, windows.places)?;
                first = window.ranks.end;
                let own = window.own(graph);
                if own == 0 {
                    continue;
                }
                found.edges += own;
                let begun = device.record()?;
                let groups = window.groups(device, graph, &heads)?;
                let slots = u64::from(groups.sizes[SLOTS as usize]);
                if windows.are_enough(slots, own) {
                    found.grouped += slots;
                    let placed = window.count_groups(
                        device,
                        graph,
                        (&heads, groups),
                        windows.free,
                        &mut totals,
                    )?;
                    build += device.seconds_between(&begun, &placed)?;
                } else {
                    let own = graph.share.ranges(0, window.tails.len());
                    window.merge(device, graph, own, &mut totals)?;
                }
            }
        }
    }
    let triangles = totals.to_vec(device)?.iter().sum();
    let counted = device.record()?;
    let count = (device.seconds_between(&start, &counted)? - build).max(0.0);
    Ok(CountedWindows { counted: MethodCount { triangles, build, count }, ..found })
}

/// Merges all edges that a device counts, with the tails of at most `places` of them at a time. Returns how many there are.
fn merge_all<D: Device>(
    device: &D,
    graph: &WideGraph<D>,
    places: u64,
    totals: &mut Buffer<u64, D>,
) -> Result<u64, D::Error> {
    let (mut merged, ranks) = (0, graph.ranks());
    for Range { start, end } in graph.share.even_ranges(0, graph.edges) {
        merged += end - start;
        let mut rest = start..end;
        while !rest.is_empty() {
            // The rows that begin before the piece ends, from the one that it begins in.
            let first = last_that_begins(device, graph, 0..ranks, rest.start)?;
            let until = rest.end.min(rest.start + places.min(MERGED_AT_ONCE));
            let last = last_that_begins(device, graph, first..ranks, until - 1)?;
            let window = Window::of_ranks(device, graph, first..(last + 1).min(ranks))?;
            let own = rest.start - window.base..until - window.base;
            window.merge(device, graph, [own], totals)?;
            rest.start = until;
        }
    }
    Ok(merged)
}

/// The first heads, which can have groups in every window.
struct Heads<'t, D: Device> {
    settings: &'t RowBits,
    heads: u32,
    /// Entries of the heads' rows.
    entries: u64,
    /// Where each row stands.
    rows: Buffer<u64, D>,
    /// The entries in 16 bits.
    narrow: Buffer<u16, D>,
}

impl<'t, D: Device> Heads<'t, D> {
    /// The heads from the first on: as many as may have groups, and as have rows of at most `most_entries` entries together.
    fn first(
        device: &D,
        graph: &WideGraph<D>,
        settings: &'t RowBits,
        most_entries: u64,
    ) -> Result<Self, D::Error> {
        let most = graph.ranks().min(u64::from(settings.ranks)).min(MOST_HEADS);
        let heads = last_that_begins(device, graph, 0..most, most_entries.min(u32::MAX.into()))?;
        let entries = start_of(device, graph, heads)?;
        let mut rows = Buffer::uninitialized(device, heads)?;
        let all = device.multiprocessors() * BLOCKS;
        let starts = graph.starts.view().slice(0, heads + 1);
        pack_rows(device, Shape::cover(heads, parts::BLOCK, all), starts, rows.view_mut(), heads)?;
        let narrow = narrow(device, graph.heads.view().slice(0, entries), entries, settings)?;
        // Below 2²⁷.
        Ok(Heads { settings, heads: heads as u32, entries, rows, narrow })
    }
}

/// Where a row begins: how many edges are in those before it.
///
/// # Errors
/// What the device reports.
pub fn start_of<D: Device>(device: &D, graph: &WideGraph<D>, rank: u64) -> Result<u64, D::Error> {
    let mut start = [0];
    graph.starts.download(device, rank, &mut start)?;
    Ok(start[0])
}

/// The last of these ranks whose row begins at the place `most` or before. The first one's does.
fn last_that_begins<D: Device>(
    device: &D,
    graph: &WideGraph<D>,
    Range { start: mut low, end: mut high }: Range<u64>,
    most: u64,
) -> Result<u64, D::Error> {
    if start_of(device, graph, high)? <= most {
        return Ok(high);
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match start_of(device, graph, middle)? <= most {
            true => low = middle,
            false => high = middle,
        }
    }
    Ok(low)
}

/// Neighbouring ranks, and the edges of their rows.
struct Window<D: Device> {
    ranks: Range<u64>,
    /// The place of the first edge.
    base: u64,
    tails: Buffer<u32, D>,
}

/// The groups of a window's heads, and their sizes.
struct WindowGroups<D: Device> {
    of_heads: HeadGroups<D>,
    sizes: [u32; SIZES as usize],
}

impl<D: Device> Window<D> {
    /// The window from the rank `first` on: rows of at most `places` entries together, or one row.
    fn from(
        device: &D,
        graph: &WideGraph<D>,
        first: u64,
        places: u64,
    ) -> Result<Window<D>, D::Error> {
        let base = start_of(device, graph, first)?;
        let ranks = graph.ranks();
        let last = last_that_begins(device, graph, first..ranks, base + places)?.max(first + 1);
        Window::of_ranks(device, graph, first..last)
    }

    /// The window of these ranks.
    fn of_ranks(
        device: &D,
        graph: &WideGraph<D>,
        ranks: Range<u64>,
    ) -> Result<Window<D>, D::Error> {
        let base = start_of(device, graph, ranks.start)?;
        let len = start_of(device, graph, ranks.end)? - base;
        let mut tails = Buffer::uninitialized(device, len)?;
        let (first, n) = (ranks.start, ranks.end - ranks.start);
        // A warp a tile.
        let warps = (len + n).div_ceil(u64::from(TAILS_TILE));
        tails_of_rows(
            device,
            Shape::cover(warps * 32, parts::BLOCK, device.multiprocessors() * BLOCKS),
            graph.starts.view().slice(first, n + 1),
            tails.view_mut(),
            first,
            n,
        )?;
        Ok(Window { ranks, base, tails })
    }

    /// How many edges the device counts.
    fn own(&self, graph: &WideGraph<D>) -> u64 {
        graph.share.edges(self.tails.len())
    }

    /// The heads of the window's edges.
    fn heads<'g>(&self, graph: &'g WideGraph<D>) -> View<'g, u32, D> {
        graph.heads.view().slice(self.base, self.tails.len())
    }

    /// The groups, with a slot for every edge that the device counts.
    fn groups(
        &self,
        device: &D,
        graph: &WideGraph<D>,
        Heads { settings, heads, rows, .. }: &Heads<'_, D>,
    ) -> Result<WindowGroups<D>, D::Error> {
        let (most, n) = (device.multiprocessors() * BLOCKS, u64::from(*heads));
        // The length of a head's row, and its edges here: what the degree is in a smaller graph.
        let mut degrees = Buffer::uninitialized(device, n)?;
        let shape = Shape::cover(n, parts::BLOCK, most);
        part_lengths(device, shape, rows.view(), degrees.view_mut(), 0, n)?;
        let own = self.own(graph);
        let ends = |range: &Range<u64>| [range.start, range.end];
        let ranges: Vec<u64> =
            graph.share.ranges(0, self.tails.len()).iter().flat_map(ends).collect();
        let ranges = Buffer::from_host(device, &ranges)?;
        // The lowest ranks have most edges.
        let hubs = (*heads).min(device.most_shared_bytes() / count_shared_bytes(1));
        let blocks = own.div_ceil(LEAST_COUNTED).clamp(1, device.multiprocessors().into());
        head_counts(
            device,
            // Fewer than there are multiprocessors.
            Shape::new(blocks as u32, COUNT_BLOCK).shared(count_shared_bytes(hubs)),
            self.heads(graph),
            ranges.view(),
            degrees.view_mut(),
            // 16 at most.
            ranges.len() as u32 / 2,
            *heads,
            hubs,
        )?;
        let of_heads = groups_of_heads(device, rows.view(), degrees.view(), *heads, own, settings)?;
        let mut sizes = [0; SIZES as usize];
        of_heads.sizes.download(device, 0, &mut sizes)?;
        Ok(WindowGroups { of_heads, sizes })
    }

    /// Counts the edges in groups and in lists. Returns when the groups were made.
    fn count_groups(
        &self,
        device: &D,
        graph: &WideGraph<D>,
        (of, mut groups): (&Heads<'_, D>, WindowGroups<D>),
        free: u64,
        totals: &mut Buffer<u64, D>,
    ) -> Result<D::Event, D::Error> {
        let (settings, w, n) = (of.settings, self.tails.len(), graph.ranks());
        let most = device.multiprocessors() * BLOCKS;
        let (slots, items) =
            (u64::from(groups.sizes[SLOTS as usize]), groups.sizes[ITEMS as usize]);
        let in_lists = self.own(graph) - slots;
        let mut rows = Buffer::uninitialized(device, n)?;
        let shape = Shape::cover(n, parts::BLOCK, most);
        window_rows(device, shape, graph.starts.view(), rows.view_mut(), self.base, n)?;
        let edges =
            EdgesToGroup { tails: self.tails.view(), heads: self.heads(graph), rows: rows.view() };
        let places = graph.share.ranges(0, w);
        let heads = groups.sizes[HEADS as usize].into();
        let facts = GroupingFacts { edges: slots + in_lists, slots, heads };
        let bins = group_bins(&facts, settings, free);
        let how = Grouping { bins, merge_max: settings.merge_max };
        let Grouped { grouped, listed } =
            make_groups(device, &edges, places, &mut groups.of_heads, slots, in_lists, &how)?;
        let HeadGroups { cursors, items: item_words, sizes: of_each, .. } = &groups.of_heads;
        // A window of the whole graph has the entries of the first heads, if those are all.
        let made = match self.base == 0 && w == of.entries {
            true => None,
            false => Some(narrow(device, self.heads(graph), w, settings)?),
        };
        let narrow = made.as_ref().unwrap_or(&of.narrow);
        let placed = device.record()?;
        let sizes = of_each.view();
        if items > 0 {
            let blocks = device.multiprocessors() * settings.blocks_per_multiprocessor;
            let mut ticket = Buffer::zeroed(device, 1)?;
            row_bits(
                device,
                Shape::new(items.min(blocks), settings.block)
                    .shared(shared_bytes(settings.exact, settings.filter_log2)),
                narrow.view().cast(),
                self.heads(graph),
                of.narrow.view(),
                graph.heads.view().slice(0, of.entries),
                of.rows.view(),
                item_words.view(),
                grouped.view(),
                cursors.view(),
                sizes,
                ticket.view_mut(),
                totals.view_mut(),
                settings.exact,
                settings.filter_log2,
                settings.chunk,
                settings.stream_lanes_log2,
            )?;
        }
        if in_lists > 0 {
            let (tails, heads, pairs) =
                (self.tails.view(), graph.heads.view(), in_pairs(graph.heads.view()));
            let (starts, base, most) =
                (graph.starts.view(), self.base, device.multiprocessors() * LIST_BLOCKS);
            merge_listed_wide(
                device,
                Shape::cover(in_lists, listed_edges::BLOCK, most),
                tails,
                heads,
                pairs,
                starts,
                listed.view(),
                sizes,
                totals.view_mut(),
                base,
                graph.edges,
            )?;
            let lanes = settings.search_lanes_log2;
            search_listed_wide(
                device,
                Shape::cover(in_lists << lanes, listed_edges::BLOCK, most),
                tails,
                heads,
                starts,
                listed.view(),
                sizes,
                totals.view_mut(),
                base,
                in_lists,
                lanes,
            )?;
        }
        Ok(placed)
    }

    /// Merges the edges at these places of the window.
    fn merge(
        &self,
        device: &D,
        graph: &WideGraph<D>,
        own: impl IntoIterator<Item = Range<u64>>,
        totals: &mut Buffer<u64, D>,
    ) -> Result<(), D::Error> {
        for Range { start, end } in own {
            merge_wide(
                device,
                launch_shape(device, end - start),
                self.tails.view(),
                graph.heads.view(),
                in_pairs(graph.heads.view()),
                graph.starts.view(),
                totals.view_mut(),
                self.base,
                start,
                end,
                graph.edges,
            )?;
        }
        Ok(())
    }
}
