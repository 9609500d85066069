//! Clean on the GPU: sort the keys, drop what repeats, and lay out the rows (paper 004, section
//! III-B, steps 3 to 8).

use tribin_kernels::row_bins::TOO_LARGE;
use tribin_kernels::{adopt, unique};
use warpwise_device::launch::{Buffer, Device, Shape, ViewMut};

use super::degrees::{KEPT, LOOPS};
use super::keys::{KeyCounts, OrientedKeys};
use super::row_bins::{self, Bins};
use crate::device_graph::{DeviceGraph, EdgeShare};
use crate::plan::EdgeOrder;
use crate::plan::preparation::SortPasses;
use warpwise_primitives::radix_sort::{sort, sort_by};

/// Sorts the keys and lays out the distinct edges.
///
/// # Errors
/// What the device reports.
pub fn clean<D: Device>(device: &D, oriented: OrientedKeys<D>) -> Result<DeviceGraph<D>, D::Error> {
    let OrientedKeys {
        keys,
        scratch,
        counted,
        mut degree_of_rank,
        vertex_of_rank,
        mut words,
        rank_bits,
        own,
    } = oriented;
    let (n, ranks) = (keys.len(), degree_of_rank.len());
    let (laid_out, [self_loops, edges]) = match counted {
        KeyCounts::Digits(histograms) => {
            let keys = sort(device, keys, scratch, histograms)?;
            laid_out(device, &keys, &mut degree_of_rank, &mut words, rank_bits)?
        }
        KeyCounts::Groups(groups) => {
            let bins = row_bins::bins(device, keys, scratch, &groups, ranks, rank_bits)?;
            rows_of_bins(device, bins, &mut degree_of_rank, &mut words, rank_bits)?
        }
        KeyCounts::DigitsOfGroups(histograms, of) => {
            let keys = sort(device, keys, scratch, histograms)?;
            let bins = row_bins::bins_of_sorted(device, keys, of, own, ranks)?;
            rows_of_bins(device, bins, &mut degree_of_rank, &mut words, rank_bits)?
        }
    };
    let DeviceRows { tails, heads, rows } = laid_out;
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
        share: EdgeShare::WHOLE,
    })
}

/// The rows of bins, and how many self-loops and edges there are. Where a bin or a slot is too large, the keys are sorted.
fn rows_of_bins<D: Device>(
    device: &D,
    bins: Bins<D>,
    degree_of_rank: &mut Buffer<u32, D>,
    words: &mut Buffer<u64, D>,
    rank_bits: u32,
) -> Result<(DeviceRows<D>, [u64; 2]), D::Error> {
    let n = bins.keys.len();
    let rows = bins.rows(device, words.view_mut().slice(KEPT, 1))?;
    let [self_loops, edges] = found(device, words)?;
    if edges & TOO_LARGE == 0 {
        let repeated = n - self_loops - edges;
        let rows = bins.without_gaps(device, rows, degree_of_rank, edges, repeated)?;
        return Ok((rows, [self_loops, edges]));
    }
    drop(rows);
    let keys = sort_by(device, bins.keys, 0, SortPasses::of_bits(rank_bits * 2))?;
    laid_out(device, &keys, degree_of_rank, words, rank_bits)
}

/// The rows of sorted keys, and how many self-loops and edges there are.
fn laid_out<D: Device>(
    device: &D,
    keys: &Buffer<u64, D>,
    degree_of_rank: &mut Buffer<u32, D>,
    words: &mut Buffer<u64, D>,
    rank_bits: u32,
) -> Result<(DeviceRows<D>, [u64; 2]), D::Error> {
    let kept = words.view_mut().slice(KEPT, 1);
    let rows = rows_of_keys(device, keys, degree_of_rank, kept, rank_bits)?;
    let found = if keys.is_empty() { [0; 2] } else { found(device, words)? };
    Ok((rows, found))
}

/// How many self-loops and edges there are.
fn found<D: Device>(device: &D, words: &Buffer<u64, D>) -> Result<[u64; 2], D::Error> {
    let mut found = [0; 2];
    words.download(device, LOOPS, &mut found)?;
    Ok(found)
}

/// Edges in rows.
pub(super) struct DeviceRows<D: Device> {
    /// The larger rank of each edge, and places behind them.
    pub tails: Buffer<u32, D>,
    /// The smaller rank of each edge, and places behind them.
    pub heads: Buffer<u32, D>,
    /// First edge and one past the last of each rank's row.
    pub rows: Buffer<u32, D>,
}

/// The distinct edges of sorted keys, and their number in `kept`, which is 0 before. Takes off the degrees what the others had
/// added.
///
/// # Errors
/// What the device reports.
fn rows_of_keys<D: Device>(
    device: &D,
    keys: &Buffer<u64, D>,
    degree_of_rank: &mut Buffer<u32, D>,
    kept: ViewMut<'_, u64, D>,
    rank_bits: u32,
) -> Result<DeviceRows<D>, D::Error> {
    let n = keys.len();
    let mut tails = Buffer::uninitialized(device, n)?;
    let mut heads = Buffer::uninitialized(device, n)?;
    let mut rows = Buffer::zeroed(device, degree_of_rank.len() * 2)?;
    if n > 0 {
        let tiles = n.div_ceil(u64::from(unique::TILE));
        let mut tile_words = Buffer::zeroed(device, tiles)?;
        let mut ticket = Buffer::zeroed(device, 1)?;
        unique::unique_edges(
            device,
            Shape::new(tiles as u32, unique::BLOCK).shared(unique::SHARED_BYTES),
            keys.view(),
            tails.view_mut(),
            heads.view_mut(),
            rows.view_mut(),
            degree_of_rank.view_mut(),
            kept,
            tile_words.view_mut(),
            ticket.view_mut(),
            n,
            rank_bits,
        )?;
    }
    Ok(DeviceRows { tails, heads, rows })
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
    let graph = DeviceGraph::of_rows(device, [tails, heads, rows], m)?;
    Ok(DeviceGraph { degree_of_rank, ..graph })
}
