//! Orient on the GPU: degrees, ranks, and every edge as a sort key (paper 004, sections II-B and
//! III-B).
//!
//! Degrees are counted before duplicates are known, which saves the sort that finding them would
//! take: any order of the vertices gives the exact count, and one by degrees with duplicates bounds
//! the rows by √(2m) for m edges with duplicates.

use std::ops::Range;

use tribin_kernels::{orient, ranks};
use warpwise_device::launch::{Buffer, Device, Shape};

use super::degrees::DeviceDegrees;
use super::row_bins::{KeyGroups, keys_to_groups};
use super::vertex_order::VertexOrder;
use crate::plan::Task;
use crate::plan::preparation::{GroupsOfRanks, KeySort, Order, SortPasses, SortedGroups};
use warpwise_primitives::radix_sort::Histograms;

/// Blocks a multiprocessor of the kernels that stride over edges or vertices: enough to fill it.
const BLOCKS: u32 = 8;

/// Vertices whose ranks the cache of a GPU holds: 32 MB.
const RANK_WINDOW: u64 = 1 << 23;

/// Vertices that are ranked at a time. Up to two windows are one: a graph that is little larger than the cache gains nothing.
fn ranked_at_once(vertices: u64) -> u64 {
    if vertices > 2 * RANK_WINDOW { RANK_WINDOW } else { 2 * RANK_WINDOW }
}

/// Fewest keys of a thread that makes keys and counts their digits. Each block adds all its counts once, and many blocks with few keys
/// would spend most of their time on that.
const KEYS: u64 = 8;

/// The edges as keys, not sorted yet.
pub struct OrientedKeys<D: Device> {
    /// Larger rank above smaller rank, `rank_bits` each; a self-loop has all bits set.
    pub keys: Buffer<u64, D>,
    /// The sort's other buffer, as long as `keys`.
    pub scratch: Buffer<u64, D>,
    /// The counts of the keys.
    pub counted: KeyCounts<D>,
    /// Degree of each rank, duplicates counted.
    pub degree_of_rank: Buffer<u32, D>,
    /// The vertex of each rank, or nothing where it was not asked for.
    pub vertex_of_rank: Buffer<u32, D>,
    /// [`WORDS`](super::degrees::WORDS) words: the self-loops at [`LOOPS`](super::degrees::LOOPS), and a place at
    /// [`KEPT`](super::degrees::KEPT).
    pub words: Buffer<u64, D>,
    /// Bits of a rank.
    pub rank_bits: u32,
    /// The ranks that can be the larger one.
    pub own: Range<u64>,
}

/// The counts of keys that were taken while the keys were made, for what brings them into rows.
pub enum KeyCounts<D: Device> {
    /// The digits of whole keys, for a sort.
    Digits(Histograms<D>),
    /// The keys of each group of larger ranks, for bins.
    Groups(KeyGroups<D>),
    /// The digits of groups of larger ranks, for bins of keys that are sorted by those.
    DigitsOfGroups(Histograms<D>, SortedGroups),
}

impl<D: Device> KeyCounts<D> {
    /// The counts of no keys yet, of a graph of `entries` entries between `vertices` vertices.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn none(
        device: &D,
        sort: KeySort,
        [entries, vertices]: [u64; 2],
    ) -> Result<Self, D::Error> {
        let rank_bits = sort.rank_bits(entries, vertices);
        Ok(match sort {
            KeySort::Whole => {
                let passes = SortPasses::of_bits(2 * rank_bits);
                KeyCounts::Digits(Histograms::zeroed(device, 0, passes)?)
            }
            KeySort::Bins => {
                let of = GroupsOfRanks::of(entries, rank_bits);
                let counts = Buffer::zeroed(device, of.groups.into())?;
                KeyCounts::Groups(KeyGroups { counts, of })
            }
            KeySort::SortedBins { passes } => {
                let of = SortedGroups::of(entries, vertices, passes);
                let of = of.expect("bins have room for groups");
                let digits = Histograms::zeroed(device, rank_bits + of.shift, passes)?;
                KeyCounts::DigitsOfGroups(digits, of)
            }
        })
    }

    /// Adds those of keys, of which each group of ranks has as many as `in_groups` says.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn add(
        &mut self,
        device: &D,
        keys: &Buffer<u64, D>,
        in_groups: impl FnOnce(GroupsOfRanks) -> Vec<u32>,
    ) -> Result<(), D::Error> {
        match self {
            KeyCounts::Digits(digits) | KeyCounts::DigitsOfGroups(digits, _) => {
                digits.add(device, keys)
            }
            KeyCounts::Groups(KeyGroups { counts, of }) => {
                counts.upload(device, 0, &in_groups(*of))
            }
        }
    }
}

/// Vertices with ranks.
pub(super) struct Ranked<D: Device> {
    /// The rank of each vertex, or nothing where a vertex is its rank.
    pub rank: Buffer<u32, D>,
    /// Degree of each rank, duplicates counted.
    pub degree_of_rank: Buffer<u32, D>,
    /// The vertex of each rank, or nothing where it was not asked for.
    pub vertex_of_rank: Buffer<u32, D>,
}

/// Ranks the vertices, which have these degrees.
///
/// # Errors
/// What the device reports.
pub(super) fn rank_by<D: Device>(
    device: &D,
    degree: Buffer<u32, D>,
    order: VertexOrder<D>,
    task: Task,
) -> Result<Ranked<D>, D::Error> {
    let is_by_id = order.order == Order::Ids;
    let in_order = order.vertices(device, &degree, task)?;
    let vertex_of_rank = vertices_of_ranks(device, &in_order, task)?;
    if is_by_id {
        let rank = Buffer::uninitialized(device, 0)?;
        return Ok(Ranked { rank, degree_of_rank: degree, vertex_of_rank });
    }
    let vertices = degree.len();
    let mut rank = Buffer::uninitialized(device, vertices)?;
    let mut degree_of_rank = Buffer::uninitialized(device, vertices)?;
    let at_once = ranked_at_once(vertices);
    for first in (0..vertices).step_by(at_once as usize) {
        ranks::assign_ranks(
            device,
            over_vertices(device, vertices),
            in_order.view(),
            rank.view_mut(),
            vertices,
            first,
            vertices.min(first + at_once),
        )?;
    }
    ranks::gather_degrees(
        device,
        over_vertices(device, vertices),
        in_order.view(),
        degree.view(),
        degree_of_rank.view_mut(),
        vertices,
    )?;
    Ok(Ranked { rank, degree_of_rank, vertex_of_rank })
}

/// A thread for each of `vertices` vertices, or some for each.
fn over_vertices<D: Device>(device: &D, vertices: u64) -> Shape {
    Shape::cover(vertices, ranks::BLOCK, device.multiprocessors() * BLOCKS)
}

/// The vertex of each rank, from the vertices in their order; nothing where no result by vertex is wanted.
fn vertices_of_ranks<D: Device>(
    device: &D,
    in_order: &Buffer<u64, D>,
    task: Task,
) -> Result<Buffer<u32, D>, D::Error> {
    let n = if task.names_vertices() { in_order.len() } else { 0 };
    let mut kept = Buffer::uninitialized(device, n)?;
    if task.names_vertices() {
        let shape = over_vertices(device, n);
        ranks::vertices_of_ranks(device, shape, in_order.view(), kept.view_mut(), n)?;
    }
    Ok(kept)
}

/// Ranks the vertices by these degrees and turns the edges into keys for this sort.
///
/// # Errors
/// What the device reports.
pub fn orient_by<D: Device>(
    device: &D,
    edges: Buffer<u64, D>,
    degrees: DeviceDegrees<D>,
    (order, sort): (VertexOrder<D>, KeySort),
    task: Task,
) -> Result<OrientedKeys<D>, D::Error> {
    let DeviceDegrees { degree, words, .. } = degrees;
    let size = [edges.len(), degree.len()];
    let Ranked { rank, degree_of_rank, vertex_of_rank } = rank_by(device, degree, order, task)?;
    let rank_bits = sort.rank_bits(size[0], size[1]);
    let mut counted = KeyCounts::none(device, sort, size)?;
    let keys = keys_of(device, &edges, &rank, rank_bits, &mut counted)?;
    Ok(OrientedKeys {
        keys,
        scratch: edges,
        counted,
        own: 0..degree_of_rank.len(),
        degree_of_rank,
        vertex_of_rank,
        words,
        rank_bits,
    })
}

/// The keys of these edges, with their counts in `counted`. Where `rank` is empty, a vertex is its rank.
///
/// # Errors
/// What the device reports.
fn keys_of<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    rank: &Buffer<u32, D>,
    rank_bits: u32,
    counted: &mut KeyCounts<D>,
) -> Result<Buffer<u64, D>, D::Error> {
    let m = edges.len();
    let mut keys = Buffer::uninitialized(device, m)?;
    let (from, to) = (edges.view(), keys.view_mut());
    let histograms = match counted {
        KeyCounts::Groups(KeyGroups { counts, of }) => {
            keys_to_groups(device, from, rank, to, rank_bits, (counts, of.shift))?;
            return Ok(keys);
        }
        KeyCounts::Digits(histograms) | KeyCounts::DigitsOfGroups(histograms, _) => histograms,
    };
    let SortPasses { passes, digit_bits } = histograms.of;
    orient::orient_edges(
        device,
        Shape::cover(m.div_ceil(KEYS), orient::BLOCK, device.multiprocessors() * BLOCKS)
            .shared(orient::shared_bytes(passes, digit_bits)),
        from,
        rank.view(),
        to,
        histograms.counts.view_mut(),
        m,
        rank_bits,
        histograms.shift,
        passes,
        digit_bits,
        u32::from(rank.is_empty()),
    )?;
    Ok(keys)
}
