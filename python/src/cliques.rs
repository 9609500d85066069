//! Cliques: their number, those at every vertex and on every edge; and motifs.

use pyo3::prelude::*;

use crate::core::{Core, Numbers, ends_of, ids_of};
use crate::results::listed;

/// The number of cliques of `k` vertices.
#[pyfunction]
pub fn cliques(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    k: u32,
    progress: Option<Py<PyAny>>,
) -> PyResult<u128> {
    core.get().ask(py, progress, move |graph| Ok(graph.cliques(k)?.cliques))
}

/// Motifs: of each the name, and how often it occurs, induced and as a subgraph.
#[pyfunction]
pub fn motifs(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<(&'static str, u128, u128)>> {
    core.get().ask(py, progress, |graph| {
        let motifs = graph.motifs()?;
        Ok(motifs.iter().map(|(name, _, count)| (name, count.induced, count.subgraphs)).collect())
    })
}

/// Vertices, all or those with an edge, and how many cliques of `k` vertices hold each.
#[pyfunction]
pub fn cliques_at_vertices(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    k: u32,
    all: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<[Numbers; 2]> {
    core.get().ask(py, progress, move |graph| {
        let found = graph.cliques_at_vertices(k)?;
        let vertices = listed(graph, all)?;
        let numbers = vertices.iter().map(|&v| found[v as usize] as i64).collect();
        Ok([ids_of(graph.ids(), vertices.into_iter()), Numbers::Whole(numbers)])
    })
}

/// The ends of edges, and how many cliques of `k` vertices hold each.
#[pyfunction]
pub fn cliques_on_edges(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    k: u32,
    progress: Option<Py<PyAny>>,
) -> PyResult<[Numbers; 3]> {
    core.get().ask(py, progress, move |graph| {
        let found = graph.cliques_on_edges(k)?;
        let [source, target] = ends_of(graph, found.edges().iter().copied());
        let numbers = found.values().iter().map(|&number| number as i64).collect();
        Ok([source, target, Numbers::Whole(numbers)])
    })
}
