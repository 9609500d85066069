//! The rows of some ranks of an oriented graph.

use std::ops::Range;

use super::OrientedGraph;

/// Rows of consecutive ranks: all of a graph's, or a part of them.
pub trait Rows: Sync {
    /// The ranks whose rows these are.
    fn ranks(&self) -> Range<u32>;

    /// The heads of one of these ranks, ascending, all below it.
    fn row(&self, rank: u32) -> &[u32];

    /// The places of a row, of whichever part, from the second on whose heads' rows these are.
    fn places_in(&self, row: &[u32]) -> Range<usize>;

    /// The place of the first head of one of these ranks among the heads of all.
    fn first_place(&self, rank: u32) -> usize;
}

impl Rows for OrientedGraph {
    #[inline(always)]
    fn ranks(&self) -> Range<u32> {
        0..self.vertices() as u32
    }

    #[inline(always)]
    fn row(&self, rank: u32) -> &[u32] {
        OrientedGraph::row(self, rank)
    }

    #[inline(always)]
    fn places_in(&self, row: &[u32]) -> Range<usize> {
        1..row.len()
    }

    #[inline(always)]
    fn first_place(&self, rank: u32) -> usize {
        self.offsets[rank as usize] as usize
    }
}

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

/// A part of the rows, in memory of its own.
#[derive(Debug, Default)]
pub struct RowRange {
    /// The first rank.
    pub first: u32,
    /// Where each row begins in `heads`, and the end of the last.
    pub offsets: Vec<u64>,
    /// The rows, one after another.
    pub heads: Vec<u32>,
}

impl Rows for RowRange {
    #[inline(always)]
    fn ranks(&self) -> Range<u32> {
        self.first..self.first + self.offsets.len().saturating_sub(1) as u32
    }

    #[inline(always)]
    fn row(&self, rank: u32) -> &[u32] {
        let at = (rank - self.first) as usize;
        &self.heads[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    #[inline(always)]
    fn places_in(&self, row: &[u32]) -> Range<usize> {
        let Range { start, end } = self.ranks();
        let from = row.partition_point(|&head| head < start);
        let to = from + row[from..].partition_point(|&head| head < end);
        from.max(1)..to
    }

    #[inline(always)]
    fn first_place(&self, rank: u32) -> usize {
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
