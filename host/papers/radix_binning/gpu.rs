//! Algorithms 1 and 2 of the paper on a device: how many candidates there are, and their batches.

use tribin_kernels::binning::Figure;
use tribin_kernels::wedges::{ENDS_BLOCK, ENDS_SHARED_BYTES, ENDS_TILE, wedge_ends};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::batch::{BatchSums, Batches, CandidateSource};
use super::{Level, Orientation, RadixCount, RadixOptions, RadixPlan, RadixSeconds};
use tribin_gpu::device_graph::DeviceGraph;
use tribin_graph::rank_bits;

/// Most edges that the engine takes, each direction counted where both are used: places are 32-bit
/// numbers, and a batch has room for candidates beside the edges.
pub const MOST_EDGES: u64 = (1 << 32) - (1 << 16);

/// Most edge entries that the engine takes.
pub const fn most_entries(orientation: Orientation) -> u64 {
    match orientation {
        Orientation::Degree => MOST_EDGES,
        Orientation::None => MOST_EDGES / 2,
    }
}

/// Counts the triangles of a graph of `bound` ranks that is laid out, oriented or in both directions as the
/// options say. The figures of the graph, its launches and the seconds of its preparation are left out.
///
/// # Errors
/// What the device reports.
pub fn count_graph<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    bound: u64,
    options: &RadixOptions,
) -> Result<RadixCount, D::Error> {
    let start = device.record()?;
    let nothing = RadixCount { edges: graph.edges, ..RadixCount::default() };
    if graph.edges == 0 {
        return Ok(nothing);
    }
    let mut ends = Buffer::uninitialized(device, bound)?;
    let tiles = bound.div_ceil(u64::from(ENDS_TILE));
    wedge_ends(
        device,
        Shape::new(tiles as u32, ENDS_BLOCK).shared(ENDS_SHARED_BYTES),
        graph.rows.view().cast(),
        ends.view_mut(),
        Buffer::zeroed(device, tiles)?.view_mut(),
        Buffer::zeroed(device, 1)?.view_mut(),
        bound,
    )?;
    let mut candidates = [0];
    ends.download(device, bound - 1, &mut candidates)?;
    let [candidates] = candidates;
    let sized = device.record()?;
    let sizing = device.seconds_between(&start, &sized)?;
    if candidates == 0 {
        let seconds = RadixSeconds { candidates: sizing, ..RadixSeconds::default() };
        return Ok(RadixCount { seconds, ..nothing });
    }

    let plan = RadixPlan::new(graph.edges, candidates, rank_bits(bound) * 2, options);
    let input =
        CandidateSource { graph, ends: &ends, vertices: bound, vertex_bits: rank_bits(bound) };
    let mut batches = Batches::new(device, input, &plan, options)?;
    let mut first = 0;
    let mut done = 0;
    while first < candidates {
        let count = plan.batch.min(candidates - first);
        batches.run(device, first, count)?;
        first += count;
        done += 1;
    }
    let BatchSums { matches, figures, generate, intersect } = batches.finish(device)?;
    let closings = options.orientation.closings();
    assert!(matches.is_multiple_of(closings), "{matches} closed wedges: each triangle has three");
    let (levels, _) = figures.as_chunks::<{ Figure::COUNT as usize }>();
    let levels = levels.iter().map(|figures| Level::of_figures(figures)).collect();
    Ok(RadixCount {
        triangles: matches / closings,
        candidates,
        batches: done,
        levels,
        seconds: RadixSeconds {
            candidates: sizing + generate,
            intersect,
            ..RadixSeconds::default()
        },
        ..nothing
    })
}
