//! A second opinion: the edge iterator on the unoriented graph, written apart from the forward
//! engines so that they share no mistake.

use std::time::Instant;

use super::{EngineCount, EngineSeconds};
use crate::control::{Context, Phase, Work};
use crate::graph::Summary;
use crate::{Graph, Result};
use tribin_base::par::{self, Spare};

/// Vertices of one task. Hubs may stand side by side, so that it has few.
const BLOCK: usize = 1 << 8;

/// The name of this method in reports.
pub const NAME: &str = "edge-iterator";

/// Counts, for every edge, the neighbours that its ends have in common: each triangle three times.
///
/// Of the two lists the one of lower degree is walked, against a bit set of the other: O(m^1.5) time
/// (Chiba and Nishizeki 1985), 16 bytes of memory an edge and one bit a vertex for each thread.
/// Cleaning is a sort of the entries, and one of both directions of every edge.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled).
pub fn count(graph: &Graph, context: &Context) -> Result<EngineCount> {
    context.cancel().check()?;
    context.phase(Phase::Clean);
    let start = Instant::now();
    let (adjacency, summary) = NeighbourLists::of(graph);
    let clean = start.elapsed().as_secs_f64();
    context.cancel().check()?;
    context.phase(Phase::Count);
    let start = Instant::now();
    let triangles = adjacency.triangles(context.work());
    let count = start.elapsed().as_secs_f64();
    let seconds = EngineSeconds { clean, count, ..EngineSeconds::default() };
    Ok(EngineCount { triangles, summary, seconds, ..EngineCount::default() })
}

/// Every vertex's neighbours, in both directions of every edge.
struct NeighbourLists {
    offsets: Vec<usize>,
    /// `source << 32 | target`, sorted: the targets are the lists.
    arcs: Vec<u64>,
}

impl NeighbourLists {
    fn of(graph: &Graph) -> (NeighbourLists, Summary) {
        let entries = graph.edges().len() as u64;
        let arc = |from: u32, to: u32| u64::from(from) << 32 | u64::from(to);
        let mut arcs = par::map(graph.edges().chunks(par::BLOCK), |edges| {
            let named = edges.iter().filter(|[u, v]| u != v);
            named.map(|&[u, v]| arc(u, v)).collect::<Vec<u64>>()
        })
        .concat();
        let self_loops_dropped = entries - arcs.len() as u64;
        par::sort_unstable(&mut arcs);
        arcs.dedup();
        let directed = arcs.len();
        arcs.extend_from_within(..);
        par::for_each(arcs[directed..].chunks_mut(par::BLOCK), |arcs| {
            arcs.iter_mut().for_each(|arc| *arc = arc.rotate_left(32));
        });
        par::sort_unstable(&mut arcs);
        arcs.dedup();
        let edges = arcs.len() as u64 / 2;
        let mut offsets = vec![0; graph.vertex_bound() + 1];
        for arc in &arcs {
            offsets[(arc >> 32) as usize + 1] += 1;
        }
        let mut figures = Summary {
            vertices: 0,
            edges,
            self_loops_dropped,
            duplicates_dropped: entries - self_loops_dropped - edges,
            // An edge that is named in both directions is two directed ones.
            reciprocal_dropped: Some(directed as u64 - edges),
            wedges: 0,
            max_degree: 0,
        };
        for v in 1..offsets.len() {
            let degree = offsets[v] as u64;
            figures.vertices += u64::from(degree > 0);
            figures.wedges += u128::from(degree) * u128::from(degree.saturating_sub(1)) / 2;
            figures.max_degree = figures.max_degree.max(degree);
            offsets[v] += offsets[v - 1];
        }
        (NeighbourLists { offsets, arcs }, figures)
    }

    fn neighbours(&self, v: u32) -> impl Iterator<Item = u32> {
        let v = v as usize;
        // The low half of an arc is its target.
        self.arcs[self.offsets[v]..self.offsets[v + 1]].iter().map(|&arc| arc as u32)
    }

    fn degree(&self, v: u32) -> usize {
        self.offsets[v as usize + 1] - self.offsets[v as usize]
    }

    /// An edge adds the lower of its ends' degrees at most, so the sum is at most Σ min(d(u), d(v)),
    /// which is O(m^1.5): with the 2³⁸ edges of 4 TiB of memory, below 2⁶⁰.
    fn triangles(&self, work: &Work) -> u64 {
        let bound = self.offsets.len() - 1;
        work.begin(self.arcs.len() as u64);
        let marks = Spare::new();
        let of_blocks = par::map(par::blocks(bound, BLOCK), |block| {
            work.add((self.offsets[block.end] - self.offsets[block.start]) as u64);
            marks.with(
                || vec![0u64; bound.div_ceil(64)],
                |marked| block.map(|u| self.at_edges_of(u as u32, marked)).sum::<u64>(),
            )
        });
        let thrice: u64 = of_blocks.into_iter().sum();
        assert_eq!(thrice % 3, 0, "every triangle has three edges");
        thrice / 3
    }

    /// The triangles on the edges that lead from a vertex to those that come before it. `marked` has no marks, before and
    /// after.
    fn at_edges_of(&self, u: u32, marked: &mut [u64]) -> u64 {
        for w in self.neighbours(u) {
            marked[w as usize / 64] |= 1 << (w % 64);
        }
        let common = self
            .neighbours(u)
            .filter(|&v| (self.degree(v), v) < (self.degree(u), u))
            .flat_map(|v| self.neighbours(v))
            .filter(|&w| marked[w as usize / 64] >> (w % 64) & 1 == 1)
            .count() as u64;
        for w in self.neighbours(u) {
            marked[w as usize / 64] = 0;
        }
        common
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(edges: &[[u32; 2]]) -> EngineCount {
        super::count(&Graph::from_edges(edges.to_vec()), &Context::silent()).unwrap()
    }

    #[test]
    fn the_empty_graph_has_nothing() {
        let found = count(&[]);
        assert_eq!(found.triangles, 0);
        let nothing = Summary { reciprocal_dropped: Some(0), ..Summary::default() };
        assert_eq!(found.summary, nothing);
    }

    #[test]
    fn loops_and_duplicates_are_dropped_and_counted() {
        let found = count(&[[0, 1], [1, 0], [1, 1], [1, 2], [2, 0], [5, 5], [0, 1]]);
        assert_eq!(found.triangles, 1);
        assert_eq!(
            found.summary,
            Summary {
                vertices: 3,
                edges: 3,
                self_loops_dropped: 2,
                duplicates_dropped: 2,
                reciprocal_dropped: Some(1),
                wedges: 3,
                max_degree: 2,
            }
        );
    }

    #[test]
    fn a_complete_graph_has_a_triangle_for_every_three_vertices() {
        let edges: Vec<_> = (0..100u32).flat_map(|u| (0..u).map(move |v| [u, v])).collect();
        let found = count(&edges);
        assert_eq!(found.triangles, 100 * 99 * 98 / 6);
        assert_eq!(found.summary.wedges, 100 * 99 * 98 / 2);
    }

    #[test]
    fn a_wheel_has_a_triangle_for_every_rim_edge() {
        let rim = 1000;
        let edges: Vec<_> = (0..rim).flat_map(|i| [[i, (i + 1) % rim], [i, rim]]).collect();
        assert_eq!(count(&edges).triangles, u64::from(rim));
    }

    proptest::proptest! {
        #[test]
        fn any_multigraph_as_by_sets_of_neighbours(
            edges in proptest::collection::vec(proptest::array::uniform2(0u32..12), 0..120),
        ) {
            let triangles = testkit::oracle::brute_force(&edges);
            proptest::prop_assert_eq!(count(&edges).triangles, triangles);
        }
    }
}
