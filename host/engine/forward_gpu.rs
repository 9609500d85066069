//! Forward counting on the GPU: the whole of paper 004, from the edge array in host memory to the
//! count, with every step but the first copy on the GPU.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::forward::{BLOCK, BLOCKS_PER_MULTIPROCESSOR, forward_merge};

use super::policy::order_of_ids_serves;
use super::totals_gpu;
use crate::Graph;
use crate::clean::Figures;
use crate::clean::gpu::{DeviceGraph, adopt, clean, figures, upload_rows};
use crate::device::radix_sort;
use crate::orient::cpu::Prepared;
use crate::orient::gpu::{Degrees, EdgeOrder, Orientation, count_degrees, orient_by};

/// What was counted, and how long each phase took on the device.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GpuCount {
    /// Triangles.
    pub triangles: u64,
    /// The graph's figures.
    pub figures: Figures,
    /// Seconds of each phase.
    pub seconds: GpuSeconds,
}

/// Seconds of each phase on the device.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GpuSeconds {
    /// Copying the edges to the device, and counting degrees on the way.
    pub upload: f64,
    /// Degrees, ranks, keys.
    pub orient: f64,
    /// Sorting, dropping duplicates, laying out rows, figures.
    pub clean: f64,
    /// Counting.
    pub count: f64,
}

/// Most edge entries that the pipeline takes: places are 32-bit numbers.
pub const MOST_ENTRIES: u64 = u32::MAX as u64;

/// Bytes of device memory that each phase takes at its peak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryPlan {
    /// The entries as they come, and degrees.
    pub upload: u64,
    /// Entries and keys; degrees, ranks, and the sort of the vertices.
    pub orient: u64,
    /// Two buffers of keys and the sort's words, then one of keys and the graph.
    pub clean: u64,
    /// The graph.
    pub count: u64,
}

impl MemoryPlan {
    /// The plan for `entries` edge entries between vertices below `bound`.
    pub fn new(entries: u64, bound: u64) -> Self {
        // Counts, words and tickets of a few kilobytes each.
        const REST: u64 = 1 << 20;
        let sort = radix_sort::scratch_bytes;
        MemoryPlan {
            upload: 8 * entries + 4 * bound + REST,
            orient: 8 * entries + (8 * entries + 20 * bound).max(20 * bound + sort(bound)) + REST,
            clean: (16 * entries + sort(entries) + 4 * bound).max(16 * entries + 12 * bound) + REST,
            count: 8 * entries + 12 * bound + REST,
        }
    }

    /// The plan for a graph that the CPU prepared, of at most `edges` edges: the graph alone.
    pub fn prepared(edges: u64, bound: u64) -> Self {
        let graph = MemoryPlan::new(edges, bound).count;
        MemoryPlan { upload: graph, orient: 0, clean: 0, count: graph }
    }

    /// What the largest phase takes.
    pub fn peak(&self) -> u64 {
        self.upload.max(self.orient).max(self.clean).max(self.count)
    }
}

/// Counts the triangles of a graph whose entries are in host memory.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`MOST_ENTRIES`] entries.
pub fn count<D: Device>(device: &D, graph: &Graph) -> Result<GpuCount, D::Error> {
    count_ready(device, prepare(device, graph)?)
}

/// Copies a graph's entries to the device, two 32-bit vertices a word; and the seconds it took.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`MOST_ENTRIES`] entries.
pub fn upload<D: Device>(device: &D, graph: &Graph) -> Result<(Buffer<u64, D>, f64), D::Error> {
    let entries = graph.edges();
    assert!(entries.len() as u64 <= MOST_ENTRIES, "too many edge entries for 32-bit places");
    let start = device.mark()?;
    let mut edges = Buffer::uninitialized(device, entries.len() as u64)?;
    edges.upload_bytes(device, 0, bytemuck::cast_slice(entries))?;
    let uploaded = device.mark()?;
    Ok((edges, device.seconds_between(&start, &uploaded)?))
}

/// A graph that is ready to be counted on a device, and what it took to make it so.
pub struct OnDevice<D: Device> {
    /// The oriented rows.
    pub graph: DeviceGraph<D>,
    /// The graph's figures.
    pub figures: Figures,
    /// Seconds of the phases so far.
    pub seconds: GpuSeconds,
}

/// Orients and cleans a graph whose entries are on the device: if they are sorted and simple already and
/// degrees differ little, it takes them as they are.
///
/// # Errors
/// What the device reports.
pub fn prepare_uploaded<D: Device>(
    device: &D,
    edges: Buffer<u64, D>,
    bound: u64,
) -> Result<OnDevice<D>, D::Error> {
    let start = device.mark()?;
    let degrees = count_degrees(device, &edges, bound)?;
    prepare_counted(device, edges, degrees, &start)
}

/// Orients and cleans a graph whose entries are on the device, sorted or not, and keeps the vertex of each
/// rank, for results by vertex.
///
/// # Errors
/// What the device reports.
pub fn prepare_keeping_vertices<D: Device>(
    device: &D,
    edges: Buffer<u64, D>,
    bound: u64,
) -> Result<OnDevice<D>, D::Error> {
    let start = device.mark()?;
    let degrees = count_degrees(device, &edges, bound)?;
    let orientation = Orientation::for_degrees(device, &edges, &degrees, None)?;
    let orientation = Orientation { keep_vertices: true, ..orientation };
    let keys = orient_by(device, edges, degrees, orientation)?;
    let oriented = device.mark()?;
    let graph = clean(device, keys)?;
    finish(device, graph, &start, &oriented)
}

/// Bytes of edges that are on their way while those before them are counted.
const COUNTED_AT_ONCE: usize = 32 << 20;

/// Uploads, orients and cleans a graph whose entries are in host memory, as [`prepare_uploaded`] does:
/// degrees are counted while the rest is on its way.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`MOST_ENTRIES`] entries.
pub fn prepare<D: Device>(device: &D, graph: &Graph) -> Result<OnDevice<D>, D::Error> {
    prepare_in_pieces(device, graph, COUNTED_AT_ONCE / 8)
}

fn prepare_in_pieces<D: Device>(
    device: &D,
    graph: &Graph,
    piece: usize,
) -> Result<OnDevice<D>, D::Error> {
    let entries = graph.edges();
    assert!(entries.len() as u64 <= MOST_ENTRIES, "too many edge entries for 32-bit places");
    let start = device.mark()?;
    let mut edges = Buffer::uninitialized(device, entries.len() as u64)?;
    let mut degrees = Degrees::zeroed(device, graph.vertex_bound() as u64)?;
    let mut first = 0;
    for piece in entries.chunks(piece) {
        edges.upload_bytes(device, first, bytemuck::cast_slice(piece))?;
        let end = first + piece.len() as u64;
        degrees.add(device, &edges, first..end)?;
        first = end;
    }
    let uploaded = device.mark()?;
    let mut ready = prepare_counted(device, edges, degrees, &uploaded)?;
    ready.seconds.upload = device.seconds_between(&start, &uploaded)?;
    Ok(ready)
}

/// The rest of the preparation, timed from `start` on.
fn prepare_counted<D: Device>(
    device: &D,
    edges: Buffer<u64, D>,
    degrees: Degrees<D>,
    start: &D::Mark,
) -> Result<OnDevice<D>, D::Error> {
    let order = degrees.order(device)?;
    let figures = match order {
        EdgeOrder::Unsorted => None,
        EdgeOrder::Upward | EdgeOrder::Downward => Some(degrees.figures(device, edges.len())?),
    };
    let flat = figures.as_ref().is_some_and(order_of_ids_serves);
    let (graph, oriented) = if flat {
        let oriented = device.mark()?;
        (adopt(device, &edges, &degrees.degree, order)?, oriented)
    } else {
        let orientation = Orientation::for_degrees(device, &edges, &degrees, figures)?;
        let keys = orient_by(device, edges, degrees, orientation)?;
        let oriented = device.mark()?;
        (clean(device, keys)?, oriented)
    };
    finish(device, graph, start, &oriented)
}

/// The figures, and the times of both phases.
fn finish<D: Device>(
    device: &D,
    graph: DeviceGraph<D>,
    start: &D::Mark,
    oriented: &D::Mark,
) -> Result<OnDevice<D>, D::Error> {
    let figures = figures(device, &graph)?;
    let cleaned = device.mark()?;
    let seconds = GpuSeconds {
        orient: device.seconds_between(start, oriented)?,
        clean: device.seconds_between(oriented, &cleaned)?,
        ..GpuSeconds::default()
    };
    Ok(OnDevice { graph, figures, seconds })
}

/// Counts the triangles of a graph that the CPU cleaned and oriented.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`MOST_ENTRIES`] edges.
pub fn count_prepared<D: Device>(device: &D, prepared: &Prepared) -> Result<GpuCount, D::Error> {
    count_ready(device, upload_prepared(device, prepared)?)
}

/// Copies a graph to the device that the CPU cleaned and oriented, for graphs that are too large to
/// be sorted on the GPU (paper 004, section III-D6, which filters the backward edges on the CPU and
/// sorts on the GPU; here the CPU does both, so that half the memory is enough).
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`MOST_ENTRIES`] edges.
pub fn upload_prepared<D: Device>(
    device: &D,
    prepared: &Prepared,
) -> Result<OnDevice<D>, D::Error> {
    let start = device.mark()?;
    let mut graph = upload_rows(device, &prepared.oriented)?;
    graph.self_loops = prepared.figures.self_loops_dropped;
    graph.duplicates = prepared.figures.duplicates_dropped;
    let uploaded = device.mark()?;
    let seconds = GpuSeconds {
        upload: device.seconds_between(&start, &uploaded)?,
        orient: prepared.time.orient.as_secs_f64(),
        clean: prepared.time.clean.as_secs_f64(),
        count: 0.0,
    };
    Ok(OnDevice { graph, figures: prepared.figures, seconds })
}

/// The same, and keeps the vertex of each rank, for results by vertex.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`MOST_ENTRIES`] edges.
pub fn upload_prepared_keeping_vertices<D: Device>(
    device: &D,
    prepared: &Prepared,
) -> Result<OnDevice<D>, D::Error> {
    let mut ready = upload_prepared(device, prepared)?;
    ready.graph.vertex_of_rank = Buffer::from_host(device, &prepared.oriented.vertex_of_rank)?;
    Ok(ready)
}

/// Counts and times what is ready.
fn count_ready<D: Device>(device: &D, ready: OnDevice<D>) -> Result<GpuCount, D::Error> {
    let OnDevice { graph, figures, mut seconds } = ready;
    let start = device.mark()?;
    let triangles = count_oriented(device, &graph, CountShape::default())?;
    let counted = device.mark()?;
    seconds.count = device.seconds_between(&start, &counted)?;
    Ok(GpuCount { triangles, figures, seconds })
}

/// How many threads count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountShape {
    /// Threads in a block.
    pub block: u32,
    /// Blocks for each multiprocessor.
    pub blocks_per_multiprocessor: u32,
}

impl Default for CountShape {
    /// The fastest on every graph of docs/measured.md, or within 2% of it.
    fn default() -> Self {
        CountShape { block: BLOCK, blocks_per_multiprocessor: BLOCKS_PER_MULTIPROCESSOR }
    }
}

impl CountShape {
    /// The launch over so many edges.
    pub(super) fn over<D: Device>(self, device: &D, edges: u64) -> Shape {
        let most = device.multiprocessors() * self.blocks_per_multiprocessor;
        Shape::cover(edges, self.block, most)
    }
}

/// Counts the triangles of an oriented graph on the device.
///
/// # Errors
/// What the device reports.
pub fn count_oriented<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    shape: CountShape,
) -> Result<u64, D::Error> {
    let m = graph.edges;
    totals_gpu::sum_of(device, m, |totals| {
        forward_merge(
            device,
            shape.over(device, m),
            graph.tails.view(),
            graph.heads.view(),
            graph.rows.view().cast(),
            totals,
            m,
        )
    })
}

#[cfg(test)]
mod tests {
    use tribin_device::emulated::{Config, Emulator};

    use super::{count_ready, prepare_in_pieces};
    use crate::Graph;

    /// Two cliques that share a vertex, with the second's edges in order and the first's not.
    #[test]
    fn pieces_of_any_length_make_the_same_graph() {
        let device = Emulator::with(Config::seeded(1));
        let clique = |from: u32, to: u32| {
            (from..to).flat_map(move |u| (u + 1..to).map(move |v| [u, v])).collect::<Vec<_>>()
        };
        let (mut first, second) = (clique(0, 8), clique(7, 13));
        for edges in [second.clone(), {
            first.reverse();
            [first, second].concat()
        }] {
            let len = edges.len();
            let graph = Graph::from_edges(edges);
            let counts = [1, 2, 7, len - 1, len, len + 1].map(|piece| {
                let ready = prepare_in_pieces(&device, &graph, piece).unwrap();
                let count = count_ready(&device, ready).unwrap();
                (count.triangles, count.figures)
            });
            assert!(counts.iter().all(|count| *count == counts[0]));
            // Of n vertices, n(n - 1)(n - 2) / 6.
            assert_eq!(counts[0].0, if len == 15 { 20 } else { 56 + 20 });
        }
    }
}
