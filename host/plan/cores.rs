//! Whether a GPU finds core numbers, or the CPU, where there is no memory for it.

use super::limits::core_peel::CHUNK;
use super::memory::{REST, sort_scratch_bytes};
use super::reason::{Chosen, Rules};

/// The finder of core numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CorePeeler {
    /// The GPU.
    Gpu,
    /// The CPU, which needs no memory of the GPU.
    Host,
}

/// Bytes that core numbers take beside a graph, at most.
pub fn core_bytes(edges: u64, ranks: u64) -> u64 {
    // Where the tails of each head begin and end; then the keys, twice, and their sort. Of these, one is left while tails are laid out.
    let sorting = (16 * edges + sort_scratch_bytes(edges)).max(12 * edges);
    // Tails, degrees, core numbers, also by vertex, and the queue.
    let peeling = 4 * edges + 12 * ranks + 8 * queue_places(edges, ranks);
    8 * ranks + sorting.max(peeling) + REST
}

/// Places of the queue: one for each vertex, and one for each further part of its neighbours.
pub fn queue_places(edges: u64, ranks: u64) -> u64 {
    ranks + 2 * edges / u64::from(CHUNK)
}

/// The rounds after which the CPU takes over the peeling of a graph with these numbers of edges and vertices. A path goes from its ends, two vertices a round.
///
/// A round takes about 6 µs on an H100, and the CPU 4 to 25 ns for a vertex or an edge. More rounds than these take longer there than what is
/// left to gain.
pub fn most_rounds(edges: u64, ranks: u64) -> u64 {
    LEAST_ROUNDS + (edges + ranks) / WORK_OF_ROUND
}

const LEAST_ROUNDS: u64 = 1 << 11;
const WORK_OF_ROUND: u64 = 1 << 12;

/// Chooses who finds the core numbers of a graph with `free` bytes of device memory beside it. O(1).
pub fn core_peeler(edges: u64, ranks: u64, free: u64) -> Chosen<CorePeeler> {
    Rules::within(free)
        .rule("the GPU", CorePeeler::Gpu, core_bytes(edges, ranks), Vec::new())
        .or("the CPU", CorePeeler::Host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_finds_core_numbers_where_they_fit() {
        for (edges, ranks) in [(1_000_000, 10), (10, 1_000_000), (1, 2)] {
            let needed = core_bytes(edges, ranks);
            assert_eq!(core_peeler(edges, ranks, needed).choice, CorePeeler::Gpu);
            assert_eq!(core_peeler(edges, ranks, needed - 1).choice, CorePeeler::Host);
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
}
