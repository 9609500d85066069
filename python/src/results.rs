//! Figures of the whole graph, the list of results, and columns as NumPy arrays.

use std::iter;

use pyo3::prelude::*;
use tribin::analytics::{EdgeValues, EstimateOptions};
use tribin::report::json;
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
fn listed(graph: &PreparedGraph, all: bool) -> Result<Vec<u32>> {
    let vertices = 0..graph.vertex_bound() as u32;
    if all {
        return Ok(vertices.collect());
    }
    let degrees = graph.degrees()?;
    Ok(vertices.filter(|&vertex| degrees[vertex as usize] > 0).collect())
}

/// Figures of the whole graph by their name, in JSON.
#[pyfunction]
#[pyo3(signature = (
    core, what, progress, *, k=3, zero="error", error=0.01, confidence=0.95, seed=1, sample=false
))]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn figures(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    what: String,
    progress: Option<Py<PyAny>>,
    k: u32,
    zero: &str,
    error: f64,
    confidence: f64,
    seed: u64,
    sample: bool,
) -> PyResult<String> {
    let zero = zero.parse();
    core.get().ask(py, progress, move |graph| {
        Ok(match what.as_str() {
            "average_clustering" => json::line(&graph.local()?.average_clustering()),
            "census" => json::line(&graph.census()?),
            "cliques" => json::line(&graph.cliques(k)?.cliques),
            "count" => json::line(&graph.count()?.triangles),
            "directed_transitivity" => json::line(&graph.directed_local()?.transitivity()),
            "estimate" => {
                let mut options = EstimateOptions::default();
                (options.error, options.confidence) = (error, confidence);
                (options.seed, options.always_sample) = (seed, sample);
                json::line(&graph.estimate(&options)?)
            }
            "motifs" => json::line(&graph.motifs()?),
            "reciprocity" => json::line(&graph.reciprocity()?.of_graph()),
            "signed_triangles" => json::line(&graph.signed_triangles(zero?)?),
            "stats" => json::line(&graph.stats()?),
            _ => unreachable!("`{what}` is no figure of a graph"),
        })
    })
}

/// Vertices, all or those with an edge, or the ends of edges, and what is found of each.
#[pyfunction]
pub fn columns(
    py: Python<'_>,
    core: &Bound<'_, Core>,
    what: String,
    k: u32,
    all: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Numbers>> {
    core.get().ask(py, progress, move |graph| match what.as_str() {
        "cliques_at_vertices" => {
            let found = graph.cliques_at_vertices(k)?;
            beside_vertices(graph, all, |v| found[v as usize] as i64, Numbers::Whole)
        }
        "cliques_on_edges" => Ok(beside_ends(graph, &graph.cliques_on_edges(k)?, |n| n as i64)),
        "k_truss" => Ok(ends_of(graph, graph.k_truss(k)?.into_iter()).into()),
        "reciprocities" => {
            let found = graph.reciprocity()?;
            let share = |v| found.of_vertex(v).unwrap_or(f64::NAN);
            beside_vertices(graph, all, share, Numbers::Double)
        }
        "trussness" => Ok(beside_ends(graph, &graph.trussness()?, i64::from)),
        _ => unreachable!("`{what}` is no column"),
    })
}

/// Vertices, all or those with an edge, and a number of each.
fn beside_vertices<N>(
    graph: &PreparedGraph,
    all: bool,
    number: impl Fn(u32) -> N,
    column: fn(Vec<N>) -> Numbers,
) -> Result<Vec<Numbers>> {
    let vertices = listed(graph, all)?;
    let numbers = column(vertices.iter().map(|&vertex| number(vertex)).collect());
    Ok(vec![ids_of(graph.ids(), vertices.into_iter()), numbers])
}

/// The ends of edges, and the number of each.
fn beside_ends<N: Copy>(
    graph: &PreparedGraph,
    found: &EdgeValues<N>,
    whole: fn(N) -> i64,
) -> Vec<Numbers> {
    let [source, target] = ends_of(graph, found.edges().iter().copied());
    let numbers = found.values().iter().map(|&number| whole(number)).collect();
    vec![source, target, Numbers::Whole(numbers)]
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
        let columns = results.iter().map(|result| (result.formula)(&found));
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
    let of_pairs = SIMILARITIES.iter().map(|similarity| told("pair", &similarity.definition));
    at_vertices.chain(on_edges).chain(of_pairs).collect()
}
