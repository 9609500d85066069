//! Trussness of every edge on the GPU: all triangles listed by their edges, then peeled (docs/engines.md).

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::forward::BLOCKS_PER_MULTIPROCESSOR;
use tribin_kernels::triangle_lists::{
    CHUNK, ENTRIES, ITEMS, LENGTHS, LIST_BLOCK, PLACE_BLOCK, list_triangles, place_lists,
};
use tribin_kernels::truss_peel::{
    CONTROL_WORDS, DONE, LAST_LEVEL, ROUNDS, SCANS, SHARED_BYTES, STEP, peel_truss,
};

use super::support as support_gpu;
#[cfg(feature = "lab")]
use super::support::{Method, edge_support};
use crate::graph::DeviceGraph;

/// Blocks a multiprocessor of the kernels that stride over the edges.
const BLOCKS: u32 = 32;

/// How the peeling is launched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeelShape {
    /// Threads in a block, whole warps.
    pub block: u32,
    /// Blocks on a multiprocessor: all have to be there together.
    pub blocks_per_multiprocessor: u32,
    /// Scans and rounds of a launch: the host waits for each launch.
    pub steps_per_launch: u32,
}

impl Default for PeelShape {
    /// As many blocks as the kernel's registers let run on a multiprocessor together.
    fn default() -> Self {
        PeelShape { block: 256, blocks_per_multiprocessor: 5, steps_per_launch: 16_384 }
    }
}

/// The trussness of every edge, and what it took.
pub struct Trussness<D: Device> {
    /// For each edge the largest k for which a k-truss has it, from 2; aligned with the graph's edges.
    pub per_edge: Buffer<u32, D>,
    /// Triangles.
    #[cfg_attr(not(feature = "lab"), expect(dead_code, reason = "measurements read it"))]
    pub triangles: u64,
    /// What the peeling did.
    #[cfg_attr(not(feature = "lab"), expect(dead_code, reason = "measurements read it"))]
    pub peeling: Peeling,
    /// Seconds of each phase.
    #[cfg_attr(not(feature = "lab"), expect(dead_code, reason = "measurements read it"))]
    pub seconds: TrussSeconds,
}

/// What a peeling did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Peeling {
    /// The largest trussness; 0 in a graph without edges.
    pub largest: u32,
    /// Rounds: sets of edges that went together.
    pub rounds: u64,
    /// Scans of all edges.
    pub scans: u64,
}

/// Seconds of each phase on the device.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TrussSeconds {
    /// The support of every edge.
    pub support: f64,
    /// Every edge's list of triangles.
    pub list: f64,
    /// Peeling.
    pub peel: f64,
}

#[cfg(feature = "lab")]
impl TrussSeconds {
    /// All of them.
    pub fn total(&self) -> f64 {
        self.support + self.list + self.peel
    }
}

/// Bytes of device memory that [`trussness`] takes beside the graph at most, with its result.
pub fn memory_needed(edges: u64, ranks: u64, triangles: u64) -> u64 {
    let counting = support_gpu::memory_needed(edges, ranks);
    // Support, lengths, ends, rounds and results; lists; and the queue.
    let peeling = 24 * edges + 24 * triangles + 16 * (edges + 3 * triangles / u64::from(CHUNK));
    counting.max(peeling) + (1 << 20)
}

/// The trussness of every edge of an oriented graph on the device: with k-trusses as NetworkX has
/// them, the subgraphs whose every edge has at least k - 2 triangles in them.
///
/// Work: O(m^1.5) for the triangles, then O(T) for T triangles and O(m) a level. Memory:
/// [`memory_needed`], of which 24 bytes are for each triangle: the device reports where that is not
/// there.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If a field of the shape is 0, or the method's tuning is out of its bounds.
#[cfg(feature = "lab")]
pub fn trussness<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    method: &Method,
    shape: PeelShape,
) -> Result<Trussness<D>, D::Error> {
    let start = device.record()?;
    let support = edge_support(device, graph, method)?.per_edge;
    let supported = device.record()?;
    let mut found = peel(device, graph, support, shape)?;
    found.seconds.support = device.seconds_between(&start, &supported)?;
    Ok(found)
}

/// [`trussness`] from the support of every edge on; the seconds are without those of support.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If a field of the shape is 0.
pub fn peel<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    mut support: Buffer<u32, D>,
    shape: PeelShape,
) -> Result<Trussness<D>, D::Error> {
    let m = graph.edges;
    let start = device.record()?;
    let mut per_edge = Buffer::uninitialized(device, m)?;
    if m == 0 {
        let (peeling, seconds) = (Peeling::default(), TrussSeconds::default());
        return Ok(Trussness { per_edge, triangles: 0, peeling, seconds });
    }

    let mut ends = Buffer::uninitialized(device, m)?;
    let mut lens = Buffer::uninitialized(device, m)?;
    let mut lengths = Buffer::<u64, D>::zeroed(device, LENGTHS)?;
    place_lists(
        device,
        Shape::cover(m, PLACE_BLOCK, device.multiprocessors() * BLOCKS),
        support.view(),
        ends.view_mut(),
        lens.view_mut(),
        lengths.view_mut(),
        m,
    )?;
    let lengths = lengths.to_vec(device)?;
    let in_lists = lengths[ENTRIES as usize];
    let mut entries = Buffer::uninitialized(device, in_lists)?;
    let mut round_of = Buffer::uninitialized(device, m)?;
    if in_lists > 0 {
        // Rounds come later: until then their words count what lists were given.
        round_of.fill_bytes(device, 0)?;
        let most = device.multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
        list_triangles(
            device,
            Shape::cover(m, LIST_BLOCK, most),
            graph.tails.view(),
            graph.heads.view(),
            graph.rows.view().cast(),
            ends.view(),
            lens.view(),
            round_of.view_mut(),
            entries.view_mut(),
            m,
        )?;
    }
    let listed = device.record()?;

    // Every byte of `LIVE` is the same.
    round_of.fill_bytes(device, 0xff)?;
    let mut queue = Buffer::uninitialized(device, lengths[ITEMS as usize])?;
    let mut control = Buffer::<u64, D>::zeroed(device, CONTROL_WORDS)?;
    let grid = device.multiprocessors() * shape.blocks_per_multiprocessor;
    let mut words = [0; CONTROL_WORDS as usize];
    while words[STEP as usize] != DONE {
        peel_truss(
            device,
            Shape::new(grid, shape.block).shared(SHARED_BYTES),
            entries.view(),
            ends.view(),
            lens.view(),
            support.view_mut(),
            round_of.view_mut(),
            per_edge.view_mut(),
            queue.view_mut(),
            control.view_mut(),
            m,
            shape.steps_per_launch,
        )?;
        control.download(device, 0, &mut words)?;
    }
    let peeled = device.record()?;
    Ok(Trussness {
        per_edge,
        triangles: in_lists / 3,
        peeling: Peeling {
            largest: words[LAST_LEVEL as usize] as u32 + 2,
            rounds: words[ROUNDS as usize],
            scans: words[SCANS as usize] + 1,
        },
        seconds: TrussSeconds {
            support: 0.0,
            list: device.seconds_between(&start, &listed)?,
            peel: device.seconds_between(&listed, &peeled)?,
        },
    })
}
