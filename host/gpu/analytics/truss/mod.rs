//! Trussness of every edge on the GPU, by peeling: all triangles listed by their edges, or found again when an edge
//! goes (docs/engines.md).

mod left;
mod lists;
mod rows;

use warpwise_device::launch::{Buffer, Device};

use crate::analytics::over;
use crate::device_graph::DeviceGraph;
use crate::plan::peeling::entries_to_list;
use left::EdgesLeft;
use tribin_kernels::live_edges::fill_words;

/// The shape in which the peeling is launched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeelShape {
    /// Threads in a block, whole warps.
    pub block: u32,
    /// Blocks on a multiprocessor: all have to be there together.
    pub blocks_per_multiprocessor: u32,
    /// Scans and rounds of a launch: the host waits for each launch.
    pub steps_per_launch: u32,
    /// Entries of a row that a warp searches for, at most, before another takes over.
    pub chunk: u32,
    /// Rows are laid out again when fewer edges are left than this share of those laid out, in thousandths.
    pub laid_out_permille: u64,
    /// Fewer edges are not laid out again.
    pub least_laid_out: u64,
}

impl Default for PeelShape {
    /// Settings with as many blocks as the kernel's registers let run on a multiprocessor together.
    fn default() -> Self {
        PeelShape {
            block: 256,
            blocks_per_multiprocessor: 5,
            steps_per_launch: 16_384,
            chunk: 512,
            laid_out_permille: 750,
            least_laid_out: 1 << 16,
        }
    }
}

/// The trussness of every edge, and what it took.
pub struct Trussness<D: Device> {
    /// The largest k for which a k-truss has each edge, from 2; aligned with the graph's edges.
    pub per_edge: Buffer<u32, D>,
    /// What the peeling did.
    pub peeling: PeelingFigures,
}

/// Figures of a peeling.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PeelingFigures {
    /// The largest trussness; 0 in a graph without edges.
    pub largest: u32,
    /// Rounds: sets of edges that went together.
    pub rounds: u64,
    /// Scans of all edges.
    pub scans: u64,
    /// How often rows of both directions were laid out.
    pub layouts: u64,
    /// Triangles that were listed.
    pub listed: u64,
}

/// The figures by which triangles are listed rather than found again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeelFacts {
    /// Triangles of the graph.
    pub triangles: u64,
    /// Bytes of device memory beside the graph; with 0 nothing is listed.
    pub memory: u64,
}

/// The trussness of every edge of an oriented graph on the device, from the support of every edge: with k-trusses as NetworkX has
/// them, the subgraphs whose every edge has at least k - 2 triangles in them.
///
/// The triangles of an edge that goes are found again in its ends' rows, until those left are few enough to be listed.
///
/// Work: O(T) for T triangles from lists, and O(m^1.5) from rows; and O(m) a level. Memory: what the plan predicts.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If a field of the shape that may not be 0 is.
pub fn peel<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    support: Buffer<u32, D>,
    PeelFacts { triangles, memory }: PeelFacts,
    shape: PeelShape,
) -> Result<Trussness<D>, D::Error> {
    let (m, ranks) = (graph.edges, graph.rows.len() / 2);
    let mut per_edge = Buffer::uninitialized(device, m)?;
    if m == 0 {
        return Ok(Trussness { per_edge, peeling: PeelingFigures::default() });
    }
    fill_words(device, over(device, m), per_edge.view_mut(), 2, m)?;
    let mut left = EdgesLeft::of_graph(device, graph, &support)?;
    drop(support);
    let mut peeling = PeelingFigures { largest: 2, ..PeelingFigures::default() };
    let (mut level, mut entries) = (1, 3 * triangles);
    while left.edges > 0 {
        let listed_below = entries_to_list(memory, m, [left.edges, left.places.len()], ranks);
        if entries < listed_below {
            let listed = lists::peel(device, left, shape, &mut per_edge)?;
            let peeling = PeelingFigures {
                rounds: peeling.rounds + listed.rounds,
                scans: peeling.scans + listed.scans,
                layouts: peeling.layouts,
                ..listed
            };
            return Ok(Trussness { per_edge, peeling });
        }
        let stop =
            rows::peel(device, left, level, listed_below, shape, &mut per_edge, &mut peeling)?;
        let Some(stop) = stop else { break };
        (left, level, entries) = (stop.left, stop.level, stop.entries);
    }
    Ok(Trussness { per_edge, peeling })
}
