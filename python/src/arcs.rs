//! Directions and weights of edges, and what is found by them.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use tribin::analytics::Triad;
use tribin::report::json;
use tribin::{Duplicates, Graph, Result};

use crate::core::{Core, Numbers, ids_of};
use crate::errors;
use crate::results::listed;

/// The directions and weights of edges that a caller asked for.
#[derive(FromPyObject)]
pub struct ArcKeywords<'py> {
    #[pyo3(attribute)]
    directed: bool,
    /// The column of a table that has the weights.
    #[pyo3(attribute)]
    weight: Option<String>,
    /// The weights, in the order of the edges.
    #[pyo3(attribute)]
    weights: Option<PyReadonlyArray1<'py, f64>>,
    #[pyo3(attribute)]
    duplicates: String,
}

/// Directions and weights of edges, in Rust.
#[derive(Clone)]
pub struct ArcOptions {
    pub directed: bool,
    pub weight: Option<String>,
    weights: Option<Vec<f64>>,
    pub duplicates: Duplicates,
}

impl ArcOptions {
    pub fn of(py: Python<'_>, asked: &ArcKeywords<'_>) -> PyResult<ArcOptions> {
        let duplicates = asked.duplicates.parse();
        Ok(ArcOptions {
            directed: asked.directed,
            weight: asked.weight.clone(),
            weights: asked.weights.as_ref().map(|weights| weights.as_array().to_vec()),
            duplicates: duplicates.map_err(|error| errors::exception(py, &error))?,
        })
    }

    /// The graph with the weights that came beside it.
    pub fn on(&mut self, graph: Graph) -> Result<Graph> {
        let graph = graph.with_duplicates(self.duplicates);
        match self.weights.take() {
            Some(weights) => graph.with_weights(weights),
            None => Ok(graph),
        }
    }
}

/// The names of the classes of triples.
#[pyfunction]
pub fn triad_names() -> Vec<&'static str> {
    Triad::all().map(Triad::name).collect()
}

/// NetworkX's transitivity of a directed graph.
#[pyfunction]
pub fn directed_transitivity(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    progress: Option<Py<PyAny>>,
) -> PyResult<f64> {
    core.get().ask(py, progress, |graph| Ok(graph.directed_local()?.transitivity()))
}

/// How many triples of vertices are of each class.
#[pyfunction]
pub fn census(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<u128>> {
    core.get()
        .ask(py, progress, |graph| Ok(graph.census()?.iter().map(|(_, count)| count).collect()))
}

/// Triangles by the signs of their edges: the object that `tribin stats --sign --json` has.
#[pyfunction]
pub fn signed_triangles(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    zero: String,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    core.get()
        .ask(py, progress, move |graph| Ok(json::line(&graph.signed_triangles(zero.parse()?)?)))
}

/// The share of arcs that have one back, `None` without arcs.
#[pyfunction]
pub fn reciprocity(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Option<f64>> {
    core.get().ask(py, progress, |graph| Ok(graph.reciprocity()?.of_graph()))
}

/// Vertices, and the share of the arcs of each that have one back; not a number without arcs.
#[pyfunction]
pub fn reciprocities(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    all: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<[Numbers; 2]> {
    core.get().ask(py, progress, move |graph| {
        let found = graph.reciprocity()?;
        let vertices = listed(graph, all)?;
        let share = |&vertex: &u32| found.of_vertex(vertex).unwrap_or(f64::NAN);
        let shares = vertices.iter().map(share).collect();
        Ok([ids_of(graph.ids(), vertices.into_iter()), Numbers::Double(shares)])
    })
}
