//! Estimates of triangles and clustering.

use pyo3::prelude::*;
use tribin::analytics::EstimateOptions;
use tribin::report::json;

use crate::core::Core;

/// What `tribin estimate --json` prints.
#[pyfunction]
pub fn estimate(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    error: f64,
    confidence: f64,
    seed: u64,
    sample: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let mut options = EstimateOptions::default();
    (options.error, options.confidence) = (error, confidence);
    (options.seed, options.always_sample) = (seed, sample);
    core.get().ask(py, progress, move |graph| Ok(json::line(&graph.estimate(&options)?)))
}
