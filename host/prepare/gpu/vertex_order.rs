//! In what order the vertices are ranked: any gives the exact count, and which is best is seen from degrees and
//! a sample of the edges.

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::neighbourhoods::{self, alike_ends, label_keys, near_ends, raise_labels};
use tribin_kernels::ranks::{self, ID_BITS};

use super::keys::BLOCKS;
use super::radix_sort::{self, Histograms};
use crate::graph::{Summary, rank_bits};
use crate::plan::order_of_ids_serves;

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

/// Ends of an edge are near if their ids, or ranks, differ by at most this part of the number of vertices.
pub(crate) const NEAR_PART: u64 = 256;

/// The order of the ids is kept if so many of 1,000 edges have ends that are near. Of ids without any order,
/// eight of 1,000 are.
const LEAST_NEAR_PERMILLE: u64 = 500;

/// Fewest neighbours on average for which vertices are ordered in any way. For fewer, nearly every vertex offers its
/// hash to them, at random in memory, and there is less to read again; and to look up ranks costs more than
/// shorter rows save.
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
        figures: &Summary,
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
            return Ok(VertexOrder::Ids);
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

    /// The vertices in this order: each in the low half of a word. None by id, unless they are kept.
    ///
    /// # Errors
    /// What the device reports.
    pub(super) fn vertices(
        self,
        device: &D,
        degree: &Buffer<u32, D>,
        keep: bool,
    ) -> Result<Buffer<u64, D>, D::Error> {
        let n = degree.len();
        if matches!(self, VertexOrder::Ids) && !keep {
            return Buffer::uninitialized(device, 0);
        }
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
    let part = u64::from(u32::MAX) * OFFERED / (2 * entries / filled.max(1) + 1);
    let floor = !(part.min(u64::from(u32::MAX)) as u32);
    let over_edges = Shape::cover(entries, neighbourhoods::BLOCK, most);
    raise_labels(device, over_edges, edges.view(), labels.view_mut(), floor, entries)?;
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use tribin_device::emulated::{Config, Emulator};
    use tribin_device::launch::Buffer;
    use tribin_kernels::neighbourhoods::hash;

    use super::{LEAST_ENTRIES, VertexOrder, label_bits};
    use crate::graph::Summary;

    /// Vertices of the graphs here: 512 and fewer apart is near.
    const VERTICES: u32 = 1 << 17;

    /// Summary of degrees that differ little, with so many vertices that have edges.
    fn flat(vertices: u64) -> Summary {
        Summary { vertices, edges: LEAST_ENTRIES, wedges: 1, max_degree: 64, ..Summary::default() }
    }

    fn chosen(edges: impl Iterator<Item = [u32; 2]>, figures: &Summary) -> &'static str {
        let device = Emulator::with(Config::seeded(1));
        let word = |[u, v]: [u32; 2]| u64::from(u) | u64::from(v) << 32;
        let words: Vec<u64> = edges.map(word).collect();
        let edges = Buffer::from_host(&device, &words).unwrap();
        match VertexOrder::for_edges(&device, &edges, u64::from(VERTICES), figures).unwrap() {
            VertexOrder::Degrees => "degrees",
            VertexOrder::Ids => "ids",
            VertexOrder::Neighbourhoods(labels) => {
                assert_eq!(labels.len(), u64::from(VERTICES));
                "neighbourhoods"
            }
        }
    }

    /// An edge between vertices that are so many apart, with any id.
    fn apart(i: u64, by: u32) -> [u32; 2] {
        let u = i as u32 % (VERTICES - by);
        if i.is_multiple_of(2) { [u, u + by] } else { [u + by, u] }
    }

    /// The vertex of this number, far from that of the next.
    fn scattered(number: u32) -> u32 {
        number.wrapping_mul(0x9e37_79b1) % VERTICES
    }

    /// Any two vertices.
    fn random(rng: &mut fastrand::Rng) -> [u32; 2] {
        [rng.u32(..VERTICES), rng.u32(..VERTICES)]
    }

    /// Two vertices of a group of 64, which no others are joined to.
    fn in_group(rng: &mut fastrand::Rng) -> [u32; 2] {
        let group = rng.u32(..VERTICES) / 64 * 64;
        [0; 2].map(|_: u32| scattered(group + rng.u32(..64)))
    }

    #[test]
    fn the_order_of_the_ids_is_kept_where_half_of_the_edges_are_near() {
        // Every 64th edge is looked at: two halves of 32,768 such.
        let halves = |near: u64, (reach, far)| {
            (0..LEAST_ENTRIES).map(move |i| apart(i, if i / 64 < near { reach } else { far }))
        };
        let figures = &flat(u64::from(VERTICES));
        assert_eq!(chosen(halves(1 << 15, (512, 513)), figures), "ids");
        assert_eq!(chosen(halves((1 << 15) - 1, (512, 513)), figures), "degrees");
        assert_eq!(chosen(halves(1 << 16, (1, 1)).skip(1), figures), "degrees", "few entries");
        let hub = Summary { max_degree: 1 << 20, ..*figures };
        assert_eq!(chosen(halves(1 << 16, (1, 1)), &hub), "degrees", "unequal degrees");
    }

    #[test]
    fn vertices_are_ordered_by_neighbourhoods_where_these_are_alike() {
        let part = |of_100: u32| {
            let mut rng = fastrand::Rng::with_seed(1);
            (0..LEAST_ENTRIES).map(move |_| {
                if rng.u32(..100) < of_100 { in_group(&mut rng) } else { random(&mut rng) }
            })
        };
        let figures = &flat(u64::from(VERTICES));
        assert_eq!(chosen(part(100), figures), "neighbourhoods");
        assert_eq!(chosen(part(0), figures), "degrees");
        // Vertices with low hashes keep those, and only self-loops have ends of one label.
        let low: Vec<u32> = (0..VERTICES).filter(|&v| hash(v) < 1 << 31).collect();
        let far = |k: usize| [low[k % low.len()], low[(k + low.len() / 2) % low.len()]];
        let loops = |most: u64| {
            (0..LEAST_ENTRIES).map(move |i| {
                let [u, v] = far(i as usize);
                if i / 64 < most { [u, u] } else { [u, v] }
            })
        };
        // A tenth of 65,536 is not whole.
        assert_eq!(chosen(loops(6_554), figures), "neighbourhoods");
        assert_eq!(chosen(loops(6_553), figures), "degrees");
        // Labels are made for eight neighbours and more.
        assert_eq!(chosen(part(100), &flat(LEAST_ENTRIES / 4)), "neighbourhoods");
        assert_eq!(chosen(part(100), &flat(LEAST_ENTRIES / 4 + 1)), "ids");
    }

    #[test]
    fn labels_are_sorted_by_whole_passes_for_groups_of_sixteen() {
        for (groups, bits) in [(0, 8), (1, 8), (256, 8), (257, 16), (1 << 16, 16)] {
            assert_eq!(label_bits(groups * 16), bits, "{groups}");
            assert_eq!(label_bits(groups * 16 + 15), bits, "{groups}");
        }
        assert_eq!([(1 << 20) + 16, 1 << 28].map(label_bits), [24, 24]);
        // A label has no more than 32.
        assert_eq!([(1 << 28) + 16, 1 << 32].map(label_bits), [32, 32]);
    }
}
