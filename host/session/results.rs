//! What the list of results is made of, of a prepared graph.

use super::PreparedGraph;
use super::resident::by_vertex;
use crate::Result;
use crate::analytics::{ByNegatives, DirectedLocal, EdgeValues, Local, Weighting, ZeroSign};
use tribin_analytics::cpu::ends;
use tribin_results::{AtVertices, Finder, GraphKind, TakeEdges};

impl PreparedGraph {
    /// The parts that results at vertices are made of, of which none is found yet.
    pub fn at_vertices(&self) -> AtVertices<'_> {
        AtVertices::new(self)
    }

    /// The kind of the graph: what it knows of its edges.
    pub fn kind(&self) -> GraphKind {
        GraphKind::of(self.is_directed(), self.is_weighted())
    }

    /// The neighbours of every vertex, by vertex index. O(n + m).
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// assert_eq!(Session::open(Options::default())?.prepare(&tailed)?.degrees()?, [2, 2, 3, 1]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`local`](Self::local).
    pub fn degrees(&self) -> Result<Vec<u32>> {
        self.session().install(|| {
            if let Some(on_disk) = &self.on_disk {
                return on_disk.graph.degrees(&self.session().context());
            }
            let graph = self.oriented()?;
            let degrees = ends::degrees(&graph);
            Ok(by_vertex(&graph, |rank| degrees[rank]))
        })
    }
}

impl Finder for PreparedGraph {
    fn local(&self) -> Result<Local> {
        PreparedGraph::local(self)
    }

    fn degrees(&self) -> Result<Vec<u32>> {
        PreparedGraph::degrees(self)
    }

    fn core_numbers(&self) -> Result<Vec<u32>> {
        PreparedGraph::core_numbers(self)
    }

    fn four_cycles(&self) -> Result<Vec<u64>> {
        self.four_cycles_at_vertices()
    }

    fn each_edge(&self, beside: u64, take: &mut TakeEdges<'_>) -> Result<()> {
        self.each_edge_beside(beside, take)
    }

    fn directed_local(&self) -> Result<DirectedLocal> {
        PreparedGraph::directed_local(self)
    }

    fn arcs_among_neighbours(&self) -> Result<Vec<u64>> {
        PreparedGraph::arcs_among_neighbours(self)
    }

    fn strengths(&self) -> Result<Vec<f64>> {
        PreparedGraph::strengths(self)
    }

    fn weighted_clustering(&self, weighting: Weighting) -> Result<Vec<f64>> {
        PreparedGraph::weighted_clustering(self, weighting)
    }
    fn signed_at_vertices(&self, zero: ZeroSign) -> Result<Vec<ByNegatives<u64>>> {
        PreparedGraph::signed_at_vertices(self, zero)
    }

    fn signed_on_edges(&self, zero: ZeroSign) -> Result<EdgeValues<ByNegatives<u32>>> {
        PreparedGraph::signed_on_edges(self, zero)
    }
}
