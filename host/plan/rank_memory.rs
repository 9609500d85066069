//! How many bytes of host memory a rank takes, where several processes count a graph together, and whether it holds all
//! rows at once.

use super::bytes::countable;
use super::host_memory::{HOST_REST, HOST_THREAD, HostMemory};

/// The facts that the memory of a rank follows from.
#[derive(Debug, Clone, Copy)]
pub struct RankFacts {
    /// Entries of the whole graph, without self-loops.
    pub entries: u64,
    /// Entries of the rank that has read the most.
    pub most_entries: u64,
    /// One more than the largest vertex.
    pub vertices: u64,
    /// Whether ids are numbered.
    pub is_numbered: bool,
    /// Processes.
    pub ranks: u32,
    /// CPU threads of a process.
    pub threads: usize,
}

/// Bytes of host memory at the peak of a rank, predicted.
///
/// | when | bytes an entry that it reads | of its share of the rows | of the graph | a vertex |
/// | --- | --- | --- | --- | --- |
/// | ids are numbered | 24 to 72 | | | |
/// | entries are sent | 8 to 16 | 8 to 16 | | 20 |
/// | rows are sorted | | 16 to 20 | | 24 |
/// | rows are gathered | | 4 | 4 to 8 | 28 |
///
/// The larger figures are those where all others send before this one takes. Where the rows come by in pieces, the last
/// line has a piece in the place of the graph.
pub fn on_a_rank(facts: &RankFacts, piece: Option<u64>) -> HostMemory {
    let RankFacts { is_numbered, ranks, threads, .. } = *facts;
    let [entries, own, vertices] =
        [facts.entries, facts.most_entries, facts.vertices].map(countable);
    let beside = HOST_REST + threads as u64 * HOST_THREAD;
    let share = entries.div_ceil(ranks.max(1).into());
    let number = |bytes: u64| if is_numbered { bytes * own } else { 0 };
    let gathered = piece.unwrap_or(entries).min(entries);
    HostMemory {
        // Half of the entries may be duplicates.
        least: number(24).max(8 * own + 20 * vertices).max(2 * gathered + 20 * vertices)
            + beside / 2,
        most: number(72)
            .max((16 * own).max(8 * own + 16 * share) + 20 * vertices)
            .max(20 * share + 24 * vertices)
            .max(4 * share + 8 * gathered + 28 * vertices)
            + beside,
    }
}

/// Edges of a piece of the rows, at least. Each piece is an exchange, and a row is not cut.
const LEAST_PIECE: u64 = 1 << 16;

/// Memory that a rank may take.
#[derive(Debug, Clone, Copy)]
pub struct RankLimit {
    /// The bytes.
    pub bytes: u64,
    /// Whether the user named it.
    pub asked: bool,
}

impl RankLimit {
    /// What is compared with the limit: what is free is not all for one program, and a prediction may be too high.
    fn needed(self, memory: HostMemory) -> u64 {
        if self.asked { memory.most } else { memory.least }
    }

    /// How many edges of the rows come by at a time; `None` where a rank has memory for all of them at once. An error is
    /// the bytes that it needs at least. O(1).
    pub fn piece(self, facts: &RankFacts) -> Result<Option<u64>, u64> {
        if self.needed(on_a_rank(facts, None)) <= self.bytes {
            return Ok(None);
        }
        let least = self.needed(on_a_rank(facts, Some(LEAST_PIECE)));
        if least > self.bytes {
            return Err(least);
        }
        // The piece, and bits of its longest rows.
        Ok(Some(LEAST_PIECE + (self.bytes - least) / 16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_ranks_take_less_each_down_to_the_graph() {
        let facts = |ranks, own| RankFacts {
            entries: 1 << 30,
            most_entries: own,
            vertices: 1 << 25,
            is_numbered: false,
            ranks,
            threads: 1,
        };
        let most = |ranks: u32| on_a_rank(&facts(ranks, (1 << 30) / u64::from(ranks)), None).most;
        let gib = |bytes: u64| bytes >> 30;
        assert_eq!([1, 2, 4, 64].map(most).map(gib), [24, 12, 9, 8]);
        // A single file that one rank reads alone.
        assert_eq!(gib(on_a_rank(&facts(4, 1 << 30), None).most), 16);
        for ranks in 1..9 {
            let HostMemory { least, most } = on_a_rank(&facts(ranks, 1 << 28), None);
            assert!(least < most && most < 8 * least, "{least} {most}");
        }
        // In pieces a rank has its share of the rows, and 28 bytes a vertex.
        let in_pieces = |ranks: u32| {
            on_a_rank(&facts(ranks, (1 << 30) / u64::from(ranks)), Some(LEAST_PIECE)).most
        };
        assert_eq!([1, 2, 4, 64].map(in_pieces).map(gib), [24, 12, 6, 1]);
    }

    /// What a header says may be any number.
    #[test]
    fn no_number_of_entries_or_vertices_is_too_large() {
        const MOST: u64 = 1 << 54;
        let facts = RankFacts {
            entries: u64::MAX,
            most_entries: u64::MAX,
            vertices: u64::MAX,
            is_numbered: true,
            ranks: 2,
            threads: 2,
        };
        let beside = HOST_REST + 2 * HOST_THREAD;
        assert_eq!(on_a_rank(&facts, None).most, 72 * MOST + beside);
        let least = 28 * MOST + beside / 2;
        let limit = RankLimit { bytes: 1 << 40, asked: false };
        assert_eq!(limit.piece(&facts), Err(least));
    }

    /// Rows come by in pieces on one side of each border, and not on the other.
    #[test]
    fn rows_come_by_in_pieces_where_not_all_fit() {
        let facts = RankFacts {
            entries: 1 << 26,
            most_entries: 1 << 20,
            vertices: 1 << 20,
            is_numbered: false,
            ranks: 64,
            threads: 2,
        };
        let (whole, least) = (on_a_rank(&facts, None), on_a_rank(&facts, Some(LEAST_PIECE)));
        for (asked, whole, least) in
            [(true, whole.most, least.most), (false, whole.least, least.least)]
        {
            let piece = |bytes| RankLimit { bytes, asked }.piece(&facts);
            assert_eq!(piece(whole), Ok(None));
            assert_eq!(piece(whole - 1), Ok(Some(LEAST_PIECE + (whole - 1 - least) / 16)));
            assert_eq!(piece(least), Ok(Some(LEAST_PIECE)));
            assert_eq!(piece(least - 1), Err(least));
        }
    }
}
