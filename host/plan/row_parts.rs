//! How a graph is counted that device memory does not hold: how many of its rows are there at a time.
//!
//! The rows of consecutive ranks are a part. One part after the other is in device memory, and all rows behind it come
//! past, some at a time: a piece. So (p + 1) / 2 times the graph is copied for p parts, as out of core
//! (`host/out_of_core/mod.rs` says why parts are ranges of ranks).

use std::ops::Range;

use super::bytes::{ROUNDING, countable};
use super::reason::{Decision, Reason, Rejected};
use super::task::Task;

/// Most bytes of a piece: a copy of this many takes some milliseconds, and so is no longer held up by its launches.
const LARGEST_PIECE: u64 = 256 << 20;

/// What share of the memory is a piece's: the larger it is, the more parts there are.
const PIECES: u64 = 8;

/// Most words of a part or a piece, so that 32 bits have their places.
const MOST_WORDS: u64 = (1 << 32) - 2;

impl Task {
    fn counter_of_an_edge(self) -> u64 {
        if self == Task::OnEdges { 4 } else { 0 }
    }

    /// Bytes of `rows` rows of a part with `edges` edges: the heads and two more, and where each row begins and the last
    /// ends.
    pub fn part_bytes(self, rows: u64, edges: u64) -> u64 {
        let (rows, edges) = (countable(rows), countable(edges));
        4 * (edges + 2) + 4 * (rows + 1) + self.counter_of_an_edge() * edges
    }

    /// Bytes of `rows` rows of a piece with `edges` edges: the same, and the row of each edge.
    pub fn piece_bytes(self, rows: u64, edges: u64) -> u64 {
        let (rows, edges) = (countable(rows), countable(edges));
        8 * edges + 4 * (rows + 1) + self.counter_of_an_edge() * edges
    }

    /// Bytes that are in device memory beside part and pieces.
    fn rest(self, ranks: u64) -> u64 {
        ROUNDING + if self == Task::AtVertices { 8 * countable(ranks) } else { 0 }
    }
}

/// Some rows of an oriented graph, and the edges that are in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowCounts {
    /// Rows.
    pub rows: u64,
    /// Edges.
    pub edges: u64,
}

/// The facts that the sizes of parts of rows depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowPartFacts {
    /// The task whose results are found.
    pub task: Task,
    /// Ranks.
    pub ranks: u64,
    /// Edges of the oriented graph.
    pub edges: u64,
    /// Most rows and most edges of what is not cut: of a row, or of a chunk of a file.
    pub unit: RowCounts,
    /// Bytes that the whole graph takes on the device.
    pub whole: u64,
    /// Bytes of device memory that may be used.
    pub free: u64,
    /// Edges and rows of a piece at most, so that host memory has it.
    pub piece_on_host: u64,
}

/// The sizes of what is in device memory at a time, of a graph that is not there as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowParts {
    /// What they follow from.
    pub facts: RowPartFacts,
    /// Bytes of a part, at most.
    pub part: u64,
    /// Bytes of a piece, at most.
    pub piece: u64,
}

impl RowParts {
    /// The sizes for a graph, or the bytes of device memory that it needs at least. Both have room for the longest row. O(1).
    pub fn new(facts: &RowPartFacts) -> Result<RowParts, u64> {
        let RowPartFacts { task, ranks, unit, free, .. } = *facts;
        let part = task.part_bytes(unit.rows, unit.edges);
        let piece = task.piece_bytes(unit.rows, unit.edges);
        let rest = task.rest(ranks);
        let needed = rest.saturating_add(part + piece);
        if free < needed {
            return Err(needed);
        }
        let usable = free - rest;
        let piece = (usable / PIECES).min(LARGEST_PIECE).max(piece);
        Ok(RowParts { facts: *facts, part: usable - piece, piece })
    }

    /// Bytes of device memory at the peak, at most.
    pub fn bytes(&self) -> u64 {
        let RowPartFacts { task, ranks, edges, .. } = self.facts;
        let part = self.part.min(task.part_bytes(ranks, edges));
        task.rest(ranks) + part + self.piece.min(task.piece_bytes(ranks, edges))
    }

    /// How many parts there are, about: rows are not cut.
    pub fn parts(&self) -> u64 {
        let RowPartFacts { task, ranks, edges, .. } = self.facts;
        task.part_bytes(ranks, edges).div_ceil(self.part.max(1)).max(1)
    }

    /// Bytes that are copied to the device, about: each part, and the rows behind it.
    pub fn copied(&self) -> u64 {
        let all = Task::Count.part_bytes(self.facts.ranks, self.facts.edges);
        all.saturating_mul(self.parts() + 1) / 2
    }

    /// The decision to count the graph in `parts` parts, as it is printed.
    pub fn decision(&self, parts: u64) -> Decision {
        let RowPartFacts { whole: needed, free, .. } = self.facts;
        let within_free = |bytes| Reason::whole_at_most(bytes, "bytes of device memory", free);
        let mut rejected = vec![Rejected { name: "all", because: vec![within_free(needed)] }];
        // Out of core one part is as good.
        rejected.retain(|_| needed > free);
        Decision {
            question: "rows on the GPU at a time",
            choice: format!("one of {parts} parts"),
            because: vec![within_free(self.bytes())],
            rejected,
        }
    }

    /// The end of the part that begins with the first of these units. `before` tells how many rows and edges stand before a unit.
    pub fn end_of_part(&self, before: impl Fn(usize) -> RowCounts, units: Range<usize>) -> usize {
        let fits = |rows, edges| self.facts.task.part_bytes(rows, edges) <= self.part;
        end_of_units(before, units, fits)
    }

    /// The end of the piece that begins with the first of these units.
    pub fn end_of_piece(&self, before: impl Fn(usize) -> RowCounts, units: Range<usize>) -> usize {
        let fits = |rows, edges| {
            let is_small = self.facts.task.piece_bytes(rows, edges) <= self.piece;
            is_small && rows + edges <= self.facts.piece_on_host
        };
        end_of_units(before, units, fits)
    }
}

/// The end of as many units from the first on as fit together. One is taken always. O(log units).
fn end_of_units(
    before: impl Fn(usize) -> RowCounts,
    units: Range<usize>,
    fits: impl Fn(u64, u64) -> bool,
) -> usize {
    let first = before(units.start);
    let fits = |end: usize| {
        let before = before(end);
        let (rows, edges) = (before.rows - first.rows, before.edges - first.edges);
        edges.max(rows) <= MOST_WORDS && fits(rows, edges)
    };
    // The last end that fits.
    let (mut low, mut high) = (units.start + 1, units.end + 1);
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        match fits(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: RowPartFacts = RowPartFacts {
        task: Task::Count,
        ranks: 1000,
        edges: 1 << 20,
        unit: RowCounts { rows: 1, edges: 2000 },
        whole: 9 << 20,
        free: 1 << 20,
        piece_on_host: u64::MAX,
    };

    #[test]
    fn sizes_have_room_for_the_longest_row() {
        for (task, beside) in [(Task::Count, 0), (Task::AtVertices, 8 * 1000), (Task::OnEdges, 0)] {
            let rest = ROUNDING + beside;
            let (part, piece) = (task.part_bytes(1, 2000), task.piece_bytes(1, 2000));
            let needed = rest + part + piece;
            let sized = |part, piece| Ok((part, piece));
            for (free, expected) in [
                (0, Err(needed)),
                (needed - 1, Err(needed)),
                (needed, sized(part, piece)),
                (rest + PIECES * piece, sized(7 * piece, piece)),
                (rest + (8 << 20), sized(7 << 20, 1 << 20)),
                (rest + (16 << 30), sized((16 << 30) - LARGEST_PIECE, LARGEST_PIECE)),
            ] {
                let facts = RowPartFacts { task, free, ..FACTS };
                let sizes = RowParts::new(&facts);
                assert_eq!(sizes.map(|sizes| (sizes.part, sizes.piece)), expected, "{free}");
                assert!(sizes.is_err() || sizes.unwrap().bytes() <= free);
            }
        }
    }

    #[test]
    fn parts_are_as_long_as_they_fit() {
        // Rows of 0, 1, 2, 3 and 4 edges.
        let offsets = [0, 0, 1, 3, 6, 10];
        let before = |unit: usize| RowCounts { rows: unit as u64, edges: offsets[unit] };
        for task in [Task::Count, Task::AtVertices, Task::OnEdges] {
            let cut = |room: u64| {
                let facts = RowPartFacts { task, ..FACTS };
                let parts = RowParts { facts, part: room, piece: room };
                let mut ends = vec![0];
                while ends[ends.len() - 1] < 5 {
                    ends.push(parts.end_of_part(before, ends[ends.len() - 1]..5));
                }
                ends
            };
            assert_eq!(cut(task.part_bytes(5, 10)), [0, 5]);
            assert_eq!(cut(task.part_bytes(5, 10) - 1), [0, 4, 5]);
            if task != Task::OnEdges {
                // Two rows of three edges take as much as one of four.
                assert_eq!(cut(task.part_bytes(1, 4)), [0, 2, 3, 4, 5]);
            } else {
                // Here three do.
                assert_eq!(cut(task.part_bytes(1, 4)), [0, 3, 4, 5]);
            }
            // A row is never cut.
            assert_eq!(cut(0), [0, 1, 2, 3, 4, 5]);
            // The end of the rows is one of a part.
            let facts = RowPartFacts { task, piece_on_host: 8, ..FACTS };
            let all = RowParts { facts, part: 1 << 20, piece: 1 << 20 };
            assert_eq!(all.end_of_part(before, 1..4), 4);
            // Host memory cuts pieces as well: rows 2 and 3 are two rows with five edges, and row 4 makes it more.
            assert_eq!(all.end_of_piece(before, 2..5), 4);
        }
    }

    #[test]
    fn the_decision_names_the_figures() {
        let sizes = RowParts::new(&FACTS).unwrap();
        assert_eq!(sizes.parts(), 5);
        let decision = sizes.decision(6);
        assert_eq!(decision.choice, "one of 6 parts");
        let because = &decision.rejected[0].because[0];
        assert_eq!(because.to_string(), "9437184 bytes of device memory, at most 1048576");
        let facts = RowPartFacts { whole: 1 << 20, ..FACTS };
        assert_eq!(RowParts { facts, ..sizes }.decision(1).rejected, []);
    }
}
