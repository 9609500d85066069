//! An oriented simple graph in device memory, and its way there and back.

use std::ops::Range;

use tribin_base::par;
use tribin_kernels::edge_groups::{self, rank_degrees};
use tribin_kernels::primitives::Oriented;
use tribin_kernels::rows_past;
use warpwise_device::OnHost;
use warpwise_device::launch::{Buffer, Device, Shape, View, ViewMut};
use warpwise_device::memory::U64x2;

use super::EdgeShare;
use crate::graph::OrientedGraph;

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
    /// The edges that this device counts: all, unless several devices have the graph.
    pub share: EdgeShare,
}

impl<D: Device> DeviceGraph<D> {
    /// A graph of the rows of `edges` edges, without degrees and without the vertex of each rank.
    ///
    /// # Errors
    /// What the device reports.
    pub fn of_rows(
        device: &D,
        [tails, heads, rows]: [Buffer<u32, D>; 3],
        edges: u64,
    ) -> Result<Self, D::Error> {
        Ok(DeviceGraph {
            tails,
            heads,
            rows,
            degree_of_rank: Buffer::uninitialized(device, 0)?,
            vertex_of_rank: Buffer::uninitialized(device, 0)?,
            edges,
            self_loops: 0,
            duplicates: 0,
            share: EdgeShare::WHOLE,
        })
    }

    /// The graph as kernels take it.
    pub fn oriented(&self) -> Oriented<OnHost<'_, D>> {
        Oriented {
            tails: self.tails.view(),
            heads: self.heads.view(),
            rows: self.rows.view().cast(),
        }
    }

    /// The heads, two to an element.
    pub fn head_pairs(&self) -> View<'_, u64, D> {
        in_pairs(self.heads.view())
    }

    /// The heads, four to an element, without those that do not fill one.
    pub fn head_quads(&self) -> View<'_, U64x2, D> {
        in_quads(self.heads.view())
    }

    /// The tails, four to an element, without those that do not fill one.
    pub fn tail_quads(&self) -> View<'_, U64x2, D> {
        in_quads(self.tails.view())
    }

    /// The degree of every rank of a graph that came without; nothing of others.
    ///
    /// # Errors
    /// What the device reports.
    pub fn missing_degrees(&self, device: &D) -> Result<Option<Buffer<u32, D>>, D::Error> {
        if !self.degree_of_rank.is_empty() {
            return Ok(None);
        }
        let mut degrees = Buffer::zeroed(device, self.rows.len() / 2)?;
        let shape = Shape::cover(self.edges, edge_groups::BLOCK, device.multiprocessors() * 32);
        let (tails, heads) = (self.tails.view(), self.heads.view());
        rank_degrees(device, shape, tails, heads, degrees.view_mut(), self.edges)?;
        Ok(Some(degrees))
    }

    /// The places of the edges that this device counts where they lie: few, long ranges.
    pub fn counted_in_place(&self) -> Vec<Range<u64>> {
        self.share.even_ranges(0, self.edges)
    }

    /// The places of the edges that this device counts, from place `first` on.
    pub fn counted_from(&self, first: u64) -> Vec<Range<u64>> {
        self.share.ranges(first, self.edges)
    }
}

/// Words two to an element, without the last if their number is odd.
///
/// # Panics
/// If they do not begin where an element may.
pub fn in_pairs<D: Device>(words: View<'_, u32, D>) -> View<'_, u64, D> {
    let even = words.len() / 2 * 2;
    words.slice(0, even).cast()
}

/// Words four to an element, without those that do not fill one.
fn in_quads<D: Device>(words: View<'_, u32, D>) -> View<'_, U64x2, D> {
    let whole = words.len() / 4 * 4;
    words.slice(0, whole).cast()
}

/// Copies the rows of an oriented graph to the device: edges in the same order, without degrees and without the vertex of each rank.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are 2³² edges or more: places are 32-bit numbers.
pub fn upload_rows<D: Device>(
    device: &D,
    oriented: &OrientedGraph,
) -> Result<DeviceGraph<D>, D::Error> {
    let (ranks, edges, offsets) = (oriented.vertices(), oriented.edges(), &oriented.offsets);
    assert!(edges <= u64::from(u32::MAX), "too many edges for 32-bit places");
    let heads = Buffer::from_host(device, &oriented.heads)?;
    let mut tails = Buffer::uninitialized(device, edges)?;
    if edges > 0 {
        // They go back before there are rows.
        let starts = par::tabulate(offsets.len(), |row| offsets[row] as u32);
        let starts = Buffer::from_host(device, &starts)?;
        write_rows_of_places(device, starts.view(), tails.view_mut(), 0, ranks as u64)?;
    }
    // Where each row begins and ends.
    let rows = par::tabulate(2 * ranks, |place| offsets[place / 2 + place % 2] as u32);
    let rows = Buffer::from_host(device, &rows)?;
    DeviceGraph::of_rows(device, [tails, heads, rows], edges)
}

/// Writes the row of each place: row `r` of `rows` has the places from `starts[r] - base` to before `starts[r + 1] - base`.
///
/// # Errors
/// What the device reports.
pub fn write_rows_of_places<D: Device>(
    device: &D,
    starts: View<'_, u32, D>,
    written: ViewMut<'_, u32, D>,
    base: u32,
    rows: u64,
) -> Result<(), D::Error> {
    let threads = rows * u64::from(rows_past::LANES);
    let shape = Shape::cover(threads, rows_past::BLOCK, device.multiprocessors() * 32);
    rows_past::rows_of_places(device, shape, starts, written, base, rows)
}

/// Copies a graph that kept the vertex of each rank to the host, edges in the same order.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If the graph came without the vertex of each rank.
pub fn download<D: Device>(device: &D, graph: &DeviceGraph<D>) -> Result<OrientedGraph, D::Error> {
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
    let vertex_of_rank = graph.vertex_of_rank.to_vec(device)?;
    // SAFETY: a device has the rows of a simple graph, sorted and without duplicates.
    Ok(unsafe { OrientedGraph::of_rows(offsets, heads, vertex_of_rank) })
}
