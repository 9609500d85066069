//! Degree, triangles and clustering coefficient of every vertex.

use super::cpu::ends::degrees;
use crate::graph::OrientedGraph;
use tribin_base::par;

/// Vertices whose coefficients are added up one after another: what a sum of doubles comes to depends on
/// the order, and this one is the same for any number of threads.
const CHUNK: usize = 1 << 14;

/// Degree, triangles and clustering coefficient of every vertex, by vertex index.
///
/// ```
/// # use tribin::{Graph, Options, Session};
/// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
/// let local = Session::open(Options::default())?.prepare(&tailed)?.local()?;
/// assert_eq!((local.degree(2), local.triangles(2)), (3, 1));
/// assert_eq!(local.clustering(2), 1.0 / 3.0);
/// assert_eq!(local.total(), 1);
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    degrees: Vec<u32>,
    triangles: Vec<u64>,
}

impl Local {
    /// Puts what was found by rank in the order of the vertices, in O(n + m).
    pub fn of_ranks(graph: &OrientedGraph, by_rank: &[u64]) -> Local {
        assert_eq!(by_rank.len(), graph.vertices(), "one number for each rank");
        let mut local = Local::without_edges(by_rank.len());
        let vertices = graph.vertex_of_rank().iter().zip(by_rank);
        for ((&vertex, &found), degree) in vertices.zip(degrees(graph)) {
            local.degrees[vertex as usize] = degree;
            local.triangles[vertex as usize] = found;
        }
        local
    }

    /// The results at all vertices, from their degrees and triangles.
    pub fn of_vertices(degrees: Vec<u32>, triangles: Vec<u64>) -> Local {
        assert_eq!(degrees.len(), triangles.len(), "two numbers for each vertex");
        Local { degrees, triangles }
    }

    /// A graph of this many vertices that has no edge.
    pub fn without_edges(vertices: usize) -> Local {
        Local { degrees: vec![0; vertices], triangles: vec![0; vertices] }
    }

    /// Number of vertex indexes, vertices without an edge included.
    pub fn vertex_bound(&self) -> usize {
        self.degrees.len()
    }

    /// The vertex's neighbours.
    ///
    /// # Panics
    /// If `vertex` is not below [`vertex_bound`](Self::vertex_bound).
    pub fn degree(&self, vertex: u32) -> u32 {
        self.degrees[vertex as usize]
    }

    /// The neighbours of every vertex.
    pub fn degrees(&self) -> &[u32] {
        &self.degrees
    }

    /// The triangles that the vertex is a corner of.
    ///
    /// # Panics
    /// If `vertex` is not below [`vertex_bound`](Self::vertex_bound).
    pub fn triangles(&self, vertex: u32) -> u64 {
        self.triangles[vertex as usize]
    }

    /// The local clustering coefficient 2T / (d(d - 1)), from 0 to 1; 0 where the degree is below 2.
    ///
    /// Correctly rounded while d(d - 1) is below 2⁵³ (degrees to 94 million), and off by at most 4 · 10⁻¹⁶
    /// of the value above.
    ///
    /// # Panics
    /// If `vertex` is not below [`vertex_bound`](Self::vertex_bound).
    pub fn clustering(&self, vertex: u32) -> f64 {
        let degree = u64::from(self.degree(vertex));
        let ordered_pairs = degree * degree.saturating_sub(1);
        if ordered_pairs == 0 {
            return 0.0;
        }
        // T is at most d(d-1)/2: twice as much fits.
        (2 * self.triangles(vertex)) as f64 / ordered_pairs as f64
    }

    /// The mean of the clustering coefficients of all vertices of degree > 0; 0 where there is none.
    pub fn average_clustering(&self) -> f64 {
        let joined = par::map(self.degrees.chunks(CHUNK), |degrees| {
            degrees.iter().filter(|&&degree| degree > 0).count() as u64
        });
        self.average_clustering_of(joined.into_iter().sum())
    }

    fn sum_of_clustering(&self) -> f64 {
        let sums = par::map(par::blocks(self.degrees.len(), CHUNK), |vertices| {
            vertices.map(|vertex| self.clustering(vertex as u32)).sum::<f64>()
        });
        sums.into_iter().sum()
    }

    /// The mean of the clustering coefficients of `vertices` vertices, of which all that are not here have none.
    pub fn average_clustering_of(&self, vertices: u64) -> f64 {
        if vertices == 0 { 0.0 } else { self.sum_of_clustering() / vertices as f64 }
    }

    /// Triangles of the graph, each once. A graph of m < 2⁴² edges has less than 2⁶² of them, and the
    /// vertices have three times as many.
    pub fn total(&self) -> u64 {
        let sums = par::map(self.triangles.chunks(CHUNK), |found| found.iter().sum::<u64>());
        sums.into_iter().sum::<u64>() / 3
    }

    /// The degrees above 0, ascending.
    pub fn sorted_degrees(&self) -> Vec<u32> {
        let above_0 = || self.degrees.iter().copied().filter(|&degree| degree > 0);
        // As long as it has to be: this is all the memory that figures of a graph on disk may take.
        let mut degrees = Vec::with_capacity(above_0().count());
        degrees.extend(above_0());
        par::sort_unstable(&mut degrees);
        degrees
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::support as support_cpu;
    use tribin_cpu::prepare::prepare;

    fn local(edges: &[[u32; 2]], vertices: usize) -> Local {
        let graph = prepare(edges, vertices).oriented;
        Local::of_ranks(
            &graph,
            &support_cpu::triangles(&graph, &crate::control::Context::silent()).unwrap(),
        )
    }

    #[test]
    fn a_triangle_with_a_tail_and_a_vertex_alone() {
        let local = local(&[[0, 1], [1, 2], [2, 0], [2, 3], [3, 3], [1, 0]], 5);
        let rows: Vec<_> =
            (0..5).map(|v| (local.degree(v), local.triangles(v), local.clustering(v))).collect();
        assert_eq!(rows, [(2, 1, 1.0), (2, 1, 1.0), (3, 1, 1.0 / 3.0), (1, 0, 0.0), (0, 0, 0.0)]);
        assert_eq!(local.average_clustering(), (1.0 + 1.0 + 1.0 / 3.0) / 4.0);
        assert_eq!(local.total(), 1);
        assert_eq!(local.sorted_degrees(), [1, 2, 2, 3]);
    }

    #[test]
    fn no_vertex_no_average() {
        assert_eq!(local(&[], 0).average_clustering(), 0.0);
        assert_eq!(local(&[[1, 1]], 2).average_clustering(), 0.0);
    }

    #[test]
    fn the_largest_degree_there_can_be() {
        let d = u32::MAX - 3;
        let pairs = u64::from(d) * u64::from(d - 1) / 2;
        let local = Local { degrees: vec![d], triangles: vec![pairs] };
        assert_eq!(local.clustering(0), 1.0);
    }
}
