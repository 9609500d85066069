//! The orders that vertices are ranked in, and what is measured to choose one ([`plan`](crate::plan::preparation)).

use tribin_kernels::min_hash::{self, HUB_BITS, hub_keys, near_ends, raise_labels};
use tribin_kernels::ranks::{self, ID_BITS};
use warpwise_device::launch::{Buffer, Device, Shape, ViewMut};

use crate::graph::rank_bits;
use crate::plan::Task;
use crate::plan::preparation::{LabelledVertices, NEAR_PART, Order, SortPasses};
use warpwise_primitives::radix_sort::sort_by;

/// The order in which the vertices are ranked, with the labels that it takes.
pub struct VertexOrder<D: Device> {
    /// Any order but that of entries that stay as they are: those have no keys.
    pub order: Order,
    /// The labels of all vertices ([`min_hash_labels`]), made without the hubs, where the order goes by labels.
    pub labels: Option<Buffer<u32, D>>,
}

/// Blocks a multiprocessor of the kernels that stride over edges or vertices.
const BLOCKS: u32 = 8;

/// Edges that are looked at to see whether their ends are near or alike, about.
const SAMPLED: u64 = 1 << 16;

/// Hashes that are offered to a vertex on average, its own included, in eighths: three, so that 19 of 20 vertices
/// have at least one.
const OFFERED: u64 = 24;

/// Vertices to a group of the finest order that is worth a pass of the sort.
const GROUPED: u64 = 16;

/// The entries that are looked at, and the threads that do so.
pub(super) struct EntrySample {
    /// Entries for each one that is looked at.
    pub step: u64,
    /// The number of entries that are looked at.
    pub sampled: u64,
    /// A thread for each.
    pub shape: Shape,
}

impl EntrySample {
    pub fn of(entries: u64) -> EntrySample {
        let step = (entries / SAMPLED).max(1);
        let sampled = entries.div_ceil(step);
        EntrySample { step, sampled, shape: Shape::cover(sampled, min_hash::BLOCK, u32::MAX) }
    }
}

/// Adds the entries of a sample whose ends have ids near each other to a word that is zero before;
/// returns how many were looked at.
pub(super) fn add_near<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    vertices: u64,
    found: ViewMut<'_, u64, D>,
) -> Result<u64, D::Error> {
    let EntrySample { step, sampled, shape } = EntrySample::of(edges.len());
    let reach = (vertices / NEAR_PART) as u32;
    near_ends(device, shape, edges.view(), found, edges.len(), step, reach)?;
    Ok(sampled)
}

/// The least hash that is offered. Each of `filled` neighbourhoods is then offered `eighths` eighths of a hash on average:
/// a mean one has `neighbours / filled` vertices beside its own.
pub(super) fn floor(eighths: u64, neighbours: u64, filled: u64) -> u32 {
    let part = u128::from(u32::MAX) * u128::from(eighths);
    let neighbourhood = u128::from(8 * (neighbours / filled.max(1) + 1));
    !((part / neighbourhood).min(u32::MAX.into()) as u32)
}

impl<D: Device> VertexOrder<D> {
    /// The vertices in this order: each in the low half of a word. None by id, unless results by vertex are wanted.
    ///
    /// # Errors
    /// What the device reports.
    ///
    /// # Panics
    /// If the entries are to stay as they are, or labels are missing.
    pub(super) fn vertices(
        self,
        device: &D,
        degree: &Buffer<u32, D>,
        task: Task,
    ) -> Result<Buffer<u64, D>, D::Error> {
        let n = degree.len();
        if self.order == Order::Ids && !task.names_vertices() {
            return Buffer::uninitialized(device, 0);
        }
        let shape = Shape::cover(n, ranks::BLOCK, device.multiprocessors() * BLOCKS);
        let mut keys = Buffer::uninitialized(device, n)?;
        let most_degree = match self.order {
            Order::AsTheyAre => panic!("entries that stay as they are have no keys"),
            Order::Ids => {
                ranks::id_keys(device, shape, keys.view_mut(), n)?;
                return Ok(keys);
            }
            Order::Degrees => {
                ranks::class_keys(device, shape, degree.view(), keys.view_mut(), n)?;
                let passes = SortPasses::of_bits(ranks::CLASS_BITS);
                return sort_by(device, keys, ID_BITS, passes);
            }
            Order::MinHash => u32::MAX,
            Order::HubsFirst { most_degree, .. } => most_degree,
        };
        let labels = self.labels.expect("labels for an order that goes by them");
        // A pass at least for the labels beside the classes.
        let bits = label_bits(n).max(2 * HUB_BITS);
        let spread = (u32::MAX >> (u32::BITS - bits)) - (1 << HUB_BITS) + 1;
        let (degree, labels) = (degree.view(), labels.view());
        hub_keys(device, shape, degree, labels, keys.view_mut(), most_degree, spread, n)?;
        sort_by(device, keys, ID_BITS, SortPasses::of_bits(bits))
    }
}

/// Bits of labels that vertices are sorted by, the lowest, which are as different as the hashes: whole passes of
/// the sort, for a few vertices to a group. What else they would tell apart is together in the caches.
fn label_bits(vertices: u64) -> u32 {
    rank_bits(vertices / GROUPED).next_multiple_of(8)
}

/// MinHash labels: the greatest hash in the neighbourhood of each vertex, but for few. Vertices that are not `labelled` are left out.
/// The `filled` vertices have as many neighbours together as that says. The edges may be a share of a graph's: the largest labels of
/// all shares are those of the whole graph.
///
/// # Errors
/// What the device reports.
pub fn min_hash_labels<D: Device>(
    device: &D,
    edges: &Buffer<u64, D>,
    degrees: &Buffer<u32, D>,
    labelled: LabelledVertices,
    filled: u64,
) -> Result<Buffer<u32, D>, D::Error> {
    let LabelledVertices { neighbours, most_degree } = labelled;
    let floor = floor(OFFERED, neighbours, filled);
    let most = device.multiprocessors() * BLOCKS;
    let vertices = degrees.len();
    let mut labels = Buffer::uninitialized(device, vertices)?;
    let over_vertices = Shape::cover(vertices, min_hash::BLOCK, most);
    min_hash::own_labels(device, over_vertices, labels.view_mut(), vertices)?;
    let m = edges.len();
    let over_edges = Shape::cover(m, min_hash::BLOCK, most);
    let (degrees, raised) = (degrees.view(), labels.view_mut());
    raise_labels(device, over_edges, edges.view(), degrees, raised, floor, most_degree, m)?;
    Ok(labels)
}

#[cfg(test)]
pub(super) mod tests {
    use warpwise_device::emulated::{Config, Emulator};
    use warpwise_device::launch::Buffer;

    use super::super::degrees::{DeviceDegrees, count_degrees};
    use super::{LabelledVertices, label_bits, min_hash_labels};
    use crate::plan::preparation::MIN_ENTRIES;
    use crate::plan::{Share, Task};

    /// Vertices of the graphs here: 512 and fewer apart is near.
    const VERTICES: u32 = 1 << 17;

    pub fn upload(
        device: &Emulator,
        edges: impl Iterator<Item = [u32; 2]>,
    ) -> Buffer<u64, Emulator> {
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
        let near = |edges: &Buffer<u64, Emulator>| {
            let mut degrees = DeviceDegrees::zeroed(&device, u64::from(VERTICES)).unwrap();
            degrees.look(&device, edges, edges.len(), Task::Count).unwrap().near
        };
        let halves = |near: u64| {
            (0..MIN_ENTRIES).map(move |i| apart(i, if i / 64 < near { 512 } else { 513 }))
        };
        for found in [0, (1 << 15) - 1, 1 << 15, 1 << 16] {
            let edges = upload(&device, halves(found));
            assert_eq!(near(&edges), Share { sampled: 1 << 16, found });
        }
        // Fewer entries than the sample has: each is looked at.
        let few = upload(&device, (0..3).map(|i| apart(i, 1)));
        assert_eq!(near(&few), Share { sampled: 3, found: 3 });
    }

    /// Vertices of one group of 64 offer their hashes to each other: most have the label of a vertex of their group that is not themselves.
    #[test]
    fn neighbours_have_one_label() {
        const VERTICES: u32 = 1 << 12;
        const ENTRIES: u64 = 32 * VERTICES as u64;
        let device = Emulator::with(Config::seeded(1));
        let mut rng = fastrand::Rng::with_seed(1);
        let scattered = |number: u32| number.wrapping_mul(0x9e37_79b1) % VERTICES;
        let mut in_group = |_| {
            let group = rng.u32(..VERTICES) / 64 * 64;
            [0; 2].map(|_: u32| scattered(group + rng.u32(..64)))
        };
        let vertices = u64::from(VERTICES);
        let pairs: Vec<_> = (0..ENTRIES).map(&mut in_group).collect();
        let edges = upload(&device, pairs.iter().copied());
        let degrees = count_degrees(&device, &edges, vertices).unwrap().degree;
        let all = LabelledVertices { neighbours: 2 * ENTRIES, most_degree: u32::MAX };
        let labels = min_hash_labels(&device, &edges, &degrees, all, vertices);
        let labels = labels.unwrap().to_vec(&device).unwrap();
        assert_eq!(labels.len(), VERTICES as usize);
        let alike = |&&[u, v]: &&[u32; 2]| labels[u as usize] == labels[v as usize];
        let found = pairs.iter().filter(alike).count();
        assert!(found * 10 > pairs.len(), "{found} of {}", pairs.len());
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
