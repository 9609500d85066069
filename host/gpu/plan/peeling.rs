//! Whether a GPU peels cores and trusses, or the CPU.

use super::memory::{REST, sort_scratch_bytes};
use tribin_plan::reason::{Chosen, Reason, Rules};

/// Most edges whose rows of both directions have 32-bit places.
pub const MOST_EDGES_OF_ROWS: u64 = (1 << 31) - 1;

/// Who peels a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peeler {
    /// The GPU.
    Gpu,
    /// The CPU, which needs no memory of the GPU.
    Host,
}

/// Chooses who finds the core numbers of a graph where a GPU takes `needed` bytes for that, and has `free` bytes of device memory beside
/// the graph. O(1).
pub fn core_peeler(needed: u64, free: u64) -> Chosen<Peeler> {
    Rules::within(free).rule("the GPU", Peeler::Gpu, needed, Vec::new()).or("the CPU", Peeler::Host)
}

/// Chooses who peels the trusses of a graph, with `free` bytes of device memory beside it. O(1).
pub fn truss_peeler(edges: u64, ranks: u64, free: u64) -> Chosen<Peeler> {
    let placed = vec![Reason::whole_at_most(edges, "edges", MOST_EDGES_OF_ROWS)];
    Rules::within(free)
        .rule("the GPU", Peeler::Gpu, truss_bytes(edges, ranks), placed)
        .or("the CPU", Peeler::Host)
}

/// Bytes of device memory that a peeling of trusses takes beside the graph at most, with the support and the result.
pub fn truss_bytes(edges: u64, ranks: u64) -> u64 {
    // The result, and what is left of the graph: its edges, where they were, and their support.
    let left = 20 * edges + 8 * ranks;
    // The keys of the rows of both directions, twice; then the rows, parts, rounds and the queue.
    let sorting = 32 * edges + sort_scratch_bytes(2 * edges);
    left + sorting.max(40 * edges) + 8 * ranks + REST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_peels_what_fits_it() {
        let rows = truss_bytes(1_000, 100);
        for (edges, free, expected) in [
            (1_000, rows, Peeler::Gpu),
            (1_000, rows - 1, Peeler::Host),
            (MOST_EDGES_OF_ROWS, u64::MAX / 2, Peeler::Gpu),
            // Places in rows have 32 bits.
            (MOST_EDGES_OF_ROWS + 1, u64::MAX / 2, Peeler::Host),
        ] {
            assert_eq!(truss_peeler(edges, 100, free).choice, expected, "{edges} {free}");
        }
        let why = truss_peeler(1_000, 100, rows - 1).rejected[0].because[0].to_string();
        assert_eq!(why, format!("{rows} bytes beside the graph, at most {}", rows - 1));
        assert_eq!(core_peeler(5, 5).choice, Peeler::Gpu);
        assert_eq!(core_peeler(5, 4).choice, Peeler::Host);
    }
}
