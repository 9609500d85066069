//! Orient and clean on the CPU, in one pass over the edges.
//!
//! | step | what happens | source |
//! | --- | --- | --- |
//! | `degree` | entries per vertex, duplicates counted, self-loops not | |
//! | `ranking` | vertices in descending order of that number, ties by id | paper 004, section II-B |
//! | `bucket` | every entry relabelled, oriented and put with the others of its tail's range | |
//! | `rows` | rows sorted, duplicates dropped | |
//!
//! A forward engine is exact for any total order of the vertices. Degrees may therefore be counted
//! before duplicates are dropped, and one grouping of the edges serves both to clean and to orient.

mod arcs;
pub mod bucket;
pub mod degree;
pub mod ranking;
pub mod rows;
mod sort;

use std::time::Instant;

pub use arcs::{directions, weights};

use crate::Result;
use crate::control::{Context, EngineSeconds, memory};
use crate::graph::{Graph, OrientedGraph, Summary};

/// An oriented simple graph, its figures, and what the two steps took.
#[derive(Debug, Clone, Default)]
pub struct Prepared {
    /// The rows that an engine counts on.
    pub oriented: OrientedGraph,
    /// What the simple graph looks like and what was dropped on the way.
    pub figures: Summary,
    /// Seconds of the two steps. To orient is to count degrees, to rank, to relabel and to group the edges. To clean is to sort the rows,
    /// to drop duplicates and to compute the figures.
    pub seconds: EngineSeconds,
}

/// Cleans and orients a graph on the current rayon pool.
///
/// `edges` holds pairs in any order and direction, self-loops and duplicates included; every
/// vertex is below `vertex_bound`. Vertices without an edge get the last ranks.
///
/// Rank order: descending number of entries that name the vertex, self-loops left out, duplicates
/// counted (modulo 2³², which only affects speed); ties by ascending vertex. Where no edge is
/// repeated, or all equally often, that is the order by descending degree. The result is the same
/// for every number of threads.
///
/// Takes O(m + n + Σ d⁺ log d⁺) work, for rows of d⁺ entries, and beside the input about 12
/// bytes for each entry of `edges` and 28 for each vertex.
///
/// # Panics
/// If a vertex is not below `vertex_bound`, or `vertex_bound` is over 2³² - 1, and where there is no memory.
pub fn prepare(edges: &[[u32; 2]], vertex_bound: usize) -> Prepared {
    prepare_until(edges, vertex_bound, &Context::silent())
        .expect("nobody cancels, and memory is there")
}

/// [`prepare`], unless it is told to stop: it looks at the token between blocks of entries and of rows. The
/// gauge counts each entry as it is counted, grouped and sorted.
///
/// # Errors
/// [`Error::Cancelled`](crate::Error::Cancelled), and [`Error::Input`](crate::Error::Input) where there is no memory: it
/// is asked for before anything is done.
///
/// # Panics
/// If a vertex is not below `vertex_bound`, or `vertex_bound` is over 2³² - 1.
pub fn prepare_until(
    edges: &[[u32; 2]],
    vertex_bound: usize,
    context: &Context,
) -> Result<Prepared> {
    assert!(vertex_bound <= u32::MAX as usize, "{vertex_bound} vertices do not fit 32-bit ranks");
    memory::check(12 * edges.len() as u64 + 12 * vertex_bound as u64)?;
    context.work().begin(3 * edges.len() as u64);
    let start = Instant::now();
    let degree::EntryDegrees { degrees, self_loops } =
        degree::count(edges, vertex_bound, context.work())?;
    context.cancel().check()?;
    let ranking = ranking::by_descending_degree(&degrees)?;
    drop(degrees);
    let buckets = bucket::group_by_tail(edges, &ranking, context)?;
    let ranking::Ranking { vertex_of_rank, degree_of_rank, .. } = ranking;
    let orient = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let (oriented, figures) =
        rows::rows(buckets, vertex_of_rank, degree_of_rank, self_loops, context)?;
    let clean = start.elapsed().as_secs_f64();
    let seconds = EngineSeconds { orient, clean, ..EngineSeconds::default() };
    Ok(Prepared { oriented, figures, seconds })
}

/// The graph without directions, self-loops and duplicates, oriented, with its figures: what an engine of your own
/// may start from. On the current rayon pool.
///
/// ```
/// use tribin::Graph;
///
/// let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [0, 0]]);
/// let (oriented, summary) = tribin::oriented(&graph);
/// assert_eq!((oriented.vertices(), oriented.edges()), (3, 3));
/// assert_eq!((summary.wedges, summary.self_loops_dropped), (3, 1));
/// ```
pub fn oriented(graph: &Graph) -> (OrientedGraph, Summary) {
    let Prepared { oriented, figures, .. } = prepare(graph.edges(), graph.vertex_bound());
    (oriented, figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_prepared_is_accepted() {
        let graph = Graph::from_edges([[0, 1], [1, 2], [2, 0], [2, 3], [3, 3], [9, 2]]);
        let (oriented, _) = oriented(&graph);
        let tribin_graph::RowRange { offsets, heads, .. } = (*oriented).clone();
        let again = OrientedGraph::new(offsets, heads, oriented.vertex_of_rank().to_vec());
        assert_eq!(again.unwrap(), oriented);
    }
}
