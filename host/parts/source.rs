//! Where rows come from that go to a device in parts.

use std::borrow::Cow;
use std::ops::Range;

use super::EdgeNumbers;
use crate::Result;
use crate::control::memory;
use crate::graph::OrientedGraph;
use tribin_base::par;
use tribin_plan::row_parts::RowCounts;

/// Some rows in host memory.
#[derive(Debug)]
pub struct HostRows<'a> {
    /// The place in `heads` where each row begins, and where the last one ends.
    pub starts: Vec<u32>,
    /// The heads of the rows, one row after another.
    pub heads: Cow<'a, [u32]>,
}

/// The rows of all ranks of an oriented graph, in units that are not cut: rows, or chunks of a file.
pub trait RowSource: Sync {
    /// The number of units. Their ranks ascend from 0 on, without a gap.
    fn units(&self) -> usize;

    /// The number of rows and of edges before a unit; of all, where it is one past the last. O(1).
    fn before(&self, unit: usize) -> RowCounts;

    /// Most rows, and most edges, of a unit.
    fn largest_unit(&self) -> RowCounts;

    /// Pairs of heads of one row.
    fn wedges(&self) -> u64;

    /// The rows of some units. Their starts are counted from `base` edges on, of all edges.
    ///
    /// # Errors
    /// What the system reports.
    fn rows(&self, units: Range<usize>, base: u64) -> Result<HostRows<'_>>;
}

/// Each row is a unit.
impl RowSource for OrientedGraph {
    fn units(&self) -> usize {
        self.vertices()
    }

    fn before(&self, unit: usize) -> RowCounts {
        RowCounts { rows: unit as u64, edges: self.offsets.get(unit).copied().unwrap_or(0) }
    }

    fn largest_unit(&self) -> RowCounts {
        RowCounts { rows: 1, edges: self.longest_row() }
    }

    fn wedges(&self) -> u64 {
        OrientedGraph::wedges(self)
    }

    fn rows(&self, units: Range<usize>, base: u64) -> Result<HostRows<'_>> {
        let offsets = &self.offsets[units.start..=units.end];
        let mut starts: Vec<u32> = memory::zeroed(offsets.len())?;
        par::fill(&mut starts, |row| (offsets[row] - base) as u32);
        let heads = &self.heads[offsets[0] as usize..offsets[offsets.len() - 1] as usize];
        Ok(HostRows { starts, heads: Cow::Borrowed(heads) })
    }
}

/// The triangles on the edges of a graph in host memory.
pub struct EdgeSums<'g> {
    graph: &'g OrientedGraph,
    /// Aligned with the graph's edges.
    pub sums: Vec<u32>,
}

impl<'g> EdgeSums<'g> {
    /// Zeros.
    ///
    /// # Errors
    /// That there is no memory for them.
    pub fn new(graph: &'g OrientedGraph) -> Result<EdgeSums<'g>> {
        Ok(EdgeSums { graph, sums: memory::zeroed(graph.heads.len())? })
    }
}

impl EdgeNumbers for EdgeSums<'_> {
    fn add(&mut self, units: Range<usize>, numbers: &[u32]) -> Result<()> {
        let start = self.graph.before(units.start).edges as usize;
        let sums = &mut self.sums[start..start + numbers.len()];
        let blocks = sums.chunks_mut(par::BLOCK).zip(numbers.chunks(par::BLOCK));
        par::for_each(blocks, |(sums, numbers)| {
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
        });
        Ok(())
    }
}
