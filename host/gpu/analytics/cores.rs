//! Core numbers on a GPU: vertices are peeled level by level.

use tribin_kernels::core_peel::{
    CHUNK, CONTROL_WORDS, DONE, LAST_LEVEL, LEVEL, ROUNDS, SCANS, SHARED_BYTES, STEP, all_degrees,
    head_keys, lay_out_tails, peel_cores,
};
use tribin_kernels::live_edges::put_values;
use warpwise_device::launch::{Buffer, Device, Shape};

use super::{BLOCK, over};
use crate::device_graph::DeviceGraph;
use crate::graph::rank_bits;
use crate::plan::memory::{REST, sort_scratch_bytes};
use crate::plan::preparation::SortPasses;
use warpwise_primitives::radix_sort::sort_by;

/// Blocks of the peeling on a multiprocessor: all have to be there together.
const PEELING_BLOCKS: u32 = 4;

/// Scans and rounds of a launch: the host waits for each launch.
const STEPS_OF_LAUNCH: u32 = 4_096;

/// Rounds of the peeling of any graph, at most.
const LEAST_ROUNDS: u64 = 1 << 11;

/// Edges and vertices for each further round.
const WORK_OF_ROUND: u64 = 1 << 12;

/// Bytes of device memory that core numbers take beside a graph, at most.
pub fn memory_needed(edges: u64, ranks: u64) -> u64 {
    // Where the tails of each head begin and end; then the keys, twice, and their sort. Of these, one is left while tails are laid out.
    let sorting = (16 * edges + sort_scratch_bytes(edges)).max(12 * edges);
    // Tails, degrees, core numbers, also by vertex, and the queue.
    let peeling = 4 * edges + 12 * ranks + 8 * queue_places(edges, ranks);
    8 * ranks + sorting.max(peeling) + REST
}

/// Places of the queue: one for each vertex, and one for each further part of its neighbours.
fn queue_places(edges: u64, ranks: u64) -> u64 {
    ranks + 2 * edges / u64::from(CHUNK)
}

/// The rounds after which the CPU takes over the peeling of a graph with these numbers of edges and vertices. A path goes from its ends,
/// two vertices a round.
///
/// A round takes about 6 µs on an H100, and the CPU 4 to 25 ns for a vertex or an edge. More rounds than these take longer there than what
/// is left to gain.
fn most_rounds(edges: u64, ranks: u64) -> u64 {
    LEAST_ROUNDS + (edges + ranks) / WORK_OF_ROUND
}

/// The core number of every vertex, by vertex: the largest k for which it is in a subgraph whose every vertex has k neighbours
/// in it. There is an edge. `None` where it would take more rounds than the CPU takes time: then most vertices go one after another.
///
/// O(m + n · levels) work; memory: [`memory_needed`].
///
/// # Errors
/// What the device reports.
///
/// # Panics
/// If the graph came without the vertex of each rank.
pub fn core_numbers<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
) -> Result<Option<Vec<u32>>, D::Error> {
    let ranks = graph.rows.len() / 2;
    assert_eq!(graph.vertex_of_rank.len(), ranks, "prepared without vertices");
    let neighbours = DeviceNeighbours::of(device, graph)?;
    let Some(peeled) = neighbours.peel(device, 0)? else { return Ok(None) };
    drop(neighbours);
    let mut by_vertex = Buffer::uninitialized(device, ranks)?;
    put_values(
        device,
        over(device, ranks),
        peeled.cores.view(),
        graph.vertex_of_rank.view(),
        by_vertex.view_mut(),
        ranks,
    )?;
    by_vertex.to_vec(device).map(Some)
}

/// The largest core number, in a graph where none is larger than `most`. There is an edge. `None` as [`core_numbers`].
///
/// Vertices with few neighbours go at once: the largest core number is guessed, and what has fewer neighbours need not be peeled level
/// by level. O(m + n · levels) work, and at most log₂ `most` times as much where guesses are too large.
///
/// # Errors
/// What the device reports.
pub fn degeneracy<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    most: u32,
) -> Result<Option<u32>, D::Error> {
    let neighbours = DeviceNeighbours::of(device, graph)?;
    let mut guess = most / 2;
    loop {
        let first_level = guess.saturating_sub(1);
        let Some(peeled) = neighbours.peel(device, first_level)? else { return Ok(None) };
        if first_level == 0 || peeled.largest >= guess {
            return Ok(Some(peeled.largest));
        }
        guess /= 2;
    }
}

/// A graph, and the tails of the edges to each head: all neighbours of each vertex.
struct DeviceNeighbours<'g, D: Device> {
    graph: &'g DeviceGraph<D>,
    tails: Buffer<u32, D>,
    ends: Buffer<u64, D>,
    most_rounds: u64,
    steps_of_launch: u32,
}

struct PeeledCores<D: Device> {
    /// The core numbers by rank. Lower core numbers than the first level are that level.
    cores: Buffer<u32, D>,
    largest: u32,
}

impl<'g, D: Device> DeviceNeighbours<'g, D> {
    fn of(device: &D, graph: &'g DeviceGraph<D>) -> Result<Self, D::Error> {
        let (m, ranks) = (graph.edges, graph.rows.len() / 2);
        let shape = over(device, m);
        let mut keys = Buffer::uninitialized(device, m)?;
        head_keys(device, shape, graph.tails.view(), graph.heads.view(), keys.view_mut(), m)?;
        let keys = sort_by(device, keys, 32, SortPasses::of_bits(rank_bits(ranks)))?;
        let mut tails = Buffer::uninitialized(device, m)?;
        let mut ends = Buffer::<u64, D>::zeroed(device, ranks)?;
        let ends_to = ends.view_mut().cast();
        lay_out_tails(device, shape, keys.view(), tails.view_mut(), ends_to, m)?;
        let (most_rounds, steps_of_launch) = (most_rounds(m, ranks), STEPS_OF_LAUNCH);
        Ok(DeviceNeighbours { graph, tails, ends, most_rounds, steps_of_launch })
    }

    /// Peels from a level on; `None` after too many rounds.
    fn peel(&self, device: &D, first_level: u32) -> Result<Option<PeeledCores<D>>, D::Error> {
        let (m, ranks) = (self.graph.edges, self.graph.rows.len() / 2);
        let rows = self.graph.rows.view().cast();
        let mut degrees = Buffer::uninitialized(device, ranks)?;
        let shape = over(device, ranks);
        all_degrees(device, shape, rows, self.ends.view(), degrees.view_mut(), ranks)?;
        let mut cores = Buffer::uninitialized(device, ranks)?;
        let mut queue = Buffer::uninitialized(device, queue_places(m, ranks))?;
        let mut words = [0; CONTROL_WORDS as usize];
        words[LEVEL as usize] = first_level.into();
        let mut control = Buffer::from_host(device, &words)?;
        let grid = device.multiprocessors() * PEELING_BLOCKS;
        while words[STEP as usize] != DONE {
            if words[ROUNDS as usize] + words[SCANS as usize] > self.most_rounds {
                return Ok(None);
            }
            peel_cores(
                device,
                Shape::new(grid, BLOCK).shared(SHARED_BYTES).together(),
                self.graph.heads.view(),
                rows,
                self.tails.view(),
                self.ends.view(),
                degrees.view_mut(),
                cores.view_mut(),
                queue.view_mut(),
                control.view_mut(),
                ranks,
                self.steps_of_launch,
            )?;
            control.download(device, 0, &mut words)?;
        }
        Ok(Some(PeeledCores { cores, largest: words[LAST_LEVEL as usize] as u32 }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use testkit::effort;
    use warpwise_device::emulated::{Config, Emulator};
    use warpwise_device::launch::Metered;

    use super::*;
    use crate::Graph;
    use crate::control::Context;
    use crate::device_graph::upload_rows;
    use tribin_analytics::cpu::{cores, degeneracy};
    use tribin_cpu::prepare::prepare;

    /// Core numbers and the degeneracy are the CPU's, and take no more memory than was predicted.
    fn check(entries: Vec<[u32; 2]>) {
        let graph = Graph::from_edges(entries);
        let oriented = prepare(graph.edges(), graph.vertex_bound()).oriented;
        let by_rank = cores::core_numbers(&oriented, &Context::silent()).unwrap();
        let mut expected = vec![0; by_rank.len()];
        for (&vertex, &core) in oriented.vertex_of_rank().iter().zip(&by_rank) {
            expected[vertex as usize] = core;
        }
        let device =
            Metered::new(Emulator::with(Config { multiprocessors: 1, ..Config::seeded(1) }));
        let mut there = upload_rows(&device, &oriented).unwrap();
        there.vertex_of_rank = Buffer::from_host(&device, oriented.vertex_of_rank()).unwrap();
        let held = device.live_bytes();
        device.reset_peak();
        assert_eq!(core_numbers(&device, &there).unwrap(), Some(expected));
        let most = degeneracy::h_index(&degrees(&oriented));
        let largest = by_rank.into_iter().max().unwrap_or(0);
        assert_eq!(super::degeneracy(&device, &there, most).unwrap(), Some(largest));
        let (took, needed) =
            (device.peak_bytes() - held, memory_needed(there.edges, there.rows.len() / 2));
        assert!(took <= needed, "{took} bytes, and {needed} predicted");
    }

    fn degrees(oriented: &crate::graph::OrientedGraph) -> Vec<u32> {
        let mut degrees = vec![0; oriented.vertices()];
        for rank in 0..oriented.vertices() as u32 {
            for &head in oriented.row(rank) {
                degrees[rank as usize] += 1;
                degrees[head as usize] += 1;
            }
        }
        degrees
    }

    fn clique(vertices: u32) -> impl Iterator<Item = [u32; 2]> {
        (0..vertices).flat_map(|u| (0..u).map(move |v| [u, v]))
    }

    #[test]
    fn graphs_of_each_sort_are_the_cpu_s() {
        let hub = (1..200u32).flat_map(|v| [[0, v], [v, v % 7], [v, v / 2]]);
        // Most degrees are those of a star: the first guess is too large, and so is the second.
        let stars = (0..16u32).flat_map(|hub| (0..16).map(move |leaf| [hub, 16 + 16 * hub + leaf]));
        for entries in [
            vec![[0, 1], [1, 2], [2, 0]],
            hub.clone().collect(),
            clique(30).collect(),
            hub.chain(clique(20)).collect(),
            stars.collect(),
            (0..60).map(|v| [v, v + 1]).collect(),
        ] {
            check(entries);
        }
    }

    /// A path goes two vertices a round.
    #[test]
    fn a_long_path_is_left_to_the_cpu() {
        let path: Vec<[u32; 2]> = (0..60).map(|v| [v, v + 1]).collect();
        let oriented = prepare(&path, 61).oriented;
        let device = Emulator::with(Config { multiprocessors: 1, ..Config::seeded(1) });
        let there = upload_rows(&device, &oriented).unwrap();
        let mut neighbours = DeviceNeighbours::of(&device, &there).unwrap();
        neighbours.steps_of_launch = 4;
        for (most_rounds, expected) in [(40, Some(1)), (20, None)] {
            neighbours.most_rounds = most_rounds;
            let peeled = neighbours.peel(&device, 0).unwrap();
            assert_eq!(peeled.map(|peeled| peeled.largest), expected);
        }
    }

    #[test]
    fn every_vertex_has_its_places_in_the_queue() {
        let chunk = u64::from(CHUNK);
        for degrees in [vec![chunk, 1, 0, chunk + 1], vec![3 * chunk + 1; 7], vec![1; 40]] {
            let needed: u64 = degrees.iter().map(|degree| degree.div_ceil(chunk)).sum();
            let edges = degrees.iter().sum::<u64>() / 2;
            assert!(needed <= queue_places(edges, degrees.len() as u64), "{degrees:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(effort::cases(24)))]

        #[test]
        fn any_multigraph_is_the_cpu_s(
            entries in prop::collection::vec(prop::array::uniform2(0u32..24), 1..200),
        ) {
            prop_assume!(entries.iter().any(|[u, v]| u != v));
            check(entries);
        }
    }
}
