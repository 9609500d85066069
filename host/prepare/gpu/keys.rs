//! Orient on the GPU: degrees, ranks, and every edge as a sort key (paper 004, sections II-B and
//! III-B).
//!
//! Degrees are counted before duplicates are known, which saves the sort that finding them would
//! take: any order of the vertices gives the exact count, and one by degrees with duplicates bounds
//! the rows by √(2m) for m edges with duplicates.

use std::ops::Range;

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::order_runs::MOST_STEPS;
use tribin_kernels::{degrees, orient, ranks};

use super::radix_sort::Histograms;
use super::summary::summary_of_degrees;
use super::vertex_order::{LEAST_ENTRIES, VertexOrder};
use crate::graph::{Summary, rank_bits};

/// Blocks a multiprocessor of the kernels that stride over edges or vertices: enough to fill it.
pub(super) const BLOCKS: u32 = 8;

/// The edges as keys, not sorted yet.
pub struct OrientedKeys<D: Device> {
    /// Larger rank above smaller rank, `rank_bits` each; a self-loop has all bits set.
    pub keys: Buffer<u64, D>,
    /// As long as `keys`: the sort's other buffer.
    pub scratch: Buffer<u64, D>,
    /// The digits of the keys.
    pub histograms: Histograms<D>,
    /// Degree of each rank, duplicates counted.
    pub degree_of_rank: Buffer<u32, D>,
    /// The vertex of each rank, or nothing where it was not asked for.
    pub vertex_of_rank: Buffer<u32, D>,
    /// One word: the number of self-loops.
    pub self_loops: Buffer<u64, D>,
    /// Bits of a rank.
    pub rank_bits: u32,
    /// The first bit that `histograms` counted, and that the keys are sorted by: 0 for all of them.
    pub sorted_from: u32,
}

/// By how much of a key the edges are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySort {
    /// By both ranks.
    Whole,
    /// By the larger rank, and by those highest bits of the smaller that fit the same passes; what then
    /// stands together is brought into order by comparing each key with all others of its run.
    Tails,
}

/// Most wedges for an entry, by degrees that count duplicates, of a graph that is sorted by tails. A key is
/// compared with less than twice as many on average: a row is no longer than its vertex' degree.
const TAILS_MOST_WEDGES: u128 = 400;

/// Most entries a vertex of such a graph, unless
const TAILS_MOST_ROW: u64 = 20;

/// so many bits of the smaller rank are sorted by, too.
const TAILS_LEAST_SPARE_BITS: u32 = 5;

impl KeySort {
    /// What suits a graph with these degrees, and their figures with the entries for edges (docs/measured.md
    /// has the times).
    ///
    /// # Errors
    /// What the device reports.
    pub fn for_degrees<D: Device>(
        device: &D,
        degrees: &Degrees<D>,
        figures: &Summary,
    ) -> Result<KeySort, D::Error> {
        let few_wedges = figures.wedges <= TAILS_MOST_WEDGES * u128::from(figures.edges);
        if !few_wedges || !has_short_runs(figures.edges, degrees.degree.len()) {
            return Ok(KeySort::Whole);
        }
        // Self-loops are one run, and one that is too long is found after the sort.
        let self_loops = degrees.self_loops.to_vec(device)?[0];
        let tails = self_loops <= u64::from(MOST_STEPS);
        Ok(if tails { KeySort::Tails } else { KeySort::Whole })
    }

    /// The first bit of keys of two ranks that is sorted by.
    fn first_bit(self, rank_bits: u32) -> u32 {
        match self {
            KeySort::Whole => 0,
            // Passes take eight bits.
            KeySort::Tails => (2 * rank_bits).saturating_sub(rank_bits.next_multiple_of(8)),
        }
    }
}

/// What one pass over the edges as they came tells of them.
pub struct Degrees<D: Device> {
    /// Degree of each vertex, duplicates counted, self-loops not.
    pub degree: Buffer<u32, D>,
    /// One word: the number of self-loops.
    pub self_loops: Buffer<u64, D>,
    /// One word: what holds of the edges' order.
    order: Buffer<u32, D>,
}

/// How the edges are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeOrder {
    /// Not, or with edges of both directions, self-loops or duplicates among them.
    Unsorted,
    /// Strictly ascending by first vertex, then second, and the first is the smaller.
    Upward,
    /// Strictly ascending by first vertex, then second, and the first is the larger.
    Downward,
}

/// Whether a graph is large enough for a sort by tails, and its rows are short enough on average.
fn has_short_runs(entries: u64, vertices: u64) -> bool {
    let rank_bits = rank_bits(vertices);
    let spare_bits = rank_bits.next_multiple_of(8) - rank_bits;
    entries >= LEAST_ENTRIES
        && (entries <= TAILS_MOST_ROW * vertices || spare_bits >= TAILS_LEAST_SPARE_BITS)
}

impl<D: Device> Degrees<D> {
    /// No edges yet, between the vertices `0..vertices`.
    ///
    /// # Errors
    /// What the device reports.
    pub fn zeroed(device: &D, vertices: u64) -> Result<Self, D::Error> {
        Ok(Degrees {
            degree: Buffer::zeroed(device, vertices)?,
            self_loops: Buffer::zeroed(device, 1)?,
            order: Buffer::zeroed(device, 1)?,
        })
    }

    /// Counts the edges at these places, which follow on those counted before.
    ///
    /// # Errors
    /// What the device reports.
    pub fn add(
        &mut self,
        device: &D,
        edges: &Buffer<u64, D>,
        places: Range<u64>,
    ) -> Result<(), D::Error> {
        let most = device.multiprocessors() * BLOCKS;
        degrees::count_degrees(
            device,
            Shape::cover(places.end - places.start, degrees::BLOCK, most),
            edges.view(),
            self.degree.view_mut(),
            self.self_loops.view_mut(),
            self.order.view_mut(),
            places.start,
            places.end,
        )
    }

    /// The figures of a graph of these degrees and so many edges.
    ///
    /// # Errors
    /// What the device reports.
    pub fn figures(&self, device: &D, edges: u64) -> Result<Summary, D::Error> {
        Ok(Summary { edges, ..summary_of_degrees(device, &self.degree)? })
    }

    /// How the edges are sorted.
    ///
    /// # Errors
    /// What the device reports.
    pub fn order(&self, device: &D) -> Result<EdgeOrder, D::Error> {
        let mut found = [0];
        self.order.download(device, 0, &mut found)?;
        let holds = |not: u32| found[0] & (degrees::UNSORTED | not) == 0;
        Ok(if holds(degrees::NOT_UPWARD) {
            EdgeOrder::Upward
        } else if holds(degrees::NOT_DOWNWARD) {
            EdgeOrder::Downward
        } else {
            EdgeOrder::Unsorted
        })
    }
}

/// Counts the degrees of the vertices `0..vertices`, and looks at the edges' order on the way.
///
/// # Errors
/// What the device reports.
pub fn count_degrees<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    vertices: u64,
) -> Result<Degrees<D>, D::Error> {
    let mut degrees = Degrees::zeroed(device, vertices)?;
    degrees.add(device, edges, 0..edges.len())?;
    Ok(degrees)
}

/// Ranks the vertices `0..vertices` and turns the edges into keys.
///
/// # Errors
/// What the device reports.
pub fn orient<D: Device>(
    device: &D,
    edges: Buffer<u64, D>,
    vertices: u64,
) -> Result<OrientedKeys<D>, D::Error> {
    let degrees = count_degrees(device, &edges, vertices)?;
    let orientation = Orientation::for_degrees(device, &edges, &degrees, None)?;
    orient_by(device, edges, degrees, orientation)
}

/// How edges are turned into keys.
pub struct Orientation<D: Device> {
    /// The order of the vertices.
    pub order: VertexOrder<D>,
    /// By how much of a key the edges are sorted.
    pub sort: KeySort,
    /// Whether the vertex of each rank is kept: 4 bytes a vertex.
    pub keep_vertices: bool,
}

impl<D: Device> Orientation<D> {
    /// What suits a graph of these edges and degrees, with the figures of the degrees if they are known;
    /// vertices are not kept.
    ///
    /// # Errors
    /// What the device reports.
    pub fn for_degrees(
        device: &D,
        edges: &Buffer<u64, D>,
        degrees: &Degrees<D>,
        figures: Option<Summary>,
    ) -> Result<Self, D::Error> {
        let (order, sort) = if edges.len() < LEAST_ENTRIES {
            (VertexOrder::Degrees, KeySort::Whole)
        } else {
            let figures = match figures {
                Some(figures) => figures,
                None => degrees.figures(device, edges.len())?,
            };
            let vertices = degrees.degree.len();
            (
                VertexOrder::for_edges(device, edges, vertices, &figures)?,
                KeySort::for_degrees(device, degrees, &figures)?,
            )
        };
        Ok(Orientation { order, sort, keep_vertices: false })
    }
}

/// Ranks the vertices by these degrees and turns the edges into keys.
///
/// # Errors
/// What the device reports.
pub fn orient_by<D: Device>(
    device: &D,
    edges: Buffer<u64, D>,
    degrees: Degrees<D>,
    orientation: Orientation<D>,
) -> Result<OrientedKeys<D>, D::Error> {
    let Degrees { degree, self_loops, .. } = degrees;
    let Orientation { order, sort, keep_vertices } = orientation;
    let (m, vertices) = (edges.len(), degree.len());
    let most = device.multiprocessors() * BLOCKS;
    let over_vertices = Shape::cover(vertices, ranks::BLOCK, most);
    let by_id = matches!(order, VertexOrder::Ids);
    let in_order = order.vertices(device, &degree, keep_vertices)?;
    let mut rank = Buffer::uninitialized(device, if by_id { 0 } else { vertices })?;
    let degree_of_rank = if by_id {
        degree
    } else {
        let mut degree_of_rank = Buffer::uninitialized(device, vertices)?;
        ranks::assign_ranks(
            device,
            over_vertices,
            in_order.view(),
            degree.view(),
            rank.view_mut(),
            degree_of_rank.view_mut(),
            vertices,
        )?;
        degree_of_rank
    };
    let mut vertex_of_rank =
        Buffer::uninitialized(device, if keep_vertices { vertices } else { 0 })?;
    if keep_vertices {
        let kept = vertex_of_rank.view_mut();
        ranks::vertices_of_ranks(device, over_vertices, in_order.view(), kept, vertices)?;
    }

    let rank_bits = rank_bits(vertices);
    let sorted_from = sort.first_bit(rank_bits);
    let mut histograms = Histograms::zeroed(device, rank_bits * 2 - sorted_from)?;
    let passes = histograms.passes;
    let mut keys = Buffer::uninitialized(device, m)?;
    orient::orient_edges(
        device,
        Shape::cover(m, orient::BLOCK, most).shared(orient::shared_bytes(passes)),
        edges.view(),
        rank.view(),
        keys.view_mut(),
        histograms.counts.view_mut(),
        m,
        rank_bits,
        sorted_from,
        passes,
        u32::from(by_id),
    )?;
    Ok(OrientedKeys {
        keys,
        scratch: edges,
        histograms,
        degree_of_rank,
        vertex_of_rank,
        self_loops,
        rank_bits,
        sorted_from,
    })
}

#[cfg(test)]
mod tests {
    use super::{KeySort, LEAST_ENTRIES, has_short_runs};

    #[test]
    fn large_graphs_with_short_rows_are_sorted_by_tails() {
        // 2²² vertices: 22 bits, 2 of the head beside the tail's.
        let vertices = 1 << 22;
        for (entries, expected) in [
            (0, false),
            (LEAST_ENTRIES - 1, false),
            (LEAST_ENTRIES, true),
            (20 * vertices, true),
            (20 * vertices + 1, false),
        ] {
            assert_eq!(has_short_runs(entries, vertices), expected, "{entries}");
        }
        // 17 to 19 bits leave 5 to 7 for the head, 16 and 20 do not.
        for (bits, expected) in [(16, false), (17, true), (19, true), (20, false), (25, true)] {
            assert_eq!(has_short_runs(1 << 31, 1 << bits), expected, "{bits} bits");
        }
    }

    #[test]
    fn a_sort_by_tails_takes_all_bits_of_its_passes() {
        for rank_bits in 1..=32 {
            let sorted = 2 * rank_bits - KeySort::Tails.first_bit(rank_bits);
            assert!(sorted >= rank_bits);
            assert!(sorted.is_multiple_of(8) || sorted == 2 * rank_bits, "{rank_bits} bits");
            assert_eq!(KeySort::Whole.first_bit(rank_bits), 0);
        }
    }
}
