//! The adjacency of a graph with both directions of every edge: each rank's neighbours, ascending.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use super::ends::degrees;
use crate::graph::OrientedGraph;
use tribin_base::par;

/// The neighbours of every rank, with the number of the edge to each.
#[derive(Default)]
pub(super) struct NumberedNeighbours {
    /// Where each rank's neighbours start; one more entry than there are ranks.
    pub offsets: Vec<usize>,
    /// The neighbours of one rank after another's, each ascending.
    pub neighbours: Vec<u32>,
    /// The number of the edge to each of `neighbours`.
    pub edges: Vec<u32>,
}

impl NumberedNeighbours {
    /// The adjacency of edges between `ranks` ranks, which come by tail and then by head. O(n + m); 16 bytes an edge and 12 a rank.
    pub fn new(ranks: usize, tails: &[u32], heads: &[u32]) -> NumberedNeighbours {
        let mut offsets = vec![0; ranks + 1];
        for &end in tails.iter().chain(heads) {
            offsets[end as usize + 1] += 1;
        }
        for rank in 0..ranks {
            offsets[rank + 1] += offsets[rank];
        }
        let mut lengths = vec![0u32; ranks];
        let (mut neighbours, mut edges) = (vec![0; 2 * tails.len()], vec![0; 2 * tails.len()]);
        // From any one rank, the others come in ascending order: those below it as heads, those above it as tails.
        for ((&tail, &head), edge) in tails.iter().zip(heads).zip(0..) {
            for (from, to) in [(tail as usize, head), (head as usize, tail)] {
                let place = offsets[from] + lengths[from] as usize;
                lengths[from] += 1;
                (neighbours[place], edges[place]) = (to, edge);
            }
        }
        NumberedNeighbours { offsets, neighbours, edges }
    }
}

/// Rows whose neighbours a task puts in place: those of hubs are short, and others are about as long as one another.
const ROWS: usize = 1 << 10;

/// The neighbours of every rank.
pub(super) struct RankNeighbours {
    offsets: Vec<usize>,
    /// The neighbours of one rank after another's, each ascending.
    neighbours: Vec<u32>,
}

impl RankNeighbours {
    /// The neighbours of ranks of their own, by degree, the largest first, and then by vertex; the vertices of these ranks, and
    /// the ranks of the vertices. O(n log n + m log d): 8 bytes for each edge and 8 for each rank, and 20 more while they are made.
    pub fn by_degree(graph: &OrientedGraph) -> (RankNeighbours, Vec<u32>, Vec<u32>) {
        let degrees = degrees(graph);
        let key =
            |old: usize| u64::from(!degrees[old]) << 32 | u64::from(graph.vertex_of_rank()[old]);
        let mut keys = par::tabulate(graph.vertices(), key);
        par::sort_unstable(&mut keys);
        let vertex_of_rank: Vec<u32> = keys.iter().map(|&key| key as u32).collect();
        let mut rank_of_vertex = vec![0; graph.vertices()];
        let mut offsets = vec![0; graph.vertices() + 1];
        for (rank, &key) in keys.iter().enumerate() {
            rank_of_vertex[key as u32 as usize] = rank as u32;
            offsets[rank + 1] = offsets[rank] + !((key >> 32) as u32) as usize;
        }
        let rank = |old: u32| rank_of_vertex[graph.vertex_of_rank()[old as usize] as usize];
        // Rows are sorted below, so that threads may put neighbours into them in any order.
        let cursors: Vec<_> = offsets.iter().map(|&offset| AtomicUsize::new(offset)).collect();
        let zeros = vec![0; offsets[graph.vertices()]];
        let put: Vec<_> = zeros.into_iter().map(AtomicU32::new).collect();
        par::for_each(par::blocks(graph.vertices(), ROWS), |rows| {
            for u in rows {
                let from = rank(u as u32);
                for &a in graph.row(u as u32) {
                    for [from, to] in [[from, rank(a)], [rank(a), from]] {
                        put[cursors[from as usize].fetch_add(1, Relaxed)].store(to, Relaxed);
                    }
                }
            }
        });
        let mut neighbours: Vec<u32> = put.into_iter().map(AtomicU32::into_inner).collect();
        let blocks: Vec<_> = par::blocks(graph.vertices(), par::BLOCK).collect();
        let lengths = blocks.iter().map(|block| offsets[block.end] - offsets[block.start]);
        let parts = par::cut(&mut neighbours, lengths);
        par::for_each(blocks.iter().zip(parts), |(block, part)| {
            let lengths = block.clone().map(|rank| offsets[rank + 1] - offsets[rank]);
            par::cut(part, lengths).into_iter().for_each(<[u32]>::sort_unstable);
        });
        (RankNeighbours { offsets, neighbours }, vertex_of_rank, rank_of_vertex)
    }

    /// The neighbours of a rank, ascending.
    #[inline]
    pub fn of(&self, rank: u32) -> &[u32] {
        &self.neighbours[self.offsets[rank as usize]..self.offsets[rank as usize + 1]]
    }

    /// The number of neighbours of a rank.
    #[inline]
    pub fn degree(&self, rank: u32) -> u32 {
        (self.offsets[rank as usize + 1] - self.offsets[rank as usize]) as u32
    }

    /// The places where each rank's neighbours start, with the end, and the neighbours of all.
    pub fn all(&self) -> (&[usize], &[u32]) {
        (&self.offsets, &self.neighbours)
    }

    /// The number of ranks.
    pub fn ranks(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tribin_cpu::prepare::prepare;

    #[test]
    fn both_directions_of_the_kept_edges_ascend() {
        let wheel: Vec<[u32; 2]> =
            (0..50).flat_map(|v| [[50, v], [v, (v + 1) % 50], [v, (v + 7) % 50]]).collect();
        let graph = prepare(&wheel, 53).oriented;
        let tails = (0..53u32).flat_map(|u| graph.row(u).iter().map(move |&head| (u, head)));
        let kept = tails.zip(0..).filter(|(_, edge)| edge % 3 != 1).map(|(ends, _)| ends);
        let (tails, heads): (Vec<u32>, Vec<u32>) = kept.unzip();
        let adjacency = NumberedNeighbours::new(53, &tails, &heads);
        let mut directions = 0;
        for u in 0..53 {
            let range = adjacency.offsets[u]..adjacency.offsets[u + 1];
            let neighbours = &adjacency.neighbours[range.clone()];
            assert!(neighbours.is_sorted_by(|a, b| a < b));
            for (&v, &edge) in neighbours.iter().zip(&adjacency.edges[range]) {
                assert_eq!(heads[edge as usize], v.min(u as u32));
                assert_eq!(tails[edge as usize], v.max(u as u32));
                directions += 1;
            }
        }
        assert_eq!((directions, heads.len()), (2 * heads.len(), 100));
    }
}
