//! Cliques: their number, those at every vertex and on every edge; and motifs.

use numpy::PyArray1;
use pyo3::prelude::*;

use crate::core::{Array, Core, Vertices, ids_of};
use crate::results::listed;

/// The number of cliques of `k` vertices.
#[pyfunction]
#[pyo3(signature = (core, k, progress=None))]
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
#[pyo3(signature = (core, progress=None))]
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
#[pyo3(signature = (core, k, all, progress=None))]
pub fn cliques_at_vertices<'py>(
    py: Python<'py>,
    core: &Bound<'_, Core>,
    k: u32,
    all: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Array<'py>, Array<'py>)> {
    let (vertices, numbers) = core.get().ask(py, progress, move |graph| {
        let found = graph.cliques_at_vertices(k)?;
        let vertices = listed(graph, all)?;
        let numbers: Vec<i64> = vertices.iter().map(|&v| found[v as usize] as i64).collect();
        Ok((ids_of(graph.ids(), vertices.into_iter()), numbers))
    })?;
    Ok((vertices.into_array(py), PyArray1::from_vec(py, numbers).into_any()))
}

/// Edges, and how many cliques of `k` vertices hold each.
#[pyfunction]
#[pyo3(signature = (core, k, progress=None))]
pub fn cliques_on_edges<'py>(
    py: Python<'py>,
    core: &Bound<'_, Core>,
    k: u32,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Array<'py>, Array<'py>, Array<'py>)> {
    let found: (Vertices, Vertices, Vec<i64>) = core.get().ask(py, progress, move |graph| {
        let found = graph.cliques_on_edges(k)?;
        let end = |end: usize| ids_of(graph.ids(), found.edges().iter().map(move |edge| edge[end]));
        let numbers = found.values().iter().map(|&number| number as i64).collect();
        Ok((end(0), end(1), numbers))
    })?;
    let numbers = PyArray1::from_vec(py, found.2).into_any();
    Ok((found.0.into_array(py), found.1.into_array(py), numbers))
}
