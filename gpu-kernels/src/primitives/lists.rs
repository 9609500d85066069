use core::ops::Range;

use warpwise_device::memory::In;
use warpwise_device::parameters;

parameters! {
    /// An oriented graph. Edges lead from the larger rank to the smaller. They are in the order of their tails, and those of a tail in the
    /// order of their heads.
    pub struct Oriented {
        /// The larger rank of each edge.
        pub tails: In<u32>,
        /// The smaller rank of each edge.
        pub heads: In<u32>,
        /// The first place of each rank's edges in the low half of a word, and one past the last in the high half; 0 for a rank without.
        pub rows: In<u64>,
    }
}

/// The places of a rank's edges.
#[inline(always)]
pub fn row_of(rows: In<u64>, rank: u32) -> Range<u32> {
    let row = rows.get(u64::from(rank));
    row as u32..(row >> 32) as u32
}

/// The two lists of an edge u → a, as places of entries. A third vertex of a triangle on the edge is in both.
#[derive(Clone)]
pub struct Lists {
    /// What is before the edge in u's row.
    pub prefix: Range<u32>,
    /// The row of a.
    pub row: Range<u32>,
}

impl Lists {
    /// Two lists without entries.
    pub const NONE: Lists = Lists { prefix: 0..0, row: 0..0 };

    /// The lists of the edge at place `i`, both of which are asked for at once.
    #[inline(always)]
    pub fn at_once(graph: Oriented, i: u32) -> Lists {
        let prefix = row_of(graph.rows, graph.tails.get(u64::from(i))).start..i;
        Lists { prefix, row: row_of(graph.rows, graph.heads.get(u64::from(i))) }
    }

    /// The lists of the edge at place `i`: the row only if there is a prefix.
    #[inline(always)]
    pub fn of(graph: Oriented, i: u32) -> Lists {
        let place = u64::from(i);
        let prefix = row_of(graph.rows, graph.tails.get(place)).start..i;
        // The first edge of a row has no prefix, and the other row is not asked for: 15% of the time of a merge on a
        // grid, where rows are short, and nothing lost elsewhere.
        let row = if prefix.start < i { row_of(graph.rows, graph.heads.get(place)) } else { 0..0 };
        Lists { prefix, row }
    }

    /// The list with fewer entries, and the other.
    #[inline(always)]
    pub fn shorter_first(self) -> [Range<u32>; 2] {
        let Lists { prefix, row } = self;
        if prefix.end - prefix.start <= row.end - row.start { [prefix, row] } else { [row, prefix] }
    }

    /// The places of the next entry that is in both lists, the prefix of `prefixes` and the row of `rows`. They go on behind it; `None` at the end
    /// of one of them.
    #[inline(always)]
    pub fn next_shared(&mut self, prefixes: In<u32>, rows: In<u32>) -> Option<[u32; 2]> {
        while self.prefix.start < self.prefix.end && self.row.start < self.row.end {
            let places = [self.prefix.start, self.row.start];
            let (a, b) = (prefixes.get(u64::from(places[0])), rows.get(u64::from(places[1])));
            self.prefix.start += u32::from(a <= b);
            self.row.start += u32::from(b <= a);
            if a == b {
                return Some(places);
            }
        }
        None
    }
}
