//! Edges that come past with a number each, wherever they are: which of them are wanted, how many have each number, and the largest.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use tribin::report::table::{Column, Values};

use super::failure::Failure;
use super::tables::{TableWork, TakeFound};

/// Hands all edges over, as often as it is called, until it is told `false`.
pub type EachEdge<'a> = dyn Fn(&mut TakeFound<'_, Vec<[u32; 3]>>) -> tribin::Result<()> + Sync + 'a;

/// The edges that were asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    /// Edges of this vertex only.
    pub vertex: Option<u32>,
    /// Edges with this number or more only.
    pub least: Option<u64>,
    /// How many edges to print, those with the largest numbers first.
    pub top: Option<usize>,
}

/// Edges that go to a table.
pub struct EdgeStream<'a> {
    pub work: &'a TableWork<'a>,
    pub each: &'a EachEdge<'a>,
    pub wanted: Wanted,
}

impl EdgeStream<'_> {
    /// Writes the edges that are wanted, with columns of which `values` makes a block, and prints the report.
    pub fn write<'v>(
        &self,
        heads: &[Column],
        values: impl Fn(&[[u32; 3]]) -> Vec<Values<'v>> + Send + Sync,
    ) -> Result<(), Failure> {
        if let Some(top) = self.wanted.top {
            let rows = self.largest(top)?;
            return self.work.write_rows(heads, rows.len(), |range| values(&rows[range]));
        }
        let wanted = |mut rows: Vec<[u32; 3]>| {
            rows.retain(|row| self.is_wanted(row));
            values(&rows)
        };
        self.work.write_found((heads, u64::MAX), |take| (self.each)(take), wanted)
    }

    /// Each number and how many edges have it, ascending. Numbers are those of triangles on an edge at most: 8 bytes for each up to the
    /// largest are less than the graph has.
    pub fn histogram(&self) -> Result<BTreeMap<u32, u64>, Failure> {
        let mut counts: Vec<u64> = Vec::new();
        (self.each)(&mut |blocks| {
            for &[_, _, number] in blocks.iter().flatten() {
                if number as usize >= counts.len() {
                    counts.resize(number as usize + 1, 0);
                }
                counts[number as usize] += 1;
            }
            Ok(true)
        })?;
        Ok((0..).zip(counts).filter(|&(_, count)| count > 0).collect())
    }

    fn is_wanted(&self, &[u, v, number]: &[u32; 3]) -> bool {
        let Wanted { vertex, least, .. } = self.wanted;
        least.is_none_or(|least| u64::from(number) >= least)
            && vertex.is_none_or(|vertex| vertex == u || vertex == v)
    }

    /// The rows with the largest numbers of those that are wanted, in that order; of equal numbers the edge that comes first
    /// goes before.
    fn largest(&self, top: usize) -> Result<Vec<[u32; 3]>, Failure> {
        // The last of those that were kept is on top.
        let mut kept = BinaryHeap::new();
        (self.each)(&mut |blocks| {
            for row @ [u, v, number] in blocks.into_iter().flatten() {
                let candidate = (Reverse(number), u, v);
                let is_larger =
                    kept.len() < top || kept.peek().is_some_and(|last| candidate < *last);
                if is_larger && self.is_wanted(&row) {
                    kept.push(candidate);
                    if kept.len() > top {
                        kept.pop();
                    }
                }
            }
            Ok(true)
        })?;
        let rows = kept.into_sorted_vec();
        Ok(rows.into_iter().map(|(Reverse(number), u, v)| [u, v, number]).collect())
    }
}
