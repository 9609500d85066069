//! The adjacency of a graph with both directions of every edge: each rank's neighbours, ascending.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use super::ends::degrees;
use crate::graph::OrientedGraph;
use tribin_base::par;

/// About how many ends of edges tell which ranks have as many neighbours as one another.
const SAMPLE: usize = 1 << 12;

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
    /// The adjacency of edges between `ranks` ranks, which come by tail and then by head. A tail is of higher rank than its head. O(n + m);
    /// 20 bytes an edge and 16 a rank.
    pub fn new(ranks: usize, tails: &[u32], heads: &[u32]) -> NumberedNeighbours {
        // Each task puts the neighbours of a range of ranks in place. The ranges have about as many, as a sample has it.
        let step = tails.len() / SAMPLE + 1;
        let mut sample: Vec<u32> = tails.iter().chain(heads).step_by(step).copied().collect();
        sample.sort_unstable();
        let mut bounds = vec![0];
        let every = sample.len().div_ceil(par::threads()).max(1);
        bounds.extend(sample.into_iter().step_by(every).skip(1));
        bounds.push(ranks as u32);
        bounds.dedup();
        let ranges: Vec<Range<u32>> = bounds.windows(2).map(|ends| ends[0]..ends[1]).collect();
        let blocks = par::blocks(heads.len(), heads.len().div_ceil(par::threads()).max(1));
        // The edges of each block by the range of their heads, and all edges by their tails.
        let by_head: Vec<Vec<Vec<u32>>> = par::map(blocks, |block| {
            let mut edges = vec![Vec::new(); ranges.len()];
            for edge in block {
                let range = bounds.partition_point(|&bound| bound <= heads[edge]) - 1;
                edges[range].push(edge as u32);
            }
            edges
        });
        let from = |rank: u32| tails.partition_point(|&tail| tail < rank);
        // Calls `put` with each rank of a range, a neighbour of it, and the edge. From any one rank the neighbours come in ascending
        // order: those below it as heads, those above it as tails.
        let each = |of: usize, put: &mut dyn FnMut(u32, u32, u32)| {
            for edge in from(ranges[of].start)..from(ranges[of].end) {
                put(tails[edge], heads[edge], edge as u32);
            }
            for &edge in by_head.iter().flat_map(|edges| &edges[of]) {
                put(heads[edge as usize], tails[edge as usize], edge);
            }
        };
        let mut offsets = vec![0; ranks + 1];
        let degrees = par::cut(&mut offsets[1..], ranges.iter().map(|range| range.len()));
        par::for_each(degrees.into_iter().enumerate(), |(of, degrees)| {
            each(of, &mut |rank, _, _| degrees[(rank - ranges[of].start) as usize] += 1);
        });
        for rank in 0..ranks {
            offsets[rank + 1] += offsets[rank];
        }
        let (mut neighbours, mut edges) = (vec![0; 2 * tails.len()], vec![0; 2 * tails.len()]);
        let start = |rank: u32| offsets[rank as usize];
        let lengths = || ranges.iter().map(|range| start(range.end) - start(range.start));
        let rooms = par::cut(&mut neighbours, lengths()).into_iter();
        let rooms = rooms.zip(par::cut(&mut edges, lengths())).enumerate();
        par::for_each(rooms, |(of, (neighbours, edges))| {
            let Range { start: first, end } = ranges[of];
            let mut next = offsets[first as usize..end as usize].to_vec();
            each(of, &mut |rank, other, edge| {
                let next = &mut next[(rank - first) as usize];
                let place = *next - start(first);
                (neighbours[place], edges[place]) = (other, edge);
                *next += 1;
            });
        });
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
