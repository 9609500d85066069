//! A page of HTML with a graph's figures and plots.

use std::path::PathBuf;

use pyo3::prelude::*;
use tribin::report::{OutputFile, page};

use crate::core::Core;

/// Writes the page of a graph to a file, whole or not at all. `labels` are what vertices are called, by index, where it is not what
/// the graph calls them.
#[pyfunction]
#[pyo3(name = "page")]
pub fn page_of(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    path: PathBuf,
    title: String,
    labels: Option<Vec<String>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    core.get().ask(py, progress, move |graph| {
        let output = OutputFile::new(path)?;
        let name = |vertex: u32| match &labels {
            Some(labels) => labels[vertex as usize].clone(),
            None => graph.ids().id(vertex).to_string(),
        };
        output.write(page::html_with(graph, &title, &name)?.as_bytes())
    })
}
