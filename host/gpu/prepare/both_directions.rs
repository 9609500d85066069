//! The undirected graph as the paper has it: every edge in both directions, sorted.

use tribin_kernels::both_directions::{BLOCK, both_directions, shared_bytes};
use tribin_kernels::parts::part_lengths;
use warpwise_device::launch::{Buffer, Device, Shape};

use super::degrees::{LOOPS, WORDS};
use super::keys::{KeyCounts, OrientedKeys};
use super::rows::clean;
use crate::device_graph::DeviceGraph;
use crate::graph::rank_bits;
use crate::plan::preparation::SortPasses;
use warpwise_primitives::radix_sort::Histograms;

/// Blocks a multiprocessor.
const BLOCKS: u32 = 8;

/// Makes keys of both directions of every edge between vertices below `bound`, which are not sorted
/// yet. Vertices keep their numbers.
///
/// # Errors
/// What the device reports.
pub fn keys_of_both_directions<D: Device>(
    device: &D,
    edges: Buffer<u64, D>,
    bound: u64,
) -> Result<OrientedKeys<D>, D::Error> {
    let m = edges.len();
    let vertex_bits = rank_bits(bound);
    let mut histograms = Histograms::zeroed(device, 0, SortPasses::of_bits(vertex_bits * 2))?;
    let passes = histograms.of.passes;
    let mut keys = Buffer::uninitialized(device, 2 * m)?;
    let mut words = Buffer::zeroed(device, WORDS)?;
    both_directions(
        device,
        Shape::cover(2 * m, BLOCK, device.multiprocessors() * BLOCKS).shared(shared_bytes(passes)),
        edges.view(),
        keys.view_mut(),
        histograms.counts.view_mut(),
        words.view_mut().slice(LOOPS, 1),
        m,
        vertex_bits,
        passes,
    )?;
    drop(edges);
    Ok(OrientedKeys {
        keys,
        scratch: Buffer::uninitialized(device, 2 * m)?,
        counted: KeyCounts::Digits(histograms),
        // What duplicates take off degrees that nobody has counted is of no use: the rows have them.
        vertex_of_rank: Buffer::uninitialized(device, 0)?,
        degree_of_rank: Buffer::zeroed(device, bound)?,
        words,
        own: 0..bound,
        rank_bits: vertex_bits,
    })
}

/// The graph of keys in both directions, of `entries` edge entries.
///
/// # Errors
/// What the device reports.
pub fn clean_both_directions<D: Device>(
    device: &D,
    keys: OrientedKeys<D>,
    entries: u64,
) -> Result<DeviceGraph<D>, D::Error> {
    let mut graph = clean(device, keys)?;
    let bound = graph.degree_of_rank.len();
    // A row has an entry for each neighbour.
    part_lengths(
        device,
        Shape::cover(bound, BLOCK, device.multiprocessors() * BLOCKS),
        graph.rows.view().cast(),
        graph.degree_of_rank.view_mut(),
        0,
        bound,
    )?;
    graph.duplicates = (2 * entries - graph.edges) / 2 - graph.self_loops;
    Ok(graph)
}
