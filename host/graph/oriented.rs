//! A simple graph whose every edge has one direction, in host memory.

use std::ops::Deref;

use crate::{Error, Result, RowRange};
use tribin_base::par;

/// A simple graph whose every edge points from the higher rank (lower degree) to the lower rank
/// (higher degree): the form every forward engine counts on (paper 004, section II-B).
///
/// Vertices are called by rank. Row `u` is `heads[offsets[u]..offsets[u + 1]]`, strictly ascending,
/// every entry below `u`. No row is longer than √(2m), where m counts the entries that the ranks
/// were made from: the edges, and their duplicates where ranks come before cleaning.
///
/// ```
/// use tribin::Graph;
///
/// let graph = Graph::from_edges(vec![[7, 8], [8, 9], [9, 7]]);
/// let (oriented, _) = tribin::oriented(&graph);
/// assert_eq!(oriented.edges(), 3);
/// // Ranks 0, 1 and 2 are the vertices that have edges; rank 2's row has both others.
/// assert_eq!(oriented.row(2), [0, 1]);
/// assert_eq!(oriented.vertex_of_rank()[..3], [7, 8, 9]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OrientedGraph {
    rows: RowRange,
    vertex_of_rank: Vec<u32>,
}

/// The rows can be read, and not changed.
impl Deref for OrientedGraph {
    type Target = RowRange;

    fn deref(&self) -> &RowRange {
        &self.rows
    }
}

/// Bits that hold every rank of `vertices` vertices.
pub fn rank_bits(vertices: u64) -> u32 {
    (u64::BITS - vertices.saturating_sub(1).leading_zeros()).max(1)
}

/// No GPU takes longer rows: kernels count the places of a row in 17 bits.
const LONGEST_ROW: u64 = 1 << 17;

impl OrientedGraph {
    /// The graph of rows that are known to be those of a simple graph.
    ///
    /// # Safety
    /// The rows are as [`new`](Self::new) asks for: engines read them without a check.
    #[doc(hidden)]
    pub unsafe fn of_rows(
        offsets: Vec<u64>,
        heads: Vec<u32>,
        vertex_of_rank: Vec<u32>,
    ) -> OrientedGraph {
        OrientedGraph { rows: RowRange { first: 0, offsets, heads }, vertex_of_rank }
    }

    /// Wedges: pairs of entries of a row.
    pub fn wedges(&self) -> u64 {
        let pairs = |row: usize| {
            let entries = self.offsets[row + 1] - self.offsets[row];
            entries * entries.saturating_sub(1) / 2
        };
        let blocks = par::blocks(self.vertices(), par::BLOCK);
        par::map(blocks, |rows| rows.map(pairs).sum::<u64>()).into_iter().sum()
    }

    /// An oriented graph of rows that are there already: `heads[offsets[u]..offsets[u + 1]]` are the
    /// neighbours below rank `u`, and `vertex_of_rank[u]` is the vertex that has the rank.
    ///
    /// Any order of the vertices gives exact counts. Counting is fast where vertices of higher degree have
    /// lower ranks. O(n + m).
    ///
    /// ```
    /// use tribin::OrientedGraph;
    ///
    /// let triangle = OrientedGraph::new(vec![0, 0, 1, 3], vec![0, 0, 1], vec![2, 1, 0])?;
    /// assert_eq!((triangle.vertices(), triangle.edges()), (3, 3));
    /// assert_eq!(triangle.row(2), [0, 1]);
    ///
    /// let error = OrientedGraph::new(vec![0, 1], vec![5], vec![0]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "(memory): the row of rank 0 must ascend and stay below 0, and is [5]"
    /// );
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Input`] where the offsets are not those of the rows, a row does not ascend strictly below its
    /// rank or is longer than √(2m) and 2¹⁷, or a vertex has no rank or two.
    pub fn new(
        offsets: Vec<u64>,
        heads: Vec<u32>,
        vertex_of_rank: Vec<u32>,
    ) -> Result<OrientedGraph> {
        let fault = |message| Error::Input { file: "(memory)".into(), message };
        let (ranks, edges) = (vertex_of_rank.len(), heads.len() as u64);
        if offsets.len() != ranks + 1 {
            let found = offsets.len();
            return Err(fault(
                format!("{ranks} ranks need {} offsets, not {found}", ranks + 1).into(),
            ));
        }
        if !offsets.is_sorted() || offsets[0] != 0 || offsets[ranks] != edges {
            return Err(fault(format!("offsets must ascend from 0 to the {edges} heads").into()));
        }
        let graph = OrientedGraph { rows: RowRange { first: 0, offsets, heads }, vertex_of_rank };
        let longest = LONGEST_ROW.max((2 * edges).isqrt());
        let is_row = |rank: u32| {
            let row = graph.row(rank);
            row.last().is_none_or(|&last| last < rank) && row.is_sorted_by(|a, b| a < b)
        };
        let ranks = || 0..graph.vertices() as u32;
        let wrong = par::find_map_first(par::blocks(graph.vertices(), par::BLOCK), |block| {
            block.map(|rank| rank as u32).find(|&rank| !is_row(rank))
        });
        if let Some(rank) = wrong {
            let row = graph.row(rank);
            let (shown, more) = (&row[..row.len().min(8)], if row.len() > 8 { ", …" } else { "" });
            return Err(fault(format!(
                "the row of rank {rank} must ascend and stay below {rank}, and is {shown:?}{more}"
            ).into()));
        }
        let is_long = |&rank: &u32| graph.row(rank).len() as u64 > longest;
        if let Some(rank) = ranks().find(is_long) {
            let length = graph.row(rank).len();
            return Err(fault(format!(
                "the row of rank {rank} has {length} heads, more than {longest}: give low ranks to \
                 vertices of high degree"
            ).into()));
        }
        let mut has_rank = vec![false; graph.vertices()];
        for &vertex in &graph.vertex_of_rank {
            let slot = has_rank.get_mut(vertex as usize);
            if slot.is_none_or(|has_rank| std::mem::replace(has_rank, true)) {
                return Err(fault(
                    format!(
                        "vertex {vertex} is named by a rank, and is not below {} or has two",
                        graph.vertices()
                    )
                    .into(),
                ));
            }
        }
        Ok(graph)
    }

    /// The places where the rows start; one more entry than there are ranks (none at all in the default graph).
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// The rows, one after another.
    pub fn heads(&self) -> &[u32] {
        &self.heads
    }

    /// The vertex that has each rank.
    pub fn vertex_of_rank(&self) -> &[u32] {
        &self.vertex_of_rank
    }

    /// Number of ranks, isolated vertices included.
    pub fn vertices(&self) -> usize {
        self.vertex_of_rank.len()
    }

    /// Number of undirected edges.
    pub fn edges(&self) -> u64 {
        self.heads.len() as u64
    }

    /// Edges of the longest row.
    pub fn longest_row(&self) -> u64 {
        let longest = |block: std::ops::Range<usize>| {
            block.map(|rank| self.offsets[rank + 1] - self.offsets[rank]).max()
        };
        let blocks = par::blocks(self.vertices(), par::BLOCK);
        par::map(blocks, longest).into_iter().flatten().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(offsets: &[u64], heads: &[u32], vertex_of_rank: &[u32]) -> String {
        let graph = OrientedGraph::new(offsets.to_vec(), heads.to_vec(), vertex_of_rank.to_vec());
        graph.unwrap_err().to_string()
    }

    /// Each of these was read out of bounds on a device.
    #[test]
    fn what_would_be_read_out_of_bounds_is_refused() {
        assert_eq!(refused(&[], &[], &[]), "(memory): 0 ranks need 1 offsets, not 0");
        assert_eq!(refused(&[0, 0, 0], &[], &[0]), "(memory): 1 ranks need 2 offsets, not 3");
        for offsets in [[0, 0, 2], [1, 1, 1], [0, 2, 1]] {
            assert_eq!(
                refused(&offsets, &[0], &[0, 1]),
                "(memory): offsets must ascend from 0 to the 1 heads"
            );
        }
        assert_eq!(
            refused(&[0, 0, 1], &[1], &[0, 1]),
            "(memory): the row of rank 1 must ascend and stay below 1, and is [1]"
        );
        assert_eq!(
            refused(&[0, 0, 0, 2], &[1, 0], &[0, 1, 2]),
            "(memory): the row of rank 2 must ascend and stay below 2, and is [1, 0]"
        );
        assert_eq!(
            refused(&[0, 0, 0, 2], &[1, 1], &[0, 1, 2]),
            "(memory): the row of rank 2 must ascend and stay below 2, and is [1, 1]"
        );
        for (vertices, named) in [([0, 2], 2), ([1, 1], 1)] {
            assert_eq!(
                refused(&[0, 0, 1], &[0], &vertices),
                format!(
                    "(memory): vertex {named} is named by a rank, and is not below 2 or has two"
                )
            );
        }
        let leaves = (1 << 17) + 1;
        let mut offsets = vec![0; leaves + 2];
        offsets[leaves + 1] = leaves as u64;
        let ranks: Vec<u32> = (0..=leaves as u32).collect();
        assert_eq!(
            refused(&offsets, &ranks[..leaves], &ranks),
            "(memory): the row of rank 131073 has 131073 heads, more than 131072: give low ranks to \
             vertices of high degree"
        );
    }
}
