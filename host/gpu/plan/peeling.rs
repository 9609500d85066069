//! Whether a GPU peels cores and trusses, or the CPU, and when a GPU lists the triangles of the edges that are left.

use super::memory::{REST, sort_scratch_bytes};
use tribin_kernels::triangle_lists::CHUNK;
use tribin_plan::reason::{Chosen, Reason, Rules};

/// Most edges whose rows of both directions have 32-bit places.
pub const MOST_EDGES_OF_ROWS: u64 = (1 << 31) - 1;

/// Most triangles left that are listed: rmat20 takes 102 ms if lists are made of the last 224 million, and 105 without.
pub const MOST_LISTED_LEFT: u64 = 1 << 28;

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
        .rule("the GPU", Peeler::Gpu, row_bytes(edges, ranks), placed)
        .or("the CPU", Peeler::Host)
}

/// Bytes that lists of `entries` entries (three a triangle) and a peeling by them take beside the graph, with the
/// support and the result of `edges` edges.
pub fn list_bytes(edges: u64, entries: u64) -> u64 {
    // Support, lengths, ends, rounds and results; lists; and the queue.
    24 * edges + 8 * entries + 16 * (edges + entries / u64::from(CHUNK)) + REST
}

/// Bytes that a peeling from rows takes beside the graph at most, with the support and the result.
pub fn row_bytes(edges: u64, ranks: u64) -> u64 {
    // The result, and what is left of the graph: its edges, where they were, and their support.
    let left = 20 * edges + 8 * ranks;
    // The keys of the rows of both directions, twice; then the rows, parts, rounds and the queue.
    let sorting = 32 * edges + sort_scratch_bytes(2 * edges);
    left + sorting.max(40 * edges) + 8 * ranks + REST
}

/// Entries of the lists of `left` edges below which these are listed, with `memory` bytes beside a graph of `edges` edges. There are
/// the results, and the ends, support and places of `held` edges, and where the oriented rows of those left are.
pub fn entries_to_list(memory: u64, edges: u64, [left, held]: [u64; 2], ranks: u64) -> u64 {
    let beside = 4 * edges + 16 * held + 8 * ranks + list_bytes(left, 0);
    // Eight bytes an entry, and a half for its part of a queue.
    (memory.saturating_sub(beside) * 2 / 17).min(3 * MOST_LISTED_LEFT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_peels_what_fits_it() {
        let rows = row_bytes(1_000, 100);
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

    #[test]
    fn listed_entries_fit_and_more_would_not() {
        for memory in [1 << 21, 3_000_017, 1 << 30] {
            let entries = entries_to_list(memory, 2_000, [1_000, 1_500], 100);
            let beside = 4 * 2_000 + 16 * 1_500 + 8 * 100;
            assert!(list_bytes(1_000, entries) + beside <= memory);
            // The queue's parts are whole.
            assert!(list_bytes(1_000, entries + 64) + beside > memory);
        }
        assert_eq!(entries_to_list(0, 2_000, [1_000; 2], 100), 0);
        assert_eq!(entries_to_list(1 << 50, 2_000, [1_000; 2], 100), 3 * MOST_LISTED_LEFT);
    }
}
