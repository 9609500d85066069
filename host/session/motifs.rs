//! Connected motifs of three and four vertices of a prepared graph.

use std::time::Instant;

use super::PreparedGraph;
use super::resident::by_vertex;
use crate::Result;
use crate::analytics::{EdgeValues, Local, MotifSums, Motifs, ReportHead};
use crate::control::Phase;
use tribin_analytics::cpu::cycles::{four_cycles, four_cycles_at_ranks};
use tribin_base::par;

impl PreparedGraph {
    /// The number of times that each connected graph of three and four vertices is in this graph, induced and as a subgraph, exactly.
    ///
    /// They follow from the degrees, the triangles at vertices and on edges, the cycles of four edges, which the CPU counts, and the
    /// cliques of four vertices. O(m^1.5) work for all but these. Memory beside the graph: that of [`support`](Self::support), and for
    /// the cycles 4 bytes an edge and 8 a vertex, and 4 for each vertex and thread.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// // A square with one diagonal, and a tail.
    /// let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [3, 4]]);
    /// let motifs = Session::open(Options::default())?.prepare(&graph)?.motifs()?;
    /// assert_eq!((motifs.diamond.induced, motifs.tailed_triangle.induced), (1, 1));
    /// assert_eq!((motifs.cycle.induced, motifs.cycle.subgraphs), (0, 1));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn motifs(&self) -> Result<Motifs> {
        self.session().install(|| {
            let start = Instant::now();
            // What needs the graph in memory comes first, so that nothing is found in vain where it does not fit.
            let graph = self.oriented()?;
            let (local, support) = (self.local()?, self.support()?);
            let triangles = start.elapsed().as_secs_f64();
            let cliques = self.cliques(4)?;
            let of_cliques = start.elapsed().as_secs_f64() - triangles;
            self.session().phase(Phase::Count);
            let cycles = four_cycles(&graph, &self.session().context())?;
            let sums = MotifSums { cycles, cliques: cliques.cliques, ..sums(&local, &support) };
            let all = start.elapsed().as_secs_f64();
            let of_cycles = all - triangles - of_cliques;
            let found =
                vec![("triangles", triangles), ("cliques", of_cliques), ("cycles", of_cycles)];
            let [wedge, triangle, star, path, tailed_triangle, cycle, diamond, clique] =
                sums.counts();
            let summary = self.summary();
            Ok(Motifs {
                head: ReportHead { seconds: self.stages(found, all), ..cliques.head },
                vertices: summary.vertices,
                edges: summary.edges,
                wedge,
                triangle,
                star,
                path,
                tailed_triangle,
                cycle,
                diamond,
                clique,
            })
        })
    }
}

impl PreparedGraph {
    /// The cycles of four edges that each vertex is in, by vertex index, whether their vertices have other edges among them or not.
    ///
    /// O(m^1.5) work on the CPU. Memory beside the graph: 4 bytes an edge and 24 a vertex, and 4 for each vertex and thread.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// // A square with one diagonal, and a tail.
    /// let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [3, 4]]);
    /// let prepared = Session::open(Options::default())?.prepare(&graph)?;
    /// assert_eq!(prepared.four_cycles_at_vertices()?, [1, 1, 1, 1, 0]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Self::count), and [`Error::Input`](crate::Error::Input) for 2³² edges or more and of a graph that memory does
    /// not hold.
    pub fn four_cycles_at_vertices(&self) -> Result<Vec<u64>> {
        self.working(Phase::Count, |context| {
            let graph = self.oriented()?;
            let by_rank = four_cycles_at_ranks(&graph, context);
            let by_rank = by_rank.map_err(|error| error.of(self.name()))?;
            Ok(by_vertex(&graph, |rank| by_rank[rank]))
        })
    }
}

/// The sums over vertices and edges that motifs are reckoned from. Degrees are below 2³², so that no sum has 128 bits.
fn sums(local: &Local, support: &EdgeValues) -> MotifSums {
    let degree = |vertex: u32| u128::from(local.degree(vertex));
    let vertices = par::map(par::blocks(local.vertex_bound(), par::BLOCK), |block| {
        let mut sums = MotifSums::default();
        for vertex in block {
            let d = degree(vertex as u32);
            let triangles = u128::from(local.triangles(vertex as u32));
            let wedges = d * d.saturating_sub(1) / 2;
            sums.wedges += wedges;
            sums.stars += wedges * d.saturating_sub(2) / 3;
            sums.tailed_triangles += triangles * d.saturating_sub(2);
            sums.triangles += triangles;
        }
        sums
    });
    let edges = par::map(par::blocks(support.len(), par::BLOCK), |block| {
        let mut sums = MotifSums::default();
        let edges = support.edges()[block.clone()].iter().zip(&support.values()[block]);
        for (&[u, v], &triangles) in edges {
            let triangles = u128::from(triangles);
            sums.walks += (degree(u) - 1) * (degree(v) - 1);
            sums.diamonds += triangles * triangles.saturating_sub(1) / 2;
        }
        sums
    });
    let mut all = MotifSums::default();
    for sums in vertices.into_iter().chain(edges) {
        all.wedges += sums.wedges;
        all.stars += sums.stars;
        all.tailed_triangles += sums.tailed_triangles;
        all.triangles += sums.triangles;
        all.walks += sums.walks;
        all.diamonds += sums.diamonds;
    }
    // Each is at three vertices.
    MotifSums { triangles: all.triangles / 3, ..all }
}
