//! How a graph is counted that device memory does not hold: how many of its rows are there at a time.
//!
//! The rows of consecutive ranks are a part. One part after the other is in device memory, and all rows behind it come
//! past, some at a time: a piece. So (p + 1) / 2 times the graph is copied for p parts, as out of core
//! (`host/out_of_core/mod.rs` says why parts are ranges of ranks).

use super::reason::{Decision, Reason, Rejected};

/// Bytes of totals, and of what allocations are rounded up by.
const REST: u64 = 64 << 10;

/// Most bytes of a piece: a copy of this many takes some milliseconds, and so is no longer held up by its launches.
const LARGEST_PIECE: u64 = 256 << 20;

/// What share of the memory is a piece's: the larger it is, the more parts there are.
const PIECES: u64 = 8;

/// Most words of a part or a piece, so that 32 bits have their places.
const MOST_WORDS: u64 = (1 << 32) - 2;

/// Bytes of `rows` rows of a part with `edges` edges: the heads and one more, and where each row begins and the last ends.
pub fn part_bytes(rows: u64, edges: u64) -> u64 {
    4 * (edges + 1) + 4 * (rows + 1)
}

/// Bytes of `rows` rows of a piece with `edges` edges: the same, and the row of each edge.
pub fn piece_bytes(rows: u64, edges: u64) -> u64 {
    8 * edges + 4 * (rows + 1)
}

/// What the sizes depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowPartFacts {
    /// Ranks.
    pub ranks: u64,
    /// Edges of the oriented graph.
    pub edges: u64,
    /// Edges of its longest row.
    pub longest_row: u64,
    /// Bytes that the whole graph takes on the device.
    pub whole: u64,
    /// Bytes of device memory that may be used.
    pub free: u64,
}

/// How much of a graph is in device memory at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowParts {
    /// Bytes of a part, at most.
    pub part: u64,
    /// Bytes of a piece, at most.
    pub piece: u64,
}

impl RowParts {
    /// The sizes for a graph, or the bytes of device memory that it needs at least. Both have room for the longest row. O(1).
    pub fn new(facts: &RowPartFacts) -> Result<RowParts, u64> {
        let (part, piece) = (part_bytes(1, facts.longest_row), piece_bytes(1, facts.longest_row));
        let needed = REST + part + piece;
        if facts.free < needed {
            return Err(needed);
        }
        let usable = facts.free - REST;
        let piece = (usable / PIECES).min(LARGEST_PIECE).max(piece);
        Ok(RowParts { part: usable - piece, piece })
    }

    /// Bytes of device memory at the peak, at most.
    pub fn bytes(&self, facts: &RowPartFacts) -> u64 {
        let RowPartFacts { ranks, edges, .. } = *facts;
        let part = self.part.min(part_bytes(ranks, edges));
        REST + part + self.piece.min(piece_bytes(ranks, edges))
    }

    /// How many parts there are, about: rows are not cut.
    pub fn parts(&self, facts: &RowPartFacts) -> u64 {
        part_bytes(facts.ranks, facts.edges).div_ceil(self.part).max(1)
    }

    /// Bytes that are copied to the device, about.
    pub fn copied(&self, facts: &RowPartFacts) -> u64 {
        let all = part_bytes(facts.ranks, facts.edges);
        all.saturating_add(all.saturating_mul(self.parts(facts) + 1) / 2)
    }

    /// Why the graph is counted so, in `parts` parts, as it is printed.
    pub fn decision(&self, facts: &RowPartFacts, parts: u64) -> Decision {
        let whole = Reason::whole_at_most(facts.whole, "bytes of device memory", facts.free);
        Decision {
            question: "rows on the GPU at a time",
            choice: format!("one of {parts} parts"),
            because: vec![Reason::whole_at_most(
                self.bytes(facts),
                "bytes of device memory",
                facts.free,
            )],
            rejected: vec![Rejected { name: "all", because: vec![whole] }],
        }
    }
}

/// The end of as many rows from rank `first` on as there is `room` for, where `bytes` tells what rows take. One row is
/// taken always. `offsets` has where each row starts, and where the last one ends. O(log ranks).
fn end_of_rows(offsets: &[u64], first: usize, room: u64, bytes: fn(u64, u64) -> u64) -> usize {
    let fits = |end: usize| {
        let edges = offsets[end] - offsets[first];
        let rows = (end - first) as u64;
        edges.max(rows) <= MOST_WORDS && bytes(rows, edges) <= room
    };
    // The last end that fits.
    let (mut low, mut high) = (first + 1, offsets.len());
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        match fits(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

impl RowParts {
    /// The end of the part that begins with rank `first`.
    pub fn end_of_part(&self, offsets: &[u64], first: usize) -> usize {
        end_of_rows(offsets, first, self.part, part_bytes)
    }

    /// The end of the piece that begins with rank `first`.
    pub fn end_of_piece(&self, offsets: &[u64], first: usize) -> usize {
        end_of_rows(offsets, first, self.piece, piece_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: RowPartFacts = RowPartFacts {
        ranks: 1000,
        edges: 1 << 20,
        longest_row: 2000,
        whole: 9 << 20,
        free: 1 << 20,
    };

    #[test]
    fn sizes_have_room_for_the_longest_row() {
        let (part, piece) = (part_bytes(1, 2000), piece_bytes(1, 2000));
        let needed = REST + part + piece;
        for (free, expected) in [
            (0, Err(needed)),
            (needed - 1, Err(needed)),
            (needed, Ok(RowParts { part, piece })),
            (REST + PIECES * piece, Ok(RowParts { part: 7 * piece, piece })),
            (REST + (8 << 20), Ok(RowParts { part: 7 << 20, piece: 1 << 20 })),
            (
                REST + (16 << 30),
                Ok(RowParts { part: (16 << 30) - LARGEST_PIECE, piece: LARGEST_PIECE }),
            ),
        ] {
            let sizes = RowParts::new(&RowPartFacts { free, ..FACTS });
            assert_eq!(sizes, expected, "{free}");
            assert!(sizes.is_err() || sizes.unwrap().bytes(&FACTS) <= free);
        }
    }

    #[test]
    fn parts_are_as_long_as_they_fit() {
        // Rows of 0, 1, 2, 3 and 4 edges.
        let offsets = [0, 0, 1, 3, 6, 10];
        let cut = |room: u64| {
            let parts = RowParts { part: room, piece: room };
            let mut ends = vec![0];
            while ends[ends.len() - 1] < 5 {
                ends.push(parts.end_of_part(&offsets, ends[ends.len() - 1]));
            }
            ends
        };
        assert_eq!(cut(part_bytes(5, 10)), [0, 5]);
        assert_eq!(cut(part_bytes(5, 10) - 1), [0, 4, 5]);
        assert_eq!(cut(part_bytes(1, 4)), [0, 2, 3, 4, 5]);
        // A row is never cut.
        assert_eq!(cut(0), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn the_decision_names_the_figures() {
        let sizes = RowParts::new(&FACTS).unwrap();
        assert_eq!(sizes.parts(&FACTS), 5);
        let decision = sizes.decision(&FACTS, 6);
        assert_eq!(decision.choice, "one of 6 parts");
        let because = &decision.rejected[0].because[0];
        assert_eq!(because.to_string(), "9437184 bytes of device memory, at most 1048576");
    }
}
