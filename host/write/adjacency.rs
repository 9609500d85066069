//! The simple graph as rows of neighbours.

use super::EdgeBlocks;
use crate::{Graph, VertexIds};
use tribin_base::par;

/// The symmetric adjacency matrix without self-loops, in compressed sparse rows, each row ascending.
/// 4 bytes for each direction of an edge and 8 a vertex; 16 bytes an entry and direction while it is
/// made, in O(m log m).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjacency {
    /// Where each row begins, and the end of the last: one more than there are vertices.
    offsets: Vec<u64>,
    heads: Vec<u32>,
}

impl Adjacency {
    /// Bytes of memory at the peak while the rows are made. An entry has a key for each direction, and all keys are there twice:
    /// in blocks, and one behind the other. A row has the place where it begins.
    pub(super) fn bytes(edges: &dyn EdgeBlocks) -> u64 {
        let keys = edges.entries().saturating_mul(2 * 8 * 2);
        keys.saturating_add(edges.vertices().saturating_mul(8))
    }

    /// Drops directions, self-loops and duplicates.
    pub fn of(edges: &dyn EdgeBlocks) -> Adjacency {
        let mut keys = par::map(0..edges.blocks(), |block| -> Vec<u64> {
            let mut pairs = Vec::new();
            edges.block(block, &mut pairs);
            let key = |u: u32, v: u32| u64::from(u) << 32 | u64::from(v);
            let proper = pairs.into_iter().filter(|[u, v]| u != v);
            proper.flat_map(|[u, v]| [key(u, v), key(v, u)]).collect()
        })
        .concat();
        par::sort_unstable(&mut keys);
        keys.dedup();
        let offsets = par::tabulate(edges.vertices() as usize + 1, |v| {
            keys.partition_point(|&key| key >> 32 < v as u64) as u64
        });
        Adjacency { offsets, heads: par::tabulate(keys.len(), |place| keys[place] as u32) }
    }

    /// The number of vertices, isolated ones included.
    pub fn vertices(&self) -> u64 {
        self.offsets.len() as u64 - 1
    }

    /// The number of undirected edges.
    pub fn edges(&self) -> u64 {
        self.heads.len() as u64 / 2
    }

    /// The places where the rows begin, and the end of the last.
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// The neighbours of all vertices, row by row.
    pub fn heads(&self) -> &[u32] {
        &self.heads
    }

    /// The neighbours of a vertex.
    ///
    /// # Panics
    /// If `v` is not below [`vertices`](Self::vertices).
    pub fn row(&self, v: u32) -> &[u32] {
        let from = self.offsets[v as usize] as usize;
        &self.heads[from..self.offsets[v as usize + 1] as usize]
    }

    /// A graph with each edge once, the smaller end first, ascending.
    pub fn to_graph(&self, ids: VertexIds, name: &str) -> Graph {
        let of_row = |u: usize| {
            let row = self.row(u as u32);
            row[row.partition_point(|&v| v < u as u32)..].iter().map(move |&v| [u as u32, v])
        };
        let blocks = par::blocks(self.vertices() as usize, par::BLOCK);
        let edges = par::map(blocks, |block| block.flat_map(of_row).collect::<Vec<_>>());
        Graph::from_parts(edges.concat(), ids, name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_directions_and_duplicates_go() {
        let graph = Graph::from_edges(vec![[3, 1], [1, 3], [2, 2], [0, 1], [0, 1], [4, 4]]);
        let adjacency = Adjacency::of(&graph);
        assert_eq!(adjacency.offsets(), [0, 1, 3, 3, 4, 4]);
        assert_eq!(adjacency.heads(), [1, 0, 3, 1]);
        assert_eq!((adjacency.vertices(), adjacency.edges()), (5, 2));
        assert_eq!(Adjacency::bytes(&graph), 32 * 6 + 8 * 5);
        let simple = adjacency.to_graph(graph.ids().clone(), "simple");
        assert_eq!(simple.edges(), [[0, 1], [1, 3]]);
    }

    #[test]
    fn nothing() {
        let adjacency = Adjacency::of(&Graph::default());
        assert_eq!((adjacency.vertices(), adjacency.edges()), (0, 0));
    }
}
