//! Counting on the GPU with the method that each edge's head calls for (docs/engines.md).
//!
//! | edges | method |
//! | --- | --- |
//! | among the hubs, where they are many | a matrix of bits ([`hub_product`]) |
//! | of the others, those whose head has many | [`row_bits`](tribin_kernels::row_bits) |
//! | of the others, those with short rows | merged, a thread an edge |
//! | the rest | searched, a group of lanes an edge |
//! | all, where few heads have many edges and few wedges close | signatures tell wedges apart ([`signatures`]) |
//! | the same, where rows have two to five entries | a few bits for each row tell edges apart ([`narrow_signatures`]) |
//! | all, where few heads have many edges and entries of rows are near each other | rows as segments of 32 ranks, merged ([`segments`]) |
//! | all, where none of these pays | merged in place ([`forward`]) |

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::edge_groups::{self, ITEMS, MERGED, SEARCHED, SIZES, SLOTS, group_edges};
use tribin_kernels::forward::{BLOCKS_PER_MULTIPROCESSOR, TOTALS};
use tribin_kernels::listed_edges::{self, merge_listed, search_listed};
use tribin_kernels::row_bits::{row_bits, shared_bytes};

use super::sample::Sample;
use crate::graph::DeviceGraph;
use crate::methods::hub_product::{self, Product};
use crate::methods::row_bits::{BLOCKS, Groups, find_groups};
use crate::methods::{forward, narrow_signatures, segments, signatures};
use crate::plan::tuning::{HUB_LEAST_EDGES, HUBS, Policy};

/// Blocks a multiprocessor of the search, which strides over its list.
const SEARCH_BLOCKS: u32 = 64;

/// What was counted, by which methods, and how long each took on the device.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HybridCount {
    /// Triangles.
    pub triangles: u64,
    /// Edges of each class.
    pub edges: ClassSizes,
    /// Seconds of each phase.
    pub seconds: HybridSeconds,
}

/// Edges of each class. Edges that close no triangle, because their prefix or their head's row is empty,
/// are on no list, but have a slot where their head has a group and a row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClassSizes {
    /// Edges among the hubs, counted as a matrix.
    pub hubs: u64,
    /// Slots of the groups that row bits count: one for each edge of their heads, also for those among the
    /// hubs, which take none.
    pub slots: u64,
    /// Work items of row bits.
    pub items: u64,
    /// Merged from a list.
    pub merged: u64,
    /// Searched from a list.
    pub searched: u64,
    /// All edges, merged in place, as entries or as segments, because groups do not pay.
    pub in_place: u64,
    /// All edges, filtered by signatures first, for the same reason.
    pub filtered: u64,
}

/// Seconds of each phase on the device.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HybridSeconds {
    /// Bringing the edges into groups and lists, or sampling them and making signatures:
    /// preprocessing.
    pub group: f64,
    /// The hubs' matrix.
    pub hubs: f64,
    /// Row bits.
    pub row_bits: f64,
    /// Merging, from the list or in place.
    pub merge: f64,
    /// Searching.
    pub search: f64,
    /// Filtering by signatures.
    pub filter: f64,
}

impl HybridSeconds {
    /// Counting, without the grouping.
    pub fn count(&self) -> f64 {
        self.hubs + self.row_bits + self.merge + self.search + self.filter
    }
}

/// Bytes of device memory that counting takes beside the graph, at most.
pub fn memory_needed(edges: u64, ranks: u64) -> u64 {
    // Totals, sizes, tickets and the cursors that lie apart.
    const REST: u64 = 2 << 20;
    let may_have_hubs = edges >= u64::from(HUB_LEAST_EDGES);
    let matrix = if may_have_hubs { hub_product::memory_needed(HUBS) } else { 0 };
    // Groups take 10 bytes an edge, and signatures 64 a rank; these are made where there are at least
    // six edges a rank.
    11 * edges + 17 * ranks + matrix + REST
}

/// Counts the triangles of an oriented graph on the device, in groups if it has enough wedges for them.
/// Otherwise as [`count_oriented`].
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If a field of the policy is out of its bounds.
pub fn count<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    policy: &Policy,
) -> Result<HybridCount, D::Error> {
    policy.check();
    let start = device.mark()?;
    if graph.edges == 0 {
        return Ok(HybridCount::default());
    }
    let sample = Sample::of(device, graph, policy)?;
    if sample.grouping_pays(policy) && !sample.small_segments_pay(policy) {
        count_grouped(device, graph, policy, sample, &start)
    } else {
        count_in_place(device, graph, policy, sample, &start)
    }
}

/// Counts the triangles of an oriented graph on the device, in groups where enough of its edges can
/// have one.
///
/// Memory beside the graph: [`memory_needed`]. The count is
/// below 2⁴⁷ for m < 2³² edges (`forward_merge` says why), and so are the totals that it is summed
/// from.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If a field of the policy is out of its bounds.
pub fn count_oriented<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    policy: &Policy,
) -> Result<HybridCount, D::Error> {
    policy.check();
    let start = device.mark()?;
    if graph.edges == 0 {
        return Ok(HybridCount::default());
    }
    let sample = Sample::of(device, graph, policy)?;
    count_grouped(device, graph, policy, sample, &start)
}

/// [`count_oriented`], with the time from `start` on as the grouping's.
///
/// The host waits for the device twice: to know how many edges are in groups, and for the totals.
fn count_grouped<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    policy: &Policy,
    sample: Sample,
    start: &D::Mark,
) -> Result<HybridCount, D::Error> {
    let m = graph.edges;
    let mut groups = find_groups(device, graph, policy)?;
    let mut sizes = [0; SIZES as usize];
    groups.sizes.download(device, 0, &mut sizes)?;
    let (in_groups, items) = (u64::from(sizes[SLOTS as usize]), sizes[ITEMS as usize]);
    if in_groups * 1_000 < u64::from(policy.least_grouped_permille) * m {
        return count_in_place(device, graph, policy, sample, start);
    }

    let mut totals = Buffer::zeroed(device, TOTALS)?;
    let hub_edges = sample.hub_matrix_edges(policy);
    let hubs_done = if hub_edges > 0 {
        let by = Product::CommonBits { lanes_log2: policy.hub_lanes_log2 };
        hub_product::add_first_edges(device, graph, hub_edges, policy.hubs, by, &mut totals)?
    } else {
        None
    };
    let in_lists = m - in_groups;
    let mut grouped = Buffer::uninitialized(device, in_groups)?;
    let mut listed = Buffer::uninitialized(device, in_lists)?;
    let rows = graph.rows.view().cast();
    let grouping_heads = groups.heads;
    group_edges(
        device,
        Shape::cover(m - hub_edges, edge_groups::BLOCK, device.multiprocessors() * BLOCKS),
        graph.tails.view(),
        graph.heads.view(),
        rows,
        groups.grouping.view(),
        groups.cursors.view_mut(),
        grouped.view_mut(),
        listed.view_mut(),
        groups.sizes.view_mut(),
        hub_edges,
        m,
        grouping_heads,
        policy.merge_most,
        in_lists,
    )?;
    let placed = device.mark()?;

    if items > 0 {
        let Groups { narrow, cursors, items: item_words, sizes, .. } = &groups;
        let mut ticket = Buffer::zeroed(device, 1)?;
        let most = device.multiprocessors() * policy.blocks_per_multiprocessor;
        row_bits(
            device,
            Shape::new(items.min(most), policy.block)
                .shared(shared_bytes(policy.exact, policy.filter_log2)),
            narrow.view().cast(),
            narrow.view(),
            graph.heads.view(),
            rows,
            item_words.view(),
            grouped.view(),
            cursors.view(),
            sizes.view(),
            ticket.view_mut(),
            totals.view_mut(),
            policy.exact,
            policy.filter_log2,
            policy.chunk,
            policy.stream_lanes_log2,
        )?;
    }
    let bits_done = device.mark()?;
    // How many of the listed edges each method gets, the device alone knows yet.
    if in_lists > 0 {
        let most = device.multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
        merge_listed(
            device,
            Shape::cover(in_lists, listed_edges::BLOCK, most),
            graph.tails.view(),
            graph.heads.view(),
            rows,
            listed.view(),
            groups.sizes.view(),
            totals.view_mut(),
        )?;
    }
    let merge_done = device.mark()?;
    if in_lists > 0 {
        let most = device.multiprocessors() * SEARCH_BLOCKS;
        search_listed(
            device,
            Shape::cover(in_lists << policy.search_lanes_log2, listed_edges::BLOCK, most),
            graph.tails.view(),
            graph.heads.view(),
            rows,
            listed.view(),
            groups.sizes.view(),
            totals.view_mut(),
            in_lists,
            policy.search_lanes_log2,
        )?;
    }
    let search_done = device.mark()?;
    let triangles = totals.to_vec(device)?.iter().sum::<u64>();
    groups.sizes.download(device, 0, &mut sizes)?;
    let hubs = match &hubs_done {
        Some([written, counted]) => device.seconds_between(written, counted)?,
        None => 0.0,
    };
    Ok(HybridCount {
        triangles,
        edges: ClassSizes {
            hubs: hub_edges,
            slots: in_groups,
            items: u64::from(items),
            merged: u64::from(sizes[MERGED as usize]),
            searched: u64::from(sizes[SEARCHED as usize]),
            ..ClassSizes::default()
        },
        seconds: HybridSeconds {
            group: device.seconds_between(start, &placed)? - hubs,
            hubs,
            row_bits: device.seconds_between(&placed, &bits_done)?,
            merge: device.seconds_between(&bits_done, &merge_done)?,
            search: device.seconds_between(&merge_done, &search_done)?,
            filter: 0.0,
        },
    })
}

/// Counts without moving an edge: by signatures if few wedges of a sample close, as segments if rows have many
/// entries side by side, else by merging.
fn count_in_place<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    policy: &Policy,
    sample: Sample,
    start: &D::Mark,
) -> Result<HybridCount, D::Error> {
    let m = graph.edges;
    let ranks = graph.rows.len() / 2;
    let sparse = m < u64::from(policy.filter_least_row) * ranks;
    let filter = m >= u64::from(policy.filter_least_edges) && sample.filtering_pays(policy, sparse);
    let (triangles, ready) = if filter && sparse {
        let filters = narrow_signatures::signatures(device, graph)?;
        let ready = device.mark()?;
        (narrow_signatures::count_oriented(device, graph, &filters)?, ready)
    } else if filter {
        let filters = signatures::signatures(device, graph)?;
        let ready = device.mark()?;
        (signatures::count_oriented(device, graph, &filters)?, ready)
    } else if sample.segments_pay(policy) {
        let cut = segments::segments(device, graph)?;
        let ready = device.mark()?;
        (segments::count_oriented(device, graph, &cut)?, ready)
    } else {
        let ready = device.mark()?;
        (forward::gpu::count_oriented(device, graph, sample.merge_shape(policy))?, ready)
    };
    let counted = device.mark()?;
    let mut count = HybridCount { triangles, ..HybridCount::default() };
    count.seconds.group = device.seconds_between(start, &ready)?;
    let seconds = device.seconds_between(&ready, &counted)?;
    if filter {
        (count.edges.filtered, count.seconds.filter) = (m, seconds);
    } else {
        (count.edges.in_place, count.seconds.merge) = (m, seconds);
    }
    Ok(count)
}
