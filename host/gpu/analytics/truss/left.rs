//! The edges that are left of a graph, side by side again, and their rows in both directions.

use tribin_kernels::live_edges::{
    BLOCK, KEEP_SHARED_BYTES, KEEP_TILE, keep_edges, lay_out_rows_of_both, row_keys, row_parts,
};
use warpwise_device::launch::{Buffer, Device, Shape, View};

use crate::analytics::over;
use crate::device_graph::DeviceGraph;
use crate::graph::rank_bits;
use crate::plan::preparation::SortPasses;
use warpwise_primitives::radix_sort::sort_by;

/// Edges that are left.
pub(super) struct EdgesLeft<D: Device> {
    pub tails: Buffer<u32, D>,
    pub heads: Buffer<u32, D>,
    /// Triangles on each, of edges that are left.
    pub support: Buffer<u32, D>,
    /// Where each was in the whole graph.
    pub places: Buffer<u32, D>,
    pub edges: u64,
    pub ranks: u64,
}

/// Rows of both directions.
pub(super) struct RowsOfBoth<D: Device> {
    /// First place and one past the last of each row.
    pub rows: Buffer<u32, D>,
    /// Ascending within a row.
    pub neighbours: Buffer<u32, D>,
    /// The edge that leads to each neighbour.
    pub edge_at: Buffer<u32, D>,
    /// The number of parts of `chunk` entries in which each edge's shorter row is searched.
    pub parts: Buffer<u32, D>,
    /// Parts of all edges.
    pub items: u64,
    pub chunk: u32,
}

/// Edges, and the triangles on each.
struct Edges<'a, D: Device> {
    tails: View<'a, u32, D>,
    heads: View<'a, u32, D>,
    support: View<'a, u32, D>,
    /// `None` for the whole graph.
    places: Option<View<'a, u32, D>>,
    edges: u64,
    ranks: u64,
}

/// The edges with `level` triangles or more: at most `most` edges.
fn keep<D: Device>(
    device: &D,
    from: Edges<'_, D>,
    level: u32,
    most: u64,
) -> Result<EdgesLeft<D>, D::Error> {
    let mut tails = Buffer::uninitialized(device, most)?;
    let mut heads = Buffer::uninitialized(device, most)?;
    let mut support = Buffer::uninitialized(device, most)?;
    let mut places = Buffer::uninitialized(device, most)?;
    let mut kept = Buffer::<u64, D>::zeroed(device, 1)?;
    if from.edges > 0 {
        let tiles = from.edges.div_ceil(u64::from(KEEP_TILE));
        let mut words = Buffer::zeroed(device, tiles)?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        let whole = u32::from(from.places.is_none());
        keep_edges(
            device,
            // Fewer than 2³² edges are fewer than 2²¹ tiles.
            Shape::new(tiles as u32, BLOCK).shared(KEEP_SHARED_BYTES),
            from.tails,
            from.heads,
            from.support,
            // The kernel does not read those of a whole graph.
            from.places.unwrap_or(from.tails),
            tails.view_mut(),
            heads.view_mut(),
            support.view_mut(),
            places.view_mut(),
            kept.view_mut(),
            words.view_mut(),
            ticket.view_mut(),
            from.edges,
            level,
            whole,
        )?;
    }
    let edges = kept.to_vec(device)?[0];
    Ok(EdgesLeft { tails, heads, support, places, edges, ranks: from.ranks })
}

impl<D: Device> EdgesLeft<D> {
    /// The edges of a graph that are on a triangle.
    pub fn of_graph(
        device: &D,
        graph: &DeviceGraph<D>,
        support: &Buffer<u32, D>,
    ) -> Result<EdgesLeft<D>, D::Error> {
        let from = Edges {
            tails: graph.tails.view(),
            heads: graph.heads.view(),
            support: support.view(),
            places: None,
            edges: graph.edges,
            ranks: graph.rows.len() / 2,
        };
        keep(device, from, 1, graph.edges)
    }

    /// The `left` edges with `level` triangles or more.
    pub fn keep(self, device: &D, level: u32, left: u64) -> Result<EdgesLeft<D>, D::Error> {
        let from = Edges {
            tails: self.tails.view(),
            heads: self.heads.view(),
            support: self.support.view(),
            places: Some(self.places.view()),
            edges: self.edges,
            ranks: self.ranks,
        };
        keep(device, from, level, left)
    }

    /// The rows of both directions, searched in parts of `chunk` entries, or of more where those would be more than
    /// two parts an edge. There is an edge, and fewer than 2³¹.
    pub fn rows_of_both(&self, device: &D, chunk: u32) -> Result<RowsOfBoth<D>, D::Error> {
        let m = self.edges;
        let shape = over(device, m);
        let (tails, heads) = (self.tails.view(), self.heads.view());
        let mut keys = Buffer::uninitialized(device, 2 * m)?;
        row_keys(device, shape, tails, heads, keys.view_mut(), m)?;
        let keys = sort_by(device, keys, 32, SortPasses::of_bits(rank_bits(self.ranks)))?;
        let mut rows = Buffer::zeroed(device, 2 * self.ranks)?;
        let mut neighbours = Buffer::uninitialized(device, 2 * m)?;
        let mut edge_at = Buffer::uninitialized(device, 2 * m)?;
        lay_out_rows_of_both(
            device,
            over(device, 2 * m),
            keys.view(),
            tails,
            heads,
            neighbours.view_mut(),
            edge_at.view_mut(),
            rows.view_mut(),
            m,
        )?;
        drop(keys);
        let mut parts = Buffer::uninitialized(device, m)?;
        let mut chunk = chunk;
        loop {
            let mut total = Buffer::<u64, D>::zeroed(device, 1)?;
            let (of_both, total_there) = (rows.view().cast(), total.view_mut());
            row_parts(
                device,
                shape,
                tails,
                heads,
                of_both,
                parts.view_mut(),
                total_there,
                m,
                chunk,
            )?;
            let items = total.to_vec(device)?[0];
            if items <= 2 * m {
                return Ok(RowsOfBoth { rows, neighbours, edge_at, parts, items, chunk });
            }
            // With one part an edge at last: a row has fewer than 2³² entries.
            chunk = chunk.saturating_mul(2);
        }
    }
}
