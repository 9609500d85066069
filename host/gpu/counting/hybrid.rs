//! Counting on the GPU by the method that the plan chooses (docs/engines.md).

use tribin_kernels::edge_groups::{HEADS, ITEMS, LISTED, SIZES, SLOTS};
use tribin_kernels::forward::TOTALS;
use tribin_kernels::listed_edges::{self, search_listed};
use tribin_kernels::row_bits::{row_bits, shared_bytes};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::sample;
use crate::device_graph::DeviceGraph;
use crate::methods::hub_product;
use crate::methods::row_bits::{
    Grouped, Groups, HeadGroups, find_groups, make_groups, most_listed,
};
use crate::methods::{Method, MethodCount, run as run_method, run_in_place};
use crate::plan::counting::{
    Counting, CountingSettings, GroupBins, GroupSettings, HubSettings, InPlace, METHOD, Product,
    counting,
};
use crate::plan::method_time::{self, MethodSeconds, Rates};
use crate::plan::{Chosen, CountingFacts, Explanation, StepPrediction};

/// Blocks a multiprocessor of the search, which strides over its list.
const SEARCH_BLOCKS: u32 = 64;

/// The count of the hybrid engine, by which methods it was made, and how long each took on the device.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HybridCount {
    /// The triangles, and the seconds. Those of the building include the sample, the groups and the list, and the writing of the hubs'
    /// matrix.
    pub counted: MethodCount,
    /// How all edges were counted, where they were counted where they lie; `None` where they were brought into groups.
    pub method: Option<InPlace>,
    /// Edges of each class.
    pub edges: ClassSizes,
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
    /// Searched from a list.
    pub listed: u64,
    /// All edges, counted where they lie, because groups do not pay.
    pub in_place: u64,
}

/// Counts the triangles of an oriented graph on the device by the method that the plan chooses, in `free`
/// bytes of device memory beside the graph; and says what was decided, and why. Groups that turn out to have too few edges are a new
/// fact.
///
/// The count is below 2⁴⁷ for m < 2³² edges (`forward_merge` says why), and so are the totals that it is summed
/// from.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If a setting is out of the bounds of the kernel that takes it.
pub fn count_within<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    settings: &CountingSettings,
    free: u64,
) -> Result<(HybridCount, Explanation), D::Error> {
    let start = device.record()?;
    if graph.edges == 0 {
        return Ok((HybridCount::default(), Explanation::default()));
    }
    let sample = sample::measure(device, graph, &settings.sample())?;
    let ranks = graph.rows.len() / 2;
    let mut facts = CountingFacts { sample, ranks, grouped: None, settings: *settings };
    let mut chosen = counting(&facts, free);
    if let (Counting::Groups { .. }, Some(of)) = (chosen.choice, &settings.groups) {
        let groups = find_groups(device, graph, &of.row_bits)?;
        let mut sizes = [0; SIZES as usize];
        groups.of_heads.sizes.download(device, 0, &mut sizes)?;
        facts.grouped = Some(sizes[SLOTS as usize].into());
        chosen = counting(&facts, free);
        if let Counting::Groups { hub_edges } = chosen.choice {
            let count = count_grouped(device, graph, of, hub_edges, groups, sizes, &start)?;
            return Ok((count, explain(&facts, &chosen, &count)));
        }
    }
    let Counting::InPlace(method) = chosen.choice else {
        unreachable!("groups are counted with their list")
    };
    let counted = run_in_place(&method, device, graph, &start)?;
    let edges = ClassSizes { in_place: graph.edges, ..ClassSizes::default() };
    let count = HybridCount { counted, method: Some(method), edges };
    Ok((count, explain(&facts, &chosen, &count)))
}

/// Counts by a method that was named; the plan chooses nothing. If the steps are `explained`, the wedges are measured, which their times are
/// predicted from at the rates, with the bytes that the method takes beside the graph.
///
/// # Errors
/// What the device reports.
pub fn count_by<M: Method, D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    method: &M,
    explained: Option<(Rates, u64)>,
) -> Result<(MethodCount, Explanation), D::Error> {
    let sample = match explained.is_some() && graph.edges > 0 {
        true => Some(sample::measure(device, graph, &CountingSettings::MEASURED.sample())?),
        false => None,
    };
    let start = device.record()?;
    let counted = run_method(method, device, graph, &start)?;
    let mut explanation = Explanation::default();
    if let (Some(sample), Some((rates, bytes))) = (sample, explained) {
        let predicted = method_time::counting(&sample, rates);
        explain_steps(&mut explanation, predicted, bytes, &counted);
    }
    Ok((counted, explanation))
}

/// The decision and its two steps; their bytes are those beside the graph.
fn explain(facts: &CountingFacts, chosen: &Chosen<Counting>, count: &HybridCount) -> Explanation {
    let decisions = vec![chosen.decision(METHOD)];
    let mut explanation = Explanation { decisions, ..Explanation::default() };
    let predicted = chosen.choice.seconds(facts);
    explain_steps(&mut explanation, predicted, chosen.bytes, &count.counted);
    explanation
}

fn explain_steps(
    explanation: &mut Explanation,
    predicted: MethodSeconds,
    bytes: u64,
    counted: &MethodCount,
) {
    explanation.step("group", StepPrediction::on_device(predicted.build, bytes), counted.build);
    explanation.step("count", StepPrediction::on_device(predicted.count, bytes), counted.count);
}

/// Counts edges that are in groups and in a list, with the time from `start` on as the grouping's.
///
/// The host waits for the device twice: to know how many edges are in groups, and for the totals.
fn count_grouped<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    settings: &GroupSettings,
    hub_edges: u64,
    mut groups: Groups<D>,
    mut sizes: [u32; SIZES as usize],
    start: &D::Event,
) -> Result<HybridCount, D::Error> {
    let of_bits = &settings.row_bits;
    let (in_groups, items) = (u64::from(sizes[SLOTS as usize]), sizes[ITEMS as usize]);
    let mut totals = Buffer::zeroed(device, TOTALS)?;
    let hubs_done = match settings.hubs {
        Some(HubSettings { hubs, lanes_log2, .. }) if hub_edges > 0 => {
            let by = Product::CommonBits { lanes_log2 };
            hub_product::add_first_edges(device, graph, hub_edges, hubs, by, &mut totals)?
        }
        _ => None,
    };
    let in_list = most_listed(graph, in_groups);
    let places = graph.counted_from(hub_edges);
    let of_heads = &mut groups.of_heads;
    let bins = GroupBins::of(in_groups, sizes[HEADS as usize].into());
    let Grouped { grouped, listed } =
        make_groups(device, graph, places, of_heads, in_groups, in_list, bins)?;
    let placed = device.record()?;

    if items > 0 {
        let Groups { narrow, of_heads: HeadGroups { cursors, items: item_words, sizes, .. } } =
            &groups;
        let mut ticket = Buffer::zeroed(device, 1)?;
        let most = device.multiprocessors() * of_bits.blocks_per_multiprocessor;
        row_bits(
            device,
            Shape::new(items.min(most), of_bits.block)
                .shared(shared_bytes(of_bits.exact, of_bits.filter_log2)),
            narrow.view().cast(),
            graph.heads.view(),
            narrow.view(),
            graph.heads.view(),
            graph.rows.view().cast(),
            item_words.view(),
            grouped.view(),
            cursors.view(),
            sizes.view(),
            ticket.view_mut(),
            totals.view_mut(),
            of_bits.exact,
            of_bits.filter_log2,
            of_bits.chunk,
            of_bits.stream_lanes_log2,
        )?;
    }
    // How many edges are listed, the device alone knows yet.
    if in_list > 0 {
        let most = device.multiprocessors() * SEARCH_BLOCKS;
        search_listed(
            device,
            Shape::cover(in_list << of_bits.search_lanes_log2, listed_edges::BLOCK, most),
            graph.oriented(),
            listed.view(),
            groups.of_heads.sizes.view(),
            totals.view_mut(),
            of_bits.search_lanes_log2,
        )?;
    }
    let counted = device.record()?;
    let triangles = totals.to_vec(device)?.iter().sum::<u64>();
    groups.of_heads.sizes.download(device, 0, &mut sizes)?;
    let hubs = match &hubs_done {
        Some([written, counted]) => device.seconds_between(written, counted)?,
        None => 0.0,
    };
    let counted = MethodCount {
        triangles,
        build: device.seconds_between(start, &placed)? - hubs,
        count: hubs + device.seconds_between(&placed, &counted)?,
    };
    Ok(HybridCount {
        counted,
        method: None,
        edges: ClassSizes {
            hubs: hub_edges,
            slots: in_groups,
            items: u64::from(items),
            listed: u64::from(sizes[LISTED as usize]),
            ..ClassSizes::default()
        },
    })
}
