//! The two lists of an edge, and what they share.

use tribin_device::memory::In;

/// The part of a row before an edge, among the rows that come past; and the row of the edge's head, in the part.
pub struct Lists {
    pub prefix: u32,
    pub prefix_end: u32,
    pub row: u32,
    pub row_end: u32,
}

impl Lists {
    /// Those of the edge at place `i`, of row `tail`; `None` if the part does not have the row of its head.
    #[inline(always)]
    pub fn of(
        (heads, starts, base): (In<u32>, In<u32>, u32),
        (part_starts, first_rank, rows): (In<u32>, u32, u64),
        tail: u32,
        i: u64,
    ) -> Option<Lists> {
        // Ranks below the first are 2³² above it, and beyond the last.
        let head = u64::from(heads.get(i).wrapping_sub(first_rank));
        if head >= rows {
            return None;
        }
        Some(Lists {
            prefix: starts.get(u64::from(tail)) - base,
            prefix_end: i as u32,
            row: part_starts.get(head),
            row_end: part_starts.get(head + 1),
        })
    }

    /// The places of the next entry that both lists have; `None` at the end of one of them.
    #[inline(always)]
    pub fn next_shared(&mut self, heads: In<u32>, part: In<u32>) -> Option<[u32; 2]> {
        while self.prefix < self.prefix_end && self.row < self.row_end {
            let places = [self.prefix, self.row];
            let (a, b) = (heads.get(u64::from(places[0])), part.get(u64::from(places[1])));
            self.prefix += u32::from(a <= b);
            self.row += u32::from(b <= a);
            if a == b {
                return Some(places);
            }
        }
        None
    }
}
