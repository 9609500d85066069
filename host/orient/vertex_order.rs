//! In what order the vertices are ranked: any gives the exact count, and which is best is seen from degrees and
//! a sample of the edges.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::neighbourhoods::{self, alike_ends, label_keys, near_ends, raise_labels};
use tribin_kernels::ranks::{self, ID_BITS};

use super::gpu::rank_bits;
use crate::clean::Figures;
use crate::device::radix_sort::{self, Histograms};
use crate::engine::policy::order_of_ids_serves;

/// Blocks a multiprocessor of the kernels that stride over edges or vertices: enough to fill it.
const BLOCKS: u32 = 8;

/// In what order the vertices are ranked.
pub enum VertexOrder<D: Device> {
    /// By class of degree, the largest first, then by id.
    Degrees,
    /// By id.
    Ids,
    /// By these labels ([`neighbourhood_labels`]), one for each vertex, then by id.
    Neighbourhoods(Buffer<u32, D>),
}

/// Fewest entries of a graph that is thought about: what others read again is in the caches anyway.
pub(super) const LEAST_ENTRIES: u64 = 1 << 22;

/// Edges that are looked at to see whether their ends are near or alike, about.
const SAMPLED: u64 = 1 << 16;

/// Ends of an edge are near if their ids differ by at most this part of the number of vertices.
const NEAR_PART: u64 = 256;

/// The order of the ids is kept if so many of 1,000 edges have ends that are near. Of ids without any order,
/// eight of 1,000 are.
const LEAST_NEAR_PERMILLE: u64 = 500;

/// Fewest neighbours on average for which labels are made: for fewer, nearly every vertex offers its hash to
/// them, at random in memory, and there is less to read again.
const LEAST_MEAN_DEGREE: u64 = 8;

/// Hashes that are offered to a vertex on average, its own included: 19 of 20 vertices have at least one.
const OFFERED: u64 = 3;

/// Vertices to a group of the finest order that is worth a pass of the sort.
const GROUPED: u64 = 16;

/// Vertices are ordered by their labels if so many of 1,000 edges have ends of one label.
const LEAST_ALIKE_PERMILLE: u64 = 100;

impl<D: Device> VertexOrder<D> {
    /// What suits a graph with these edges, in any order, and figures by degrees that count duplicates
    /// (docs/measured.md has the times).
    ///
    /// Where degrees differ much, their order is what keeps rows short. Where they do not, rows are as short in
    /// any order, and one that brings similar rows together saves the caches most of the reads at random.
    ///
    /// One or two passes over a sample, and a copy from the device for each; and where labels are made, one
    /// over the edges.
    ///
    /// # Errors
    /// What the device reports.
    pub fn for_edges(
        device: &D,
        edges: &Buffer<u64, D>,
        vertices: u64,
        figures: &Figures,
    ) -> Result<VertexOrder<D>, D::Error> {
        let entries = edges.len();
        if entries < LEAST_ENTRIES || !order_of_ids_serves(figures) {
            return Ok(VertexOrder::Degrees);
        }
        let step = entries / SAMPLED;
        let sampled = entries.div_ceil(step);
        let shape = Shape::cover(sampled, neighbourhoods::BLOCK, u32::MAX);
        let mut near = Buffer::zeroed(device, 1)?;
        let reach = (vertices / NEAR_PART) as u32;
        near_ends(device, shape, edges.view(), near.view_mut(), entries, step, reach)?;
        if near.to_vec(device)?[0] * 1_000 >= LEAST_NEAR_PERMILLE * sampled {
            return Ok(VertexOrder::Ids);
        }
        if 2 * entries < LEAST_MEAN_DEGREE * figures.vertices {
            return Ok(VertexOrder::Degrees);
        }
        let labels = neighbourhood_labels(device, edges, vertices, figures.vertices)?;
        let mut alike = Buffer::zeroed(device, 1)?;
        let (seen, found) = (labels.view(), alike.view_mut());
        alike_ends(device, shape, edges.view(), seen, found, entries, step)?;
        let alike = alike.to_vec(device)?[0];
        Ok(if alike * 1_000 >= LEAST_ALIKE_PERMILLE * sampled {
            VertexOrder::Neighbourhoods(labels)
        } else {
            VertexOrder::Degrees
        })
    }

    /// The vertices in this order: each in the low half of a word.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn vertices(
        self,
        device: &D,
        degree: &Buffer<u32, D>,
    ) -> Result<Buffer<u64, D>, D::Error> {
        let n = degree.len();
        let shape = Shape::cover(n, ranks::BLOCK, device.multiprocessors() * BLOCKS);
        let mut keys = Buffer::uninitialized(device, n)?;
        let bits = match self {
            VertexOrder::Degrees => {
                ranks::class_keys(device, shape, degree.view(), keys.view_mut(), n)?;
                ranks::CLASS_BITS
            }
            VertexOrder::Ids => {
                ranks::id_keys(device, shape, keys.view_mut(), n)?;
                return Ok(keys);
            }
            VertexOrder::Neighbourhoods(labels) => {
                label_keys(device, shape, labels.view(), keys.view_mut(), n)?;
                label_bits(n)
            }
        };
        let histograms = Histograms::of_keys(device, keys.view(), ID_BITS, bits)?;
        let other = Buffer::uninitialized(device, n)?;
        Ok(radix_sort::sort(device, keys, other, histograms, ID_BITS)?.keys)
    }
}

/// Bits of labels that vertices are sorted by, the lowest, which are as different as the hashes: whole passes of
/// the sort, for a few vertices to a group. What else they would tell apart is together in the caches.
fn label_bits(vertices: u64) -> u32 {
    rank_bits(vertices / GROUPED).next_multiple_of(8)
}

/// The greatest hash in the neighbourhood of each of the vertices `0..vertices`, but for few, of which `filled`
/// have edges.
///
/// # Errors
/// What the device reports.
pub fn neighbourhood_labels<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    vertices: u64,
    filled: u64,
) -> Result<Buffer<u32, D>, D::Error> {
    let most = device.multiprocessors() * BLOCKS;
    let entries = edges.len();
    let mut labels = Buffer::uninitialized(device, vertices)?;
    let over_vertices = Shape::cover(vertices, neighbourhoods::BLOCK, most);
    neighbourhoods::own_labels(device, over_vertices, labels.view_mut(), vertices)?;
    // A part of the hashes that is so many of the mean neighbourhood, which a vertex is in itself.
    let part = (u64::from(u32::MAX) * OFFERED).checked_div(2 * entries / filled.max(1) + 1);
    let floor = !(part.unwrap_or(0).min(u64::from(u32::MAX)) as u32);
    let over_edges = Shape::cover(entries, neighbourhoods::BLOCK, most);
    raise_labels(device, over_edges, edges.view(), labels.view_mut(), floor, entries)?;
    Ok(labels)
}
