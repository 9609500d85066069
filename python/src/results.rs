//! The list of results, and its columns as NumPy arrays.

use std::iter;

use pyo3::prelude::*;
use tribin::results::{
    self, Definition, EDGE_RESULTS, EdgeFacts, EdgeFormula, EdgeResult, GraphKind, OnEdges,
    SIMILARITIES, VERTEX_RESULTS, VertexColumn,
};
use tribin::{PreparedGraph, Result};

use crate::core::{Core, Numbers, ends_of, ids_of};

/// A column of a result on edges, and what reckons it.
enum EdgeColumn {
    Whole(fn(EdgeFacts) -> i64, Vec<i64>),
    Double(fn(EdgeFacts) -> f64, Vec<f64>),
}

impl EdgeColumn {
    fn of(result: &EdgeResult) -> EdgeColumn {
        match result.formula {
            EdgeFormula::Whole(formula) => EdgeColumn::Whole(formula, Vec::new()),
            EdgeFormula::Double(formula) => EdgeColumn::Double(formula, Vec::new()),
        }
    }

    fn add(&mut self, edges: &[EdgeFacts]) {
        let edges = edges.iter().copied();
        match self {
            EdgeColumn::Whole(formula, numbers) => numbers.extend(edges.map(*formula)),
            EdgeColumn::Double(formula, numbers) => numbers.extend(edges.map(*formula)),
        }
    }

    fn numbers(self) -> Numbers {
        match self {
            EdgeColumn::Whole(_, numbers) => Numbers::Whole(numbers),
            EdgeColumn::Double(_, numbers) => Numbers::Double(numbers),
        }
    }
}

/// The vertices that results list: all, or those with an edge.
pub fn listed(graph: &PreparedGraph, all: bool) -> Result<Vec<u32>> {
    let vertices = 0..graph.vertex_bound() as u32;
    if all {
        return Ok(vertices.collect());
    }
    let degrees = graph.degrees()?;
    Ok(vertices.filter(|&vertex| degrees[vertex as usize] > 0).collect())
}

/// Vertices, all or those with an edge, and a column for each of some results.
#[pyfunction]
pub fn at_vertices(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    names: Vec<String>,
    all: bool,
    zero: String,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Numbers>> {
    core.get().ask(py, progress, move |graph| {
        let results = names.iter().map(|name| results::at_vertices(graph.kind(), name));
        let results = results.collect::<Result<Vec<_>>>()?;
        let found = graph.at_vertices().with_zero(zero.parse()?);
        let columns = results.iter().map(|result| (result.find)(&found));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        // Degrees that were found tell which vertices have an edge.
        let vertices = match found.found_local().filter(|_| !all) {
            Some(local) => {
                (0..).zip(local.degrees()).filter(|(_, d)| **d > 0).map(|(v, _)| v).collect()
            }
            None => listed(graph, all)?,
        };
        let numbers = columns.iter().map(|column| match column {
            VertexColumn::Whole(value) => {
                Numbers::Whole(vertices.iter().map(|&v| value(v) as i64).collect())
            }
            VertexColumn::Double(value) => {
                Numbers::Double(vertices.iter().map(|&v| value(v)).collect())
            }
        });
        Ok(iter::once(ids_of(graph.ids(), vertices.iter().copied())).chain(numbers).collect())
    })
}

/// The ends of the edges, and a column for each of some results.
#[pyfunction]
pub fn on_edges(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    names: Vec<String>,
    zero: String,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Numbers>> {
    core.get().ask(py, progress, move |graph| {
        let results = names.iter().map(|name| results::on_edges(graph.kind(), name));
        let results = results.collect::<Result<Vec<_>>>()?;
        let found = OnEdges::find(graph, &results, zero.parse()?)?;
        let mut edges = Vec::new();
        let mut columns: Vec<_> = results.iter().copied().map(EdgeColumn::of).collect();
        // Wherever the graph is, also in scratch files.
        graph.each_edge(|blocks| {
            for block in blocks {
                let facts: Vec<EdgeFacts> = block.iter().map(|&edge| found.facts(edge)).collect();
                columns.iter_mut().for_each(|column| column.add(&facts));
                edges.extend(block);
            }
            Ok(true)
        })?;
        let ends = ends_of(graph, edges.iter().map(|&[u, v, _]| [u, v]));
        Ok(ends.into_iter().chain(columns.into_iter().map(EdgeColumn::numbers)).collect())
    })
}

/// The list of results: the name of each, `vertex`, `edge` or `pair`, what it needs, its formula, its meaning, and its
/// source.
#[pyfunction]
pub fn list_of_results() -> Vec<[&'static str; 6]> {
    let told = |of: &'static str, definition: &Definition| {
        let needs = match definition.needs {
            GraphKind::Plain => "",
            GraphKind::Directed => "directed",
            GraphKind::Weighted => "weight",
            GraphKind::DirectedWeighted => "directed, weight",
        };
        let Definition { name, formula, meaning, source, .. } = *definition;
        [name, of, needs, formula, meaning, source]
    };
    let at_vertices = VERTEX_RESULTS.iter().map(|result| told("vertex", &result.definition));
    let on_edges = EDGE_RESULTS.iter().map(|result| told("edge", &result.definition));
    let of_pairs = SIMILARITIES.iter().map(|similarity| told("pair", similarity.definition));
    at_vertices.chain(on_edges).chain(of_pairs).collect()
}
