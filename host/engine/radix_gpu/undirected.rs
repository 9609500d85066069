//! The undirected graph as the paper has it: every edge in both directions, sorted.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::both_directions::{BLOCK, both_directions, row_lengths, shared_bytes};

use super::MOST_EDGES;
use crate::clean::gpu::{DeviceGraph, clean};
use crate::device::radix_sort::Histograms;
use crate::orient::gpu::{OrientedKeys, rank_bits};

/// Blocks a multiprocessor.
const BLOCKS: u32 = 8;

/// Lays out both directions of every edge between vertices below `bound`. Vertices keep their numbers.
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If there are more than [`MOST_EDGES`] directed entries.
pub(super) fn undirected<D: Device>(
    device: &D,
    edges: Buffer<u64, D>,
    bound: u64,
) -> Result<DeviceGraph<D>, D::Error> {
    let m = edges.len();
    assert!(2 * m <= MOST_EDGES, "too many edge entries for 32-bit places");
    let vertex_bits = rank_bits(bound);
    let mut histograms = Histograms::zeroed(device, vertex_bits * 2)?;
    let passes = histograms.passes;
    let mut keys = Buffer::uninitialized(device, 2 * m)?;
    let mut self_loops = Buffer::zeroed(device, 1)?;
    let most = device.multiprocessors() * BLOCKS;
    both_directions(
        device,
        Shape::cover(2 * m, BLOCK, most).shared(shared_bytes(passes)),
        edges.view(),
        keys.view_mut(),
        histograms.counts.view_mut(),
        self_loops.view_mut(),
        m,
        vertex_bits,
        passes,
    )?;
    drop(edges);
    let scratch = Buffer::uninitialized(device, 2 * m)?;
    // What duplicates take off degrees that nobody has counted is of no use: they are counted below.
    let degree_of_rank = Buffer::zeroed(device, bound)?;
    let keys = OrientedKeys {
        keys,
        scratch,
        histograms,
        degree_of_rank,
        self_loops,
        rank_bits: vertex_bits,
    };
    let mut graph = clean(device, keys)?;
    row_lengths(
        device,
        Shape::cover(bound, BLOCK, most),
        graph.rows.view().cast(),
        graph.degree_of_rank.view_mut(),
        bound,
    )?;
    graph.duplicates = (2 * m - graph.edges) / 2 - graph.self_loops;
    Ok(graph)
}
