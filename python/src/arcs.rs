//! Directions and weights of edges.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use tribin::{Duplicates, Graph, Result};

use crate::errors;

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
