//! The figures of a whole graph.

use super::{Local, ReportHead, SignedTriangles};
use crate::count::transitivity;
use crate::graph::Summary;
use crate::plan::OutOfCore;

/// A graph's figures. Serialised, this is the object that `tribin stats --json` prints (docs/json.md);
/// fields are added to it, never renamed or removed.
///
/// All figures are of the simple graph: directions dropped, duplicates merged, self-loops removed.
/// Vertices without an edge are counted where the name says so, and nowhere else.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stats {
    /// The file, the device and the time.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub head: ReportHead,
    /// Vertices of degree > 0.
    pub vertices: u64,
    /// All vertices, as NetworkX counts them: those that the file declares, or else those that an entry names.
    pub vertices_all: u64,
    /// Vertices without an edge: `vertices_all` less `vertices`.
    pub isolated_vertices: u64,
    /// Undirected edges.
    pub edges: u64,
    /// Entries that joined a vertex to itself.
    pub self_loops_dropped: u64,
    /// Entries that repeated an edge, in either direction.
    pub duplicates_dropped: u64,
    /// Edges that were entered in both directions, each of them one duplicate; the other duplicates repeated an entry
    /// as it stood. `None` (JSON: `null`) where the engine did not tell them apart.
    pub reciprocal_dropped: Option<u64>,
    /// The smallest degree above 0; 0 without edges.
    pub min_degree: u64,
    /// 2 · edges / vertices; 0 without edges.
    pub mean_degree: f64,
    /// The middle degree, or the mean of the two in the middle; 0 without edges.
    pub median_degree: f64,
    /// The largest degree.
    pub max_degree: u64,
    /// Pairs of edges that share a vertex, Σ d(d-1)/2: up to 95 bits.
    pub wedges: u128,
    /// Triangles, each once.
    pub triangles: u64,
    /// 3 · triangles / wedges; 0 where there is no wedge.
    pub transitivity: f64,
    /// The mean of the local clustering coefficients of the vertices of degree > 0; those of degree 1 are 0.
    pub average_clustering: f64,
    /// The mean of the local clustering coefficients of all vertices, as NetworkX has it; those of isolated vertices are 0.
    pub average_clustering_all: f64,
    /// The largest k for which there is a subgraph in which every vertex has k neighbours.
    pub degeneracy: u64,
    /// The triangles by the signs of their edges, where they were asked for; otherwise `None`, and then left out of the JSON.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub signed: Option<SignedTriangles>,
    /// The parts and scratch files that finding took, where the edges were in scratch files; `None` where all of them
    /// were in memory, and then left out of the JSON.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub out_of_core: Option<OutOfCore>,
    /// The method that found the triangles.
    pub engine: String,
}

impl Stats {
    /// The figures of a graph, and the method that found its triangles.
    pub fn new(
        head: ReportHead,
        figures: &Summary,
        local: &Local,
        degeneracy: u32,
        vertices_all: u64,
        engine: String,
    ) -> Stats {
        let degrees = local.sorted_degrees();
        let triangles = local.total();
        let middle = degrees.len() / 2;
        let (median_degree, mean_degree) = match degrees.len() {
            0 => (0.0, 0.0),
            n if n % 2 == 1 => (f64::from(degrees[middle]), mean(figures.edges, n)),
            n => (
                (f64::from(degrees[middle - 1]) + f64::from(degrees[middle])) / 2.0,
                mean(figures.edges, n),
            ),
        };
        Stats {
            head,
            vertices: figures.vertices,
            vertices_all,
            isolated_vertices: vertices_all.saturating_sub(figures.vertices),
            edges: figures.edges,
            self_loops_dropped: figures.self_loops_dropped,
            duplicates_dropped: figures.duplicates_dropped,
            reciprocal_dropped: figures.reciprocal_dropped,
            min_degree: degrees.first().map_or(0, |&degree| degree.into()),
            mean_degree,
            median_degree,
            max_degree: figures.max_degree,
            wedges: figures.wedges,
            triangles,
            transitivity: transitivity(triangles, figures.wedges),
            average_clustering: local.average_clustering(),
            average_clustering_all: local.average_clustering_of(vertices_all),
            degeneracy: degeneracy.into(),
            signed: None,
            out_of_core: None,
            engine,
        }
    }
}

fn mean(edges: u64, vertices: usize) -> f64 {
    2.0 * edges as f64 / vertices as f64
}
