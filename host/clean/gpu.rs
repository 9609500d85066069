//! Clean on the GPU: sort the keys, drop what repeats, and lay out the rows (paper 004, section
//! III-B, steps 3 to 8).

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::edge_groups::{self, rank_degrees};
use tribin_kernels::order_runs::{self, order_runs};
use tribin_kernels::{adopt, figures, unique};

use rayon::prelude::*;

use super::Figures;
use crate::device::radix_sort::{self, Histograms, Sorted};
use crate::orient::Oriented;
use crate::orient::gpu::{EdgeOrder, OrientedKeys};

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
        sorted_from,
    } = oriented;
    // The other buffer's memory is what tails and heads take.
    let sorted = radix_sort::sort(device, keys, scratch, histograms, sorted_from)?;
    let keys = if sorted_from == 0 {
        sorted.keys
    } else {
        in_order(device, sorted, sorted_from, rank_bits * 2)?
    };
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

/// Keys of `bits` bits in order that are sorted from bit `from` on: run by run if no run is too long, and
/// by sorting them again otherwise.
fn in_order<D: Device>(
    device: &D,
    sorted: Sorted<D>,
    from: u32,
    bits: u32,
) -> Result<Buffer<u64, D>, D::Error> {
    let Sorted { keys, mut other } = sorted;
    let n = keys.len();
    let mut too_long = Buffer::zeroed(device, 1)?;
    order_runs(
        device,
        Shape::new(n.div_ceil(u64::from(order_runs::TILE)).max(1) as u32, order_runs::BLOCK)
            .shared(order_runs::SHARED_BYTES),
        keys.view(),
        other.view_mut(),
        too_long.view_mut(),
        n,
        from,
    )?;
    if too_long.to_vec(device)? == [0] {
        return Ok(other);
    }
    let histograms = Histograms::of_keys(device, keys.view(), 0, bits)?;
    Ok(radix_sort::sort(device, keys, other, histograms, 0)?.keys)
}

/// Copies an oriented graph to the device: edges in the same order, the vertex of each rank, and no
/// degrees.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are 2³² edges or more: places are 32-bit numbers.
pub fn upload<D: Device>(device: &D, oriented: &Oriented) -> Result<DeviceGraph<D>, D::Error> {
    let mut graph = upload_rows(device, oriented)?;
    graph.vertex_of_rank = Buffer::from_host(device, &oriented.vertex_of_rank)?;
    Ok(graph)
}

/// [`upload`] without the vertex of each rank.
pub(crate) fn upload_rows<D: Device>(
    device: &D,
    oriented: &Oriented,
) -> Result<DeviceGraph<D>, D::Error> {
    let edges = oriented.edges();
    assert!(edges <= u64::from(u32::MAX), "too many edges for 32-bit places");
    let heads = Buffer::from_host(device, &oriented.heads)?;
    let mut tails = vec![0u32; oriented.heads.len()];
    let mut rest = &mut tails[..];
    let mut rows_of_tails = Vec::with_capacity(oriented.vertices());
    for (r, bounds) in oriented.offsets.windows(2).enumerate() {
        let (row, after) = rest.split_at_mut((bounds[1] - bounds[0]) as usize);
        rows_of_tails.push((r as u32, row));
        rest = after;
    }
    rows_of_tails.into_par_iter().for_each(|(r, row)| row.fill(r));
    let tails = Buffer::from_host(device, &tails)?;
    let rows: Vec<u32> = oriented
        .offsets
        .par_windows(2)
        .flat_map_iter(|row| [row[0] as u32, row[1] as u32])
        .collect();
    let rows = Buffer::from_host(device, &rows)?;
    Ok(DeviceGraph {
        tails,
        heads,
        rows,
        degree_of_rank: Buffer::uninitialized(device, 0)?,
        vertex_of_rank: Buffer::uninitialized(device, 0)?,
        edges,
        self_loops: 0,
        duplicates: 0,
    })
}

/// Copies a graph that kept the vertex of each rank to the host, edges in the same order.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If the graph came without the vertex of each rank.
pub fn download<D: Device>(device: &D, graph: &DeviceGraph<D>) -> Result<Oriented, D::Error> {
    assert_eq!(graph.vertex_of_rank.len() * 2, graph.rows.len(), "prepared without vertices");
    let mut heads = vec![0; graph.edges as usize];
    graph.heads.download(device, 0, &mut heads)?;
    let rows = graph.rows.to_vec(device)?;
    let mut end = 0;
    let mut offsets = vec![0];
    // The row of a rank without edges is 0 to 0.
    offsets.extend(rows.as_chunks().0.iter().map(|&[_, row_end]| {
        end = end.max(u64::from(row_end));
        end
    }));
    Ok(Oriented { offsets, heads, vertex_of_rank: graph.vertex_of_rank.to_vec(device)? })
}

/// Takes sorted edges of one direction as they are: simple already, and ranked by id.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If the edges are unsorted.
pub fn adopt<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    degrees: &Buffer<u32, D>,
    order: EdgeOrder,
) -> Result<DeviceGraph<D>, D::Error> {
    assert!(order != EdgeOrder::Unsorted, "edges to be sorted first");
    let (m, vertices) = (edges.len(), degrees.len());
    let mut tails = Buffer::uninitialized(device, m)?;
    let mut heads = Buffer::uninitialized(device, m)?;
    let mut rows = Buffer::zeroed(device, vertices * 2)?;
    let mut degree_of_rank = Buffer::uninitialized(device, vertices)?;
    adopt::adopt_edges(
        device,
        Shape::cover(m.max(vertices), adopt::BLOCK, device.multiprocessors() * 32),
        edges.view(),
        degrees.view(),
        tails.view_mut(),
        heads.view_mut(),
        rows.view_mut(),
        degree_of_rank.view_mut(),
        m,
        vertices,
        u32::from(order == EdgeOrder::Upward),
    )?;
    Ok(DeviceGraph {
        tails,
        heads,
        rows,
        degree_of_rank,
        vertex_of_rank: Buffer::uninitialized(device, 0)?,
        edges: m,
        self_loops: 0,
        duplicates: 0,
    })
}

/// The degree of every rank, for a graph that came without.
///
/// # Errors
/// What the device reports.
pub(crate) fn count_degrees_of_ranks<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
) -> Result<Buffer<u32, D>, D::Error> {
    let mut degrees = Buffer::zeroed(device, graph.rows.len() / 2)?;
    rank_degrees(
        device,
        Shape::cover(graph.edges, edge_groups::BLOCK, device.multiprocessors() * 32),
        graph.tails.view(),
        graph.heads.view(),
        degrees.view_mut(),
        graph.edges,
    )?;
    Ok(degrees)
}

/// The figures of the graph.
///
/// # Errors
/// What the device reports.
pub fn figures<D: Device>(device: &D, graph: &DeviceGraph<D>) -> Result<Figures, D::Error> {
    let mut figures = figures_of_degrees(device, &graph.degree_of_rank)?;
    figures.edges = graph.edges;
    figures.self_loops_dropped = graph.self_loops;
    figures.duplicates_dropped = graph.duplicates;
    Ok(figures)
}

/// The figures of a graph of these degrees, without those of its edges.
///
/// # Errors
/// What the device reports.
pub fn figures_of_degrees<D: Device>(
    device: &D,
    degrees: &Buffer<u32, D>,
) -> Result<Figures, D::Error> {
    let degrees = degrees.view();
    let mut sums = Buffer::zeroed(device, figures::FIGURES)?;
    let shape = Shape::cover(degrees.len(), figures::BLOCK, device.multiprocessors() * 8);
    figures::graph_figures(device, shape, degrees, sums.view_mut(), degrees.len())?;
    let sums = sums.to_vec(device)?;
    let sum = |figure: u64| sums[figure as usize];
    Ok(Figures {
        vertices: sum(figures::VERTICES),
        wedges: u128::from(sum(figures::WEDGES_LOW))
            + (u128::from(sum(figures::WEDGES_HIGH)) << 32),
        max_degree: sum(figures::MAX_DEGREE),
        ..Figures::default()
    })
}
