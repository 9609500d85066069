//! How many bytes of host memory a rank takes, where several processes count a graph together.

use super::host_memory::{HOST_REST, HOST_THREAD, HostMemory};

/// What a rank's memory follows from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RankFacts {
    /// Entries of the whole graph, without self-loops.
    pub entries: u64,
    /// Entries of the rank that has read the most.
    pub most_entries: u64,
    pub vertices: u64,
    /// Whether ids are numbered.
    pub is_numbered: bool,
    pub ranks: u32,
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
/// The larger figures are those where all others send before this one takes.
pub(crate) fn on_a_rank(facts: &RankFacts) -> HostMemory {
    let RankFacts { entries, most_entries: own, vertices, is_numbered, ranks, threads } = *facts;
    let beside = HOST_REST + threads as u64 * HOST_THREAD;
    let share = entries.div_ceil(ranks.max(1).into());
    let number = |bytes: u64| if is_numbered { bytes * own } else { 0 };
    HostMemory {
        // Half of the entries may be duplicates.
        least: number(24).max(8 * own + 20 * vertices).max(2 * entries + 20 * vertices)
            + beside / 2,
        most: number(72)
            .max((16 * own).max(8 * own + 16 * share) + 20 * vertices)
            .max(20 * share + 24 * vertices)
            .max(4 * share + 8 * entries + 28 * vertices)
            + beside,
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
        let most = |ranks: u32| on_a_rank(&facts(ranks, (1 << 30) / u64::from(ranks))).most;
        let gib = |bytes: u64| bytes >> 30;
        assert_eq!([1, 2, 4, 64].map(most).map(gib), [24, 12, 9, 8]);
        // A single file that one rank reads alone.
        assert_eq!(gib(on_a_rank(&facts(4, 1 << 30)).most), 16);
        for ranks in 1..9 {
            let HostMemory { least, most } = on_a_rank(&facts(ranks, 1 << 28));
            assert!(least < most && most < 8 * least, "{least} {most}");
        }
    }
}
