//! What every engine is to the analyzer.

use super::cpu::truss;
use crate::graph::OrientedGraph;
use crate::prepare::{self, cpu::Prepared};
use crate::{Graph, Result};

/// A method on a device that finds the triangles at every edge.
///
/// Only [`support`](Self::support) must be written: the other results follow from it on the CPU, unless
/// the engine has something faster. All results are of the simple graph, exact, and in the order of the
/// [`OrientedGraph`] graph that they are asked for. Host work runs on the current rayon pool.
///
/// ```
/// use tribin::analytics::{Analyzer, Engine, Options};
/// use tribin::graph::OrientedGraph;
/// use tribin::{Graph, Result};
///
/// /// Looks for every edge's triangles among all vertices.
/// struct Patient;
///
/// impl Engine for Patient {
///     fn name(&self) -> &str {
///         "patient"
///     }
///     fn device(&self) -> String {
///         "cpu".into()
///     }
///     fn device_name(&self) -> String {
///         "any".into()
///     }
///     fn support(&self, graph: &OrientedGraph) -> Result<Vec<u32>> {
///         let edge = |u: u32, v: u32| graph.row(u.max(v)).contains(&u.min(v));
///         let ranks = 0..graph.vertices() as u32;
///         let at = |u, v| ranks.clone().filter(|&w| edge(u, w) && edge(v, w)).count() as u32;
///         Ok(ranks.clone().flat_map(|u| graph.row(u).iter().map(move |&v| at(u, v))).collect())
///     }
/// }
///
/// let analyzer = Analyzer::with_engine(Box::new(Patient), Options::default())?;
/// let graph = analyzer.prepare(&Graph::open("tests/data/karate.mtx")?)?;
/// assert_eq!(analyzer.stats(&graph)?.triangles, 45);
/// assert_eq!(analyzer.k_truss(&graph, 5)?.len(), 14);
/// # Ok::<(), tribin::Error>(())
/// ```
pub trait Engine: Send + Sync {
    /// The method's name.
    fn name(&self) -> &str;

    /// The device as `--device` takes it: `cpu`, `gpu:0`, …
    fn device(&self) -> String;

    /// The device's name for people, for example `NVIDIA H200`.
    fn device_name(&self) -> String;

    /// Cleans and orients a graph. Any order of the ranks is right; ranks by descending degree keep rows
    /// short.
    ///
    /// # Errors
    /// What the device reports; [`Error::DeviceMemory`](crate::Error::DeviceMemory) where the graph does
    /// not fit.
    fn prepare(&self, graph: &Graph) -> Result<Prepared> {
        Ok(prepare::cpu::prepare(graph.edges(), graph.vertex_bound()))
    }

    /// The number of triangles on each edge; entry i is of `graph.heads[i]`.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    fn support(&self, graph: &OrientedGraph) -> Result<Vec<u32>>;

    /// The number of triangles at each rank. By default half the sum of its edges' support.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    fn triangles(&self, graph: &OrientedGraph) -> Result<Vec<u64>> {
        let support = self.support(graph)?;
        let mut twice = vec![0u64; graph.vertices()];
        let mut edges = graph.heads.iter().zip(&support);
        for u in 0..graph.vertices() {
            for (&head, &triangles) in edges.by_ref().take(graph.row(u as u32).len()) {
                twice[u] += u64::from(triangles);
                twice[head as usize] += u64::from(triangles);
            }
        }
        Ok(twice.into_iter().map(|sum| sum / 2).collect())
    }

    /// The trussness of each edge, the largest k whose k-truss has it; entry i is of `graph.heads[i]`. By
    /// default the CPU peels, from this engine's support on.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    fn trussness(&self, graph: &OrientedGraph) -> Result<Vec<u32>> {
        Ok(truss::trussness(graph, self.support(graph)?))
    }

    /// Which edges are in the k-truss; entry i is of `graph.heads[i]`. By default the CPU peels one level,
    /// from this engine's support on.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    fn k_truss(&self, graph: &OrientedGraph, k: u32) -> Result<Vec<bool>> {
        Ok(truss::k_truss(graph, self.support(graph)?, k))
    }
}
