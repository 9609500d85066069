//! Pairs of vertices that share neighbours.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use tribin::analytics::WantedPairs;
use tribin::results::{self, Similarity};
use tribin::{Error, PreparedGraph, Result};

use crate::core::{Core, Numbers, ends_of};

/// Both vertices of each pair, and how alike they are: the most similar ones of every vertex or of one, or all.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn similar(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    by: String,
    top: Option<usize>,
    least: f64,
    without_edges: bool,
    of: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<[Numbers; 3]> {
    core.get().ask(py, progress, move |graph| {
        let vertex = of.map(|of| vertex(graph, of)).transpose()?;
        let wanted = WantedPairs { top, least, without_edges, vertex };
        let mut pairs = Vec::new();
        graph.each_similar_pair(results::similarity(&by)?, wanted, |blocks| {
            blocks.into_iter().for_each(|mut block| pairs.append(&mut block));
            Ok(true)
        })?;
        let [source, target] = ends_of(graph, pairs.iter().map(|pair| pair.ends));
        Ok([source, target, Numbers::Double(pairs.iter().map(|pair| pair.score).collect())])
    })
}

/// How alike the vertices of each pair are. Vertices are ids, or places among names.
#[pyfunction]
pub fn similarities(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    by: String,
    source: PyReadonlyArray1<'_, u64>,
    target: PyReadonlyArray1<'_, u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Numbers> {
    let ends = [source.as_array().to_vec(), target.as_array().to_vec()];
    core.get().ask(py, progress, move |graph| {
        let by: &Similarity = results::similarity(&by)?;
        let pairs = ends[0].iter().zip(&ends[1]);
        let pairs = pairs.map(|(&u, &v)| Ok([vertex(graph, u)?, vertex(graph, v)?]));
        graph.similarities(by, &pairs.collect::<Result<Vec<_>>>()?).map(Numbers::Double)
    })
}

fn vertex(graph: &PreparedGraph, id: u64) -> Result<u32> {
    let ids = graph.ids();
    let index = match ids.names() {
        Some(_) => u32::try_from(id).ok().filter(|&index| (index as usize) < ids.bound()),
        None => ids.index(id),
    };
    index.ok_or_else(|| Error::Usage(format!("there is no vertex {id}").into()))
}
