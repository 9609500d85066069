//! Clean on the GPU: sort the keys, drop what repeats, and lay out the rows (paper 004, section
//! III-B, steps 3 to 8).

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::{figures, unique};

use super::Figures;
use crate::device::radix_sort;
use crate::orient::gpu::OrientedKeys;

/// An oriented simple graph in device memory.
pub struct DeviceGraph<D: Device> {
    /// The larger rank of each edge, ascending. Longer than there are edges where some were dropped.
    pub tails: Buffer<u32, D>,
    /// The smaller rank of each edge, ascending within a row.
    pub heads: Buffer<u32, D>,
    /// First edge and one past the last of each rank's row: `rows[2r]`, `rows[2r + 1]`.
    pub rows: Buffer<u32, D>,
    /// Degree of each rank in the simple graph.
    pub degree_of_rank: Buffer<u32, D>,
    /// The vertex of each rank, or nothing where it was not asked for.
    pub vertex_of_rank: Buffer<u32, D>,
    /// Edges.
    pub edges: u64,
    /// Self-loops among the keys.
    pub self_loops: u64,
    /// Repeated edges among the keys.
    pub duplicates: u64,
}

/// Sorts the keys and lays out the distinct edges.
///
/// # Errors
/// What the device reports.
pub fn clean<D: Device>(device: &D, oriented: OrientedKeys<D>) -> Result<DeviceGraph<D>, D::Error> {
    let OrientedKeys {
        keys,
        scratch,
        histograms,
        mut degree_of_rank,
        vertex_of_rank,
        self_loops,
        rank_bits,
    } = oriented;
    // The other buffer's memory is what tails and heads take.
    let keys = radix_sort::sort(device, keys, scratch, histograms, 0)?.keys;
    let n = keys.len();
    let mut tails = Buffer::uninitialized(device, n)?;
    let mut heads = Buffer::uninitialized(device, n)?;
    let mut rows = Buffer::zeroed(device, degree_of_rank.len() * 2)?;
    let mut edges = [0];
    let mut loops = [0];
    if n > 0 {
        let tiles = n.div_ceil(u64::from(unique::TILE));
        let mut kept = Buffer::uninitialized(device, 1)?;
        let mut words = Buffer::zeroed(device, tiles)?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        unique::unique_edges(
            device,
            Shape::new(tiles as u32, unique::BLOCK).shared(unique::SHARED_BYTES),
            keys.view(),
            tails.view_mut(),
            heads.view_mut(),
            rows.view_mut(),
            degree_of_rank.view_mut(),
            kept.view_mut(),
            words.view_mut(),
            ticket.view_mut(),
            n,
            rank_bits,
        )?;
        kept.download(device, 0, &mut edges)?;
        self_loops.download(device, 0, &mut loops)?;
    }
    let ([edges], [self_loops]) = (edges, loops);
    let duplicates = n - edges - self_loops;
    Ok(DeviceGraph {
        tails,
        heads,
        rows,
        degree_of_rank,
        vertex_of_rank,
        edges,
        self_loops,
        duplicates,
    })
}

/// The figures of the graph.
///
/// # Errors
/// What the device reports.
pub fn figures<D: Device>(device: &D, graph: &DeviceGraph<D>) -> Result<Figures, D::Error> {
    let degrees = graph.degree_of_rank.view();
    let mut sums = Buffer::zeroed(device, figures::FIGURES)?;
    let shape = Shape::cover(degrees.len(), figures::BLOCK, device.multiprocessors() * 8);
    figures::graph_figures(device, shape, degrees, sums.view_mut(), degrees.len())?;
    let sums = sums.to_vec(device)?;
    let sum = |figure: u64| sums[figure as usize];
    Ok(Figures {
        vertices: sum(figures::VERTICES),
        edges: graph.edges,
        self_loops_dropped: graph.self_loops,
        duplicates_dropped: graph.duplicates,
        wedges: u128::from(sum(figures::WEDGES_LOW))
            + (u128::from(sum(figures::WEDGES_HIGH)) << 32),
        max_degree: sum(figures::MAX_DEGREE),
    })
}
