//! Triangles by the labels of their vertices.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::core::{Core, Numbers};

/// Threes of labels one after the other, and the triangles of each. Vertices are ids, or places among names; those that the graph does
/// not have are left out.
#[pyfunction]
pub fn count_by_labels(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    vertices: PyReadonlyArray1<'_, u64>,
    labels: PyReadonlyArray1<'_, u32>,
    unlabelled: u32,
    progress: Option<Py<PyAny>>,
) -> PyResult<[Numbers; 2]> {
    let (vertices, labels) = (vertices.as_array().to_vec(), labels.as_array().to_vec());
    core.get().ask(py, progress, move |graph| {
        let mut of_vertices = vec![Some(unlabelled); graph.vertex_bound()];
        for (&vertex, label) in vertices.iter().zip(labels) {
            let index = match graph.ids().names() {
                Some(_) => Some(vertex as usize),
                None => graph.ids().index(vertex).map(|index| index as usize),
            };
            if let Some(slot) = index.and_then(|index| of_vertices.get_mut(index)) {
                *slot = Some(label);
            }
        }
        let found = graph.count_by_labels(&of_vertices)?;
        let threes = found.iter().flat_map(|(three, _)| three.map(i64::from)).collect();
        let triangles = found.iter().map(|(_, triangles)| *triangles as i64).collect();
        Ok([Numbers::Whole(threes), Numbers::Whole(triangles)])
    })
}
