//! Trussness of every edge on the GPU, by peeling. The triangles of an edge that goes are found again, in memory that does not grow with
//! their number (docs/engines.md).

mod left;

use tribin_kernels::live_edges::fill_words;
use tribin_kernels::truss_peel::{
    CONTROL_WORDS, DONE, LEVEL, LIVE_AT_STOP, ROUNDS, SHARED_BYTES, STEP, STOPPED, peel_truss,
};
use warpwise_device::launch::{Buffer, Device, Shape};

use crate::analytics::over;
use crate::device_graph::DeviceGraph;
use left::EdgesLeft;

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
    /// Rounds: sets of edges that went together.
    pub rounds: u64,
}

/// The trussness of every edge of an oriented graph on the device, from the support of every edge: with k-trusses as NetworkX has
/// them, the subgraphs whose every edge has at least k - 2 triangles in them.
///
/// Work: O(m^1.5), and O(m) a level. Memory: what the plan predicts.
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
    shape: PeelShape,
) -> Result<Trussness<D>, D::Error> {
    let m = graph.edges;
    let mut per_edge = Buffer::uninitialized(device, m)?;
    if m == 0 {
        return Ok(Trussness { per_edge, rounds: 0 });
    }
    fill_words(device, over(device, m), per_edge.view_mut(), 2, m)?;
    let mut left = EdgesLeft::of_graph(device, graph, &support)?;
    drop(support);
    let (mut level, mut rounds) = (1, 0);
    while left.edges > 0 {
        let words = peel_laid_out(device, &mut left, level, shape, &mut per_edge)?;
        rounds += words[ROUNDS as usize];
        if words[STEP as usize] == DONE {
            break;
        }
        // Every edge left has as many triangles, or more.
        level = words[LEVEL as usize] as u32;
        left = left.keep(device, level, words[LIVE_AT_STOP as usize])?;
    }
    Ok(Trussness { per_edge, rounds })
}

/// Lays out the rows of the edges that are left, and peels these from `level` on, to the end or until few are left. Gives the control
/// words as the grid left them.
fn peel_laid_out<D: Device>(
    device: &D,
    left: &mut EdgesLeft<D>,
    level: u32,
    shape: PeelShape,
    per_edge: &mut Buffer<u32, D>,
) -> Result<[u64; CONTROL_WORDS as usize], D::Error> {
    let m = left.edges;
    let rows = left.rows_of_both(device, shape.chunk)?;
    let mut round_of = Buffer::uninitialized(device, m)?;
    // Every byte of `LIVE` is the same.
    round_of.fill_bytes(device, 0xff)?;
    let mut queue = Buffer::uninitialized(device, rows.items)?;
    let mut words = [0; CONTROL_WORDS as usize];
    words[LEVEL as usize] = u64::from(level);
    let mut control = Buffer::from_host(device, &words)?;
    let grid = device.multiprocessors() * shape.blocks_per_multiprocessor;
    // Few edges are peeled to the end: nothing would be saved by laying them out once more.
    let stop_live = if m < shape.least_laid_out { 0 } else { m * shape.laid_out_permille / 1_000 };
    while ![DONE, STOPPED].contains(&words[STEP as usize]) {
        peel_truss(
            device,
            Shape::new(grid, shape.block).shared(SHARED_BYTES).together(),
            left.tails.view(),
            left.heads.view(),
            rows.rows.view().cast(),
            rows.neighbours.view(),
            rows.edge_at.view(),
            rows.parts.view(),
            left.places.view(),
            left.support.view_mut(),
            round_of.view_mut(),
            per_edge.view_mut(),
            queue.view_mut(),
            control.view_mut(),
            m,
            rows.chunk,
            shape.steps_per_launch,
            stop_live,
        )?;
        control.download(device, 0, &mut words)?;
    }
    Ok(words)
}
