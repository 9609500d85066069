//! The list of results: what is found at every vertex and on every edge, each with its name, its definition and its formula.
//!
//! A result is one entry: of [`VERTEX_RESULTS`], [`EDGE_RESULTS`] or [`SIMILARITIES`] (of any two vertices). Columns of tables, the
//! help of the command, Python's tables and docs/analytics.md are made of these lists. A formula is arithmetic on what a
//! [`PreparedGraph`] finds, so that a result works wherever a graph is: on the CPU, on one GPU or several, and mostly in scratch files.
//!
//! ```
//! # std::env::set_current_dir("../..").unwrap();
//! use tribin::results::{self, GraphKind};
//! use tribin::{Options, Session};
//!
//! let karate = Session::open(Options::default())?.prepare("tests/data/karate.mtx")?;
//! let result = results::at_vertices(GraphKind::Plain, "triangle_centrality")?;
//! let found = karate.at_vertices();
//! assert_eq!((result.formula)(&found)?.double(13), 34.0 / 45.0);
//! # Ok::<(), tribin::Error>(())
//! ```

mod at_vertices;
mod on_edges;
mod similarities;

use tribin_analytics::cpu::ends;
use tribin_analytics::{ByNegatives, SignedTriangles};
use tribin_base::{Error, Result};

pub use at_vertices::{AtVertices, VERTEX_RESULTS, VertexColumn, VertexResult};
pub use on_edges::{EDGE_RESULTS, EdgeFacts, EdgeFormula, EdgeResult, OnEdges};
pub use similarities::{SIMILARITIES, Similarity, SimilarityFormula, similarity};

use crate::PreparedGraph;
use crate::resident::by_vertex;

/// Takes edges, some blocks at a time: two vertices and the triangles on each. It says whether more are wanted.
pub type TakeEdges<'a> = dyn FnMut(Vec<Vec<[u32; 3]>>) -> Result<bool> + Send + 'a;

impl PreparedGraph {
    /// The parts that results at vertices are made of, of which none is found yet.
    pub fn at_vertices(&self) -> AtVertices<'_> {
        AtVertices::new(self)
    }

    /// The kind of the graph: what it knows of its edges.
    pub fn kind(&self) -> GraphKind {
        GraphKind::of(self.is_directed(), self.is_weighted())
    }

    /// The neighbours of every vertex, by vertex index. O(n + m).
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// assert_eq!(Session::open(Options::default())?.prepare(&tailed)?.degrees()?, [2, 2, 3, 1]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`local`](Self::local).
    pub fn degrees(&self) -> Result<Vec<u32>> {
        self.session().install(|| {
            if let Some(on_disk) = &self.on_disk {
                return on_disk.graph.degrees(&self.session().context());
            }
            let graph = self.oriented()?;
            let degrees = ends::degrees(&graph);
            Ok(by_vertex(&graph, |rank| degrees[rank]))
        })
    }
}

/// Where signed triangles are from.
const BALANCE: &str = "Dorwin Cartwright and Frank Harary, Structural balance, 1956";

/// The share of triangles whose signs have a positive product; NaN where there are none.
fn balanced(signs: ByNegatives<u64>) -> f64 {
    SignedTriangles::of(signs).balanced.unwrap_or(f64::NAN)
}

/// The facts of its edges that a graph has to know for a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum GraphKind {
    /// The graph knows the ends of its edges alone.
    Plain,
    /// The graph knows the directions of its edges.
    Directed,
    /// The graph knows the weights of its edges.
    Weighted,
    /// The graph knows the directions and the weights of its edges.
    DirectedWeighted,
}

impl GraphKind {
    /// The kind of a graph that knows directions, and weights.
    pub fn of(is_directed: bool, is_weighted: bool) -> GraphKind {
        match (is_directed, is_weighted) {
            (false, false) => GraphKind::Plain,
            (true, false) => GraphKind::Directed,
            (false, true) => GraphKind::Weighted,
            (true, true) => GraphKind::DirectedWeighted,
        }
    }

    /// Whether a graph of this kind has results of another kind. What is plain, every graph has.
    fn has(self, needed: GraphKind) -> bool {
        match needed {
            GraphKind::Plain => true,
            GraphKind::Directed => {
                matches!(self, GraphKind::Directed | GraphKind::DirectedWeighted)
            }
            GraphKind::Weighted | GraphKind::DirectedWeighted => self == needed,
        }
    }

    /// The words for what a graph of this kind is prepared with, and for the option that asks for it.
    fn needed(self) -> &'static str {
        match self {
            GraphKind::Plain => "of any kind",
            GraphKind::Directed => "with directions (`--directed`)",
            GraphKind::Weighted => "with weights and without directions (`--weight`)",
            GraphKind::DirectedWeighted => "with directions and weights (`--directed`, `--weight`)",
        }
    }
}

/// The name of a result, and its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Definition {
    /// The name of the result, which is that of its column.
    pub name: &'static str,
    /// What a graph has to know.
    pub needs: GraphKind,
    /// What a number is, without a sentence around it, as docs/analytics.md has it.
    pub formula: &'static str,
    /// The meaning in one sentence, for people who do not know the result.
    pub meaning: &'static str,
    /// The source of the definition, and what other programs call the result; empty for what everybody knows.
    pub source: &'static str,
}

/// A result of the list: its definition, and a formula that is a function of what is found in a graph.
#[derive(Debug, Clone, Copy)]
pub struct ListedResult<F> {
    /// The name and the meaning of the result.
    pub definition: Definition,
    /// The formula of the result.
    pub formula: F,
}

impl<F> ListedResult<F> {
    const fn of(
        needs: GraphKind,
        name: &'static str,
        symbols: &'static str,
        meaning: &'static str,
        source: &'static str,
        formula: F,
    ) -> ListedResult<F> {
        let definition = Definition { name, needs, formula: symbols, meaning, source };
        ListedResult { definition, formula }
    }
}

/// A result of every graph.
const fn plain<F>(
    name: &'static str,
    symbols: &'static str,
    meaning: &'static str,
    source: &'static str,
    formula: F,
) -> ListedResult<F> {
    ListedResult::of(GraphKind::Plain, name, symbols, meaning, source, formula)
}

/// A result of graphs with directions.
const fn directed<F>(
    name: &'static str,
    symbols: &'static str,
    meaning: &'static str,
    source: &'static str,
    formula: F,
) -> ListedResult<F> {
    ListedResult::of(GraphKind::Directed, name, symbols, meaning, source, formula)
}

/// A result of graphs with weights and without directions.
const fn weighted<F>(
    name: &'static str,
    symbols: &'static str,
    meaning: &'static str,
    source: &'static str,
    formula: F,
) -> ListedResult<F> {
    ListedResult::of(GraphKind::Weighted, name, symbols, meaning, source, formula)
}

/// The result at vertices that a graph of some kind calls so: one of its own kind before a plain one.
///
/// # Errors
/// [`Error::Usage`] for other names, with those that there are, and for results that need what the graph does not know.
pub fn at_vertices(graph: GraphKind, name: &str) -> Result<&'static VertexResult> {
    named(graph, name, VERTEX_RESULTS)
}

/// The result on edges of some kind of graph that is called so.
///
/// # Errors
/// As [`at_vertices`].
pub fn on_edges(graph: GraphKind, name: &str) -> Result<&'static EdgeResult> {
    named(graph, name, EDGE_RESULTS)
}

fn named<F>(
    graph: GraphKind,
    name: &str,
    list: &'static [ListedResult<F>],
) -> Result<&'static ListedResult<F>> {
    let called = || list.iter().filter(|result| result.definition.name == name);
    // Results with directions come after plain ones of the same name.
    let own = called().rev().find(|result| graph.has(result.definition.needs));
    if let Some(result) = own {
        return Ok(result);
    }
    let message = match called().next() {
        Some(result) => {
            format!("`{name}` is a result of graphs {}", result.definition.needs.needed())
        }
        None => {
            let there = list.iter().map(|result| &result.definition);
            let there = there.filter(|definition| graph.has(definition.needs));
            let mut names: Vec<&str> = there.map(|definition| definition.name).collect();
            names.dedup();
            format!("`{name}` is no result: there are {}", names.join(", "))
        }
    };
    Err(Error::Usage(message.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_found_by_its_name_and_its_graph() {
        let formula = |graph, name| at_vertices(graph, name).unwrap().definition.needs;
        assert_eq!(formula(GraphKind::Plain, "triangles"), GraphKind::Plain);
        assert_eq!(formula(GraphKind::Directed, "triangles"), GraphKind::Directed);
        assert_eq!(formula(GraphKind::DirectedWeighted, "core"), GraphKind::Plain);
        for (graph, name, message) in [
            (GraphKind::Plain, "in_degree", "`in_degree` is a result of graphs with directions (`"),
            (GraphKind::Directed, "onnela", "`onnela` is a result of graphs with weights and"),
            (GraphKind::Plain, "degrees", "`degrees` is no result: there are degree, triangles, "),
        ] {
            let error = at_vertices(graph, name).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let on_edges = |name| on_edges(GraphKind::Plain, name);
        assert!(on_edges("jaccard").is_ok() && on_edges("degree").is_err());
        let error = on_edges("balanced").unwrap_err().to_string();
        assert!(error.starts_with("`balanced` is a result of graphs with weights and"), "{error}");
    }

    /// A kind of graph has one result of a name, and every definition is whole.
    #[test]
    fn definitions_are_whole_and_names_are_told_apart() {
        let at_vertices = VERTEX_RESULTS.iter().map(|result| &result.definition);
        let on_edges = EDGE_RESULTS.iter().map(|result| &result.definition);
        for list in [at_vertices.collect::<Vec<_>>(), on_edges.collect()] {
            for (place, one) in list.iter().enumerate() {
                let same =
                    |other: &&&Definition| (other.name, other.needs) == (one.name, one.needs);
                assert_eq!(list.iter().filter(same).count(), 1, "{}", one.name);
                assert!(one.meaning.ends_with('.') && !one.formula.is_empty(), "{place}");
                assert!(
                    one.name.chars().all(|c| c.is_ascii_lowercase() || c == '_'),
                    "{}",
                    one.name
                );
            }
        }
    }
}
