//! Which rows of a table are written: those of a vertex, the largest, or those from a number on.

use std::cmp::Reverse;

/// The rows that were asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    /// Rows of this vertex only.
    pub vertex: Option<u32>,
    /// Rows with this number or more only.
    pub least: Option<u64>,
    /// The number of rows to print, those with the largest numbers first.
    pub top: Option<usize>,
}

impl Wanted {
    /// Whether a row with this number is wanted, of those that the top is taken from. O(1).
    pub fn takes(&self, number: u64, is_of: impl Fn(u32) -> bool) -> bool {
        self.least.is_none_or(|least| number >= least) && self.vertex.is_none_or(is_of)
    }

    /// The rows that are wanted of `0..rows`; `None` for all of them, in their order. Of equal numbers the row
    /// that comes first goes before. O(rows), and O(k log k) for the k rows of the top.
    pub fn rows(
        &self,
        rows: usize,
        number: impl Fn(usize) -> u64,
        is_of: impl Fn(usize, u32) -> bool,
    ) -> Option<Vec<usize>> {
        if self.vertex.is_none() && self.least.is_none() && self.top.is_none() {
            return None;
        }
        let mut chosen: Vec<usize> =
            (0..rows).filter(|&row| self.takes(number(row), |vertex| is_of(row, vertex))).collect();
        if let Some(top) = self.top {
            let key = |&row: &usize| (Reverse(number(row)), row);
            if top < chosen.len() {
                chosen.select_nth_unstable_by_key(top, key);
                chosen.truncate(top);
            }
            chosen.sort_unstable_by_key(key);
        }
        Some(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_by_vertex_number_and_rank() {
        let edges = [(0, 1, 3), (0, 2, 5), (1, 2, 3), (2, 3, 0), (2, 4, 5)];
        let rows = |vertex, least, top| {
            Wanted { vertex, least, top }.rows(
                edges.len(),
                |row| edges[row].2,
                |row, v| edges[row].0 == v || edges[row].1 == v,
            )
        };
        assert_eq!(rows(None, None, None), None);
        assert_eq!(rows(Some(1), None, None), Some(vec![0, 2]));
        assert_eq!(rows(Some(9), None, None), Some(vec![]));
        assert_eq!(rows(None, Some(3), None), Some(vec![0, 1, 2, 4]));
        assert_eq!(rows(None, None, Some(0)), Some(vec![]));
        assert_eq!(rows(None, None, Some(3)), Some(vec![1, 4, 0]));
        assert_eq!(rows(None, None, Some(9)), Some(vec![1, 4, 0, 2, 3]));
        assert_eq!(rows(Some(2), Some(1), Some(2)), Some(vec![1, 4]));
    }
}
