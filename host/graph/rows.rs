//! The rows of some ranks of an oriented graph.

use std::ops::Range;

/// Cuts rows into ranges of at most `most` edges, where a row alone has no more. Row `i` has the edges from `offsets[i]` to before
/// `offsets[i + 1]`. O(ranges · log rows).
pub fn by_edges(offsets: &[u64], most: u64) -> Vec<Range<u32>> {
    let mut ranges = Vec::new();
    let mut first = 0;
    while first + 1 < offsets.len() {
        let most = offsets[first] + most;
        let end = offsets.partition_point(|&offset| offset <= most) - 1;
        let end = end.max(first + 1);
        ranges.push(first as u32..end as u32);
        first = end;
    }
    ranges
}

/// Rows of consecutive ranks, in memory: all of a graph's, or a part of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowRange {
    /// The first rank.
    pub first: u32,
    /// Where each row begins in `heads`, and the end of the last. Something else may stand before the first.
    pub offsets: Vec<u64>,
    /// The rows, one after another.
    pub heads: Vec<u32>,
}

impl RowRange {
    /// The ranks whose rows these are.
    #[inline(always)]
    pub fn ranks(&self) -> Range<u32> {
        self.first..self.first + self.offsets.len().saturating_sub(1) as u32
    }

    /// The heads of one of these ranks, ascending, all below it.
    #[inline(always)]
    pub fn row(&self, rank: u32) -> &[u32] {
        let at = (rank - self.first) as usize;
        &self.heads[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    /// The places of a row, of whichever part, from the second on whose heads' rows these are.
    #[inline(always)]
    pub fn places_in(&self, row: &[u32]) -> Range<usize> {
        let Range { start, end } = self.ranks();
        if start == 0 && row.last().is_none_or(|&last| last < end) {
            return 1..row.len();
        }
        let from = row.partition_point(|&head| head < start);
        let to = from + row[from..].partition_point(|&head| head < end);
        from.max(1)..to
    }

    /// The place of the first head of one of these ranks among the heads of all rows.
    #[inline(always)]
    pub fn first_place(&self, rank: u32) -> usize {
        (self.offsets[(rank - self.first) as usize] - self.offsets[0]) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_cut_by_edges_and_never_within() {
        // Rows of 2, 0, 5, 1 and 0 edges.
        let offsets = [0, 2, 2, 7, 8, 8];
        assert_eq!(by_edges(&offsets, 2), [0..2, 2..3, 3..5]);
        assert_eq!(by_edges(&offsets, 7), [0..3, 3..5]);
        assert_eq!(by_edges(&offsets, 8).len(), 1);
        assert_eq!(by_edges(&[0], 8), []);
        assert_eq!(by_edges(&[], 8), []);
    }
}
