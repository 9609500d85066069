//! How a GPU finds the triangles of the edges that go while trusses are peeled: in lists, again from the rows, or not
//! at all, where there is memory for neither.

use super::limits::triangle_lists::CHUNK;
use super::memory::{REST, sort_scratch_bytes};
use super::reason::{Chosen, Reason, Rules};

/// Most edges whose rows of both directions have 32-bit places.
pub const MOST_EDGES_OF_ROWS: u64 = (1 << 31) - 1;

/// Most triangles that are listed where there is room to find them again: on an H200 lists take 103 ms for the 424
/// million of rmat20 and finding them again 109, 563 and 474 for the 2,109 million of rmat22.
pub const MOST_LISTED: u64 = 1 << 29;

/// Least triangles that are listed, in thousandths of the edges: lists look at every edge, and finding triangles again
/// at those on a triangle. On an H200 lists take 14.0 ms and finding again 4.1 for er22 (0.07 thousandths), 8.0 and
/// 8.7 for `ba` (356).
pub const LEAST_LISTED_PERMILLE: u32 = 10;

/// Most triangles left that are listed in the middle of a peeling: rmat20 takes 102 ms if lists are made of the last 224
/// million, and 105 without.
pub const MOST_LISTED_LEFT: u64 = 1 << 28;

/// The way in which the triangles of the edges that go are found, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peeler {
    /// The GPU, in lists of all triangles.
    Lists,
    /// The GPU, again from the rows of both ends; from lists once at most [`MOST_LISTED_LEFT`] triangles are left, and
    /// their lists fit this many bytes beside the graph.
    Rows {
        /// Bytes of device memory; with 0 there are never lists.
        memory: u64,
    },
    /// The CPU, which needs no memory of the GPU.
    Host,
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

/// Most entries of lists (three a triangle) that are made when `left` of `edges` edges are left, and lists may take
/// `memory` bytes.
pub fn entries_to_list(memory: u64, edges: u64, left: u64, ranks: u64) -> u64 {
    let beside = 4 * edges + 12 * left + 8 * ranks + list_bytes(left, 0);
    // 8 bytes an entry, and 16 for each part of the queue.
    (memory.saturating_sub(beside) * 2 / 17).min(3 * MOST_LISTED_LEFT)
}

/// Chooses how trusses are peeled with `free` bytes of device memory beside the graph. O(1).
pub fn peeler(edges: u64, ranks: u64, triangles: u64, free: u64) -> Chosen<Peeler> {
    let few = vec![
        Reason::whole_at_most(triangles, "triangles", MOST_LISTED),
        Reason::share(triangles, edges, "as many triangles as edges", LEAST_LISTED_PERMILLE),
    ];
    let placed = vec![Reason::whole_at_most(edges, "edges", MOST_EDGES_OF_ROWS)];
    let (lists, rows) = (list_bytes(edges, 3 * triangles), row_bytes(edges, ranks));
    Rules::within(free)
        .rule("lists of triangles", Peeler::Lists, lists, few)
        .rule("triangles found again", Peeler::Rows { memory: free }, rows, placed)
        .rule("lists of triangles after all", Peeler::Lists, lists, Vec::new())
        .or("the CPU", Peeler::Host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_peeler_takes_what_fits_it() {
        let lists = list_bytes(1_000, 30_000);
        let rows = row_bytes(1_000, 100);
        assert!(rows < lists, "{rows} {lists}");
        // Fewer triangles than a hundredth of the edges: lists take less.
        let few = list_bytes(1_000, 27);
        assert!(few < rows, "{few} {rows}");
        for (triangles, free, expected) in [
            (10_000, lists, Peeler::Lists),
            (10_000, lists - 1, Peeler::Rows { memory: lists - 1 }),
            (10, rows, Peeler::Lists),
            (9, rows, Peeler::Rows { memory: rows }),
            (9, rows - 1, Peeler::Lists),
            (9, few, Peeler::Lists),
            (9, few - 1, Peeler::Host),
            (1 << 40, rows, Peeler::Rows { memory: rows }),
            (1 << 40, rows - 1, Peeler::Host),
        ] {
            let found = peeler(1_000, 100, triangles, free);
            assert_eq!(found.choice, expected, "{triangles} {free}");
        }
        let found = peeler(1_000, 100, 10_000, lists - 1);
        assert_eq!(found.name, "triangles found again");
        let why = &found.rejected[0].because[0];
        assert_eq!(
            why.to_string(),
            format!("{lists} bytes beside the graph, at most {}", lists - 1)
        );
    }

    #[test]
    fn many_triangles_are_found_again() {
        let free = u64::MAX / 2;
        for (triangles, expected) in
            [(MOST_LISTED, Peeler::Lists), (MOST_LISTED + 1, Peeler::Rows { memory: free })]
        {
            let found = peeler(1_000_000, 1_000, triangles, free);
            assert_eq!(found.choice, expected, "{triangles}");
        }
        let found = peeler(1_000_000, 1_000, MOST_LISTED + 1, free);
        let why = &found.rejected[0].because[0];
        assert_eq!(why.to_string(), "536870913 triangles, at most 536870912");
    }

    #[test]
    fn places_in_rows_have_32_bits() {
        let free = u64::MAX / 2;
        for (edges, expected) in [
            (MOST_EDGES_OF_ROWS, Peeler::Rows { memory: free }),
            (MOST_EDGES_OF_ROWS + 1, Peeler::Lists),
        ] {
            assert_eq!(peeler(edges, 100, 1 << 40, free).choice, expected, "{edges}");
        }
    }

    #[test]
    fn listed_entries_fit_and_more_would_not() {
        for memory in [1 << 21, 3_000_017, 1 << 30] {
            let entries = entries_to_list(memory, 2_000, 1_000, 100);
            let beside = 4 * 2_000 + 12 * 1_000 + 8 * 100;
            assert!(list_bytes(1_000, entries) + beside <= memory);
            // The queue's parts are whole.
            assert!(list_bytes(1_000, entries + 64) + beside > memory);
        }
        assert_eq!(entries_to_list(0, 2_000, 1_000, 100), 0);
        assert_eq!(entries_to_list(1 << 50, 2_000, 1_000, 100), 3 * MOST_LISTED_LEFT);
    }
}
