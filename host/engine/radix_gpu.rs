//! Counting by candidate edges and radix binning on the GPU: the two algorithms of paper 003.
//!
//! The candidates are made and intersected in batches of wedges, so that a memory budget bounds them:
//! a batch begins and ends at any wedge. The host waits twice: for the number of candidates, and for
//! the count. Everything between is decided on the device (`tribin_kernels::binning`).

mod batch;
mod memory;
mod options;
mod plan;
mod report;
mod undirected;

pub use memory::MemoryPlan;
pub use options::{Options, Orientation};
pub use plan::Plan;
pub use report::{Level, RadixCount, RadixSeconds};
pub use tribin_kernels::binning::KeyOrder;

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::binning::Figure;
use tribin_kernels::wedges::{ENDS_BLOCK, ENDS_SHARED_BYTES, ENDS_TILE, wedge_ends};

use crate::Graph;
use crate::clean::gpu::{DeviceGraph, clean, figures};
use crate::device::counted::Counted;
use crate::orient::gpu::{orient, rank_bits};
use batch::{Batches, Input, Sums};
use undirected::{clean_both_directions, keys_of_both_directions};

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

/// Counts the triangles of a graph in host memory.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// As [`count_uploaded`].
pub fn count<D: Device>(
    device: &D,
    graph: &Graph,
    options: &Options,
) -> Result<RadixCount, D::Error> {
    let device = &Counted::new(device);
    let start = device.mark()?;
    let entries = graph.edges();
    let mut edges = Buffer::uninitialized(device, entries.len() as u64)?;
    edges.upload_bytes(device, 0, bytemuck::cast_slice(entries))?;
    let uploaded = device.mark()?;
    let mut count = count_uploaded(device, edges, graph.vertex_bound() as u64, options)?;
    count.seconds.upload = device.seconds_between(&start, &uploaded)?;
    Ok(count)
}

/// Counts the triangles of a graph whose entries are on the device, two 32-bit vertices a word, every
/// vertex below `bound`.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`most_entries`], or if `options` are out of their documented ranges.
pub fn count_uploaded<'d, D: Device>(
    device: &Counted<'d, D>,
    edges: Buffer<u64, Counted<'d, D>>,
    bound: u64,
    options: &Options,
) -> Result<RadixCount, D::Error> {
    options.check();
    let launched_before = device.launches();
    let start = device.mark()?;
    let entries = edges.len();
    assert!(entries <= most_entries(options.orientation), "too many entries for 32-bit places");
    let keys = match options.orientation {
        Orientation::Degree => orient(device, edges, bound)?,
        Orientation::None => keys_of_both_directions(device, edges, bound)?,
    };
    let oriented = device.mark()?;
    let graph = match options.orientation {
        Orientation::Degree => clean(device, keys)?,
        Orientation::None => clean_both_directions(device, keys, entries)?,
    };
    let mut figures = figures(device, &graph)?;
    if options.orientation == Orientation::None {
        figures.edges /= 2;
    }
    let cleaned = device.mark()?;
    let counted = count_graph(device, &graph, bound, options)?;
    let mut seconds = counted.seconds;
    seconds.orient = device.seconds_between(&start, &oriented)?;
    seconds.clean = device.seconds_between(&oriented, &cleaned)?;
    Ok(RadixCount {
        triangles: counted.triangles,
        figures,
        edges: graph.edges,
        candidates: counted.candidates,
        launches: device.launches() - launched_before,
        batches: counted.batches,
        levels: counted.levels,
        seconds,
    })
}

/// What algorithms 1 and 2 find in a graph that is laid out.
struct Counts {
    triangles: u64,
    candidates: u64,
    batches: u64,
    levels: Vec<Level>,
    seconds: RadixSeconds,
}

fn count_graph<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    bound: u64,
    options: &Options,
) -> Result<Counts, D::Error> {
    let start = device.mark()?;
    let nothing = Counts {
        triangles: 0,
        candidates: 0,
        batches: 0,
        levels: Vec::new(),
        seconds: RadixSeconds::default(),
    };
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
    let sized = device.mark()?;
    let sizing = device.seconds_between(&start, &sized)?;
    if candidates == 0 {
        let seconds = RadixSeconds { candidates: sizing, ..RadixSeconds::default() };
        return Ok(Counts { seconds, ..nothing });
    }

    let plan = Plan::new(graph.edges, candidates, rank_bits(bound) * 2, options);
    let input = Input { graph, ends: &ends, vertices: bound, vertex_bits: rank_bits(bound) };
    let mut batches = Batches::new(device, input, &plan, options)?;
    let mut first = 0;
    let mut done = 0;
    while first < candidates {
        let count = plan.batch.min(candidates - first);
        batches.run(device, first, count)?;
        first += count;
        done += 1;
    }
    let Sums { matches, figures, generate, intersect } = batches.finish(device)?;
    let closings = options.orientation.closings();
    assert!(matches.is_multiple_of(closings), "{matches} closed wedges: each triangle has three");
    let (levels, _) = figures.as_chunks::<{ Figure::COUNT as usize }>();
    let levels = levels.iter().map(|figures| Level::of_figures(figures)).collect();
    Ok(Counts {
        triangles: matches / closings,
        candidates,
        batches: done,
        levels,
        seconds: RadixSeconds {
            candidates: sizing + generate,
            intersect,
            ..RadixSeconds::default()
        },
    })
}
