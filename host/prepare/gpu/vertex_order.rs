//! The orders that vertices are ranked in, and what is measured to choose one ([`plan`](crate::plan::preparation)).

use tribin_device::launch::{Buffer, Device, Shape};
use tribin_kernels::min_hash::{self, alike_ends, label_keys, near_ends, raise_labels};
use tribin_kernels::ranks::{self, ID_BITS};

use super::radix_sort::{self, Histograms};
use crate::graph::rank_bits;
use crate::plan::Share;
use crate::plan::preparation::NEAR_PART;

/// In what order the vertices are ranked.
pub enum VertexOrder<D: Device> {
    /// By class of degree, the largest first, then by id.
    Degrees,
    /// By id.
    Ids,
    /// By these labels ([`min_hash_labels`]), one for each vertex, then by id.
    MinHash(Buffer<u32, D>),
}

/// Blocks a multiprocessor of the kernels that stride over edges or vertices.
const BLOCKS: u32 = 8;

/// Edges that are looked at to see whether their ends are near or alike, about.
const SAMPLED: u64 = 1 << 16;

/// Hashes that are offered to a vertex on average, its own included: 19 of 20 vertices have at least one.
const OFFERED: u64 = 3;

/// Vertices to a group of the finest order that is worth a pass of the sort.
const GROUPED: u64 = 16;

/// One entry of this many is looked at, and how many that makes.
fn sample(entries: u64) -> (u64, u64) {
    let step = (entries / SAMPLED).max(1);
    (step, entries.div_ceil(step))
}

/// Of a sample of the entries, those whose ends have ids near each other. One copy from the device.
///
/// # Errors
/// What the device reports.
pub fn near<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    vertices: u64,
) -> Result<Share, D::Error> {
    let (step, sampled) = sample(edges.len());
    let shape = Shape::cover(sampled, min_hash::BLOCK, u32::MAX);
    let mut found = Buffer::zeroed(device, 1)?;
    let reach = (vertices / NEAR_PART) as u32;
    near_ends(device, shape, edges.view(), found.view_mut(), edges.len(), step, reach)?;
    Ok(Share { sampled, found: found.to_vec(device)?[0] })
}

/// Of a sample of the entries, those whose ends have one label. One copy from the device.
///
/// # Errors
/// What the device reports.
pub fn alike<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    labels: &Buffer<u32, D>,
) -> Result<Share, D::Error> {
    let (step, sampled) = sample(edges.len());
    let shape = Shape::cover(sampled, min_hash::BLOCK, u32::MAX);
    let mut found = Buffer::zeroed(device, 1)?;
    alike_ends(device, shape, edges.view(), labels.view(), found.view_mut(), edges.len(), step)?;
    Ok(Share { sampled, found: found.to_vec(device)?[0] })
}

impl<D: Device> VertexOrder<D> {
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
            VertexOrder::MinHash(labels) => {
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
pub fn min_hash_labels<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    vertices: u64,
    filled: u64,
) -> Result<Buffer<u32, D>, D::Error> {
    min_hash_labels_of(device, edges, edges.len(), vertices, filled)
}

/// The same for some of the edges of a graph that has `entries` of them: the labels of the whole graph are the
/// largest of those of its shares.
///
/// # Errors
/// What the device reports.
pub(super) fn min_hash_labels_of<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    entries: u64,
    vertices: u64,
    filled: u64,
) -> Result<Buffer<u32, D>, D::Error> {
    let most = device.multiprocessors() * BLOCKS;
    let mut labels = Buffer::uninitialized(device, vertices)?;
    let over_vertices = Shape::cover(vertices, min_hash::BLOCK, most);
    min_hash::own_labels(device, over_vertices, labels.view_mut(), vertices)?;
    // A part of the hashes that is so many of the mean neighbourhood, which a vertex is in itself.
    let part = u64::from(u32::MAX) * OFFERED / (2 * entries / filled.max(1) + 1);
    let floor = !(part.min(u64::from(u32::MAX)) as u32);
    let own = edges.len();
    let over_edges = Shape::cover(own, min_hash::BLOCK, most);
    raise_labels(device, over_edges, edges.view(), labels.view_mut(), floor, own)?;
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use tribin_device::emulated::{Config, Emulator};
    use tribin_device::launch::Buffer;
    use tribin_kernels::min_hash::hash;

    use super::{alike, label_bits, min_hash_labels, near};
    use crate::plan::Share;
    use crate::plan::preparation::MIN_ENTRIES;

    /// Vertices of the graphs here: 512 and fewer apart is near.
    const VERTICES: u32 = 1 << 17;

    fn upload(device: &Emulator, edges: impl Iterator<Item = [u32; 2]>) -> Buffer<u64, Emulator> {
        let word = |[u, v]: [u32; 2]| u64::from(u) | u64::from(v) << 32;
        Buffer::from_host(device, &edges.map(word).collect::<Vec<u64>>()).unwrap()
    }

    /// An edge between vertices that are so far apart, with any id.
    fn apart(i: u64, by: u32) -> [u32; 2] {
        let u = i as u32 % (VERTICES - by);
        if i.is_multiple_of(2) { [u, u + by] } else { [u + by, u] }
    }

    /// Every 64th of 2²² entries is looked at.
    #[test]
    fn a_sample_tells_how_many_entries_join_near_ids() {
        let device = Emulator::with(Config::seeded(1));
        let halves = |near: u64| {
            (0..MIN_ENTRIES).map(move |i| apart(i, if i / 64 < near { 512 } else { 513 }))
        };
        for found in [0, (1 << 15) - 1, 1 << 15, 1 << 16] {
            let edges = upload(&device, halves(found));
            let share = near(&device, &edges, u64::from(VERTICES)).unwrap();
            assert_eq!(share, Share { sampled: 1 << 16, found });
        }
        // Fewer entries than the sample has: each is looked at.
        let few = upload(&device, (0..3).map(|i| apart(i, 1)));
        let share = near(&device, &few, u64::from(VERTICES)).unwrap();
        assert_eq!(share, Share { sampled: 3, found: 3 });
    }

    /// Vertices of one group of 64 offer their hashes to each other; others do not.
    #[test]
    fn a_sample_tells_how_many_entries_join_one_label() {
        let device = Emulator::with(Config::seeded(1));
        let mut rng = fastrand::Rng::with_seed(1);
        let scattered = |number: u32| number.wrapping_mul(0x9e37_79b1) % VERTICES;
        let mut in_group = |_| {
            let group = rng.u32(..VERTICES) / 64 * 64;
            [0; 2].map(|_: u32| scattered(group + rng.u32(..64)))
        };
        let vertices = u64::from(VERTICES);
        let alike_of = |edges: &Buffer<u64, Emulator>| {
            let labels = min_hash_labels(&device, edges, vertices, vertices).unwrap();
            assert_eq!(labels.len(), vertices);
            alike(&device, edges, &labels).unwrap()
        };
        let groups = alike_of(&upload(&device, (0..MIN_ENTRIES).map(&mut in_group)));
        assert_eq!(groups.sampled, 1 << 16);
        assert!(groups.found * 10 > groups.sampled, "{groups:?}");
        // Vertices with low hashes keep those, and only self-loops have ends of one label.
        let low: Vec<u32> = (0..VERTICES).filter(|&v| hash(v) < 1 << 31).collect();
        let far = |k: usize| [low[k % low.len()], low[(k + low.len() / 2) % low.len()]];
        for loops in [0, 6_553, 6_554] {
            let edges = (0..MIN_ENTRIES).map(|i| {
                let [u, v] = far(i as usize);
                if i / 64 < loops { [u, u] } else { [u, v] }
            });
            let share = alike_of(&upload(&device, edges));
            assert_eq!(share, Share { sampled: 1 << 16, found: loops });
        }
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
