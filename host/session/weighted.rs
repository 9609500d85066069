//! Results of graphs that know the weights of their edges.
//!
//! Results are the same for any number of CPU threads, and on every GPU. Those of a CPU and of a GPU differ by rounding, within
//! the bounds that are given.

use super::resident::by_vertex;
use super::{PreparedGraph, ResidentGraph};
use crate::analytics::Weighting;
use crate::control::Context;
use crate::graph::{OrientedGraph, Weights};
use crate::plan::Task;
use crate::{Error, Result};
use tribin_analytics::cpu::ends::degrees;
use tribin_analytics::cpu::{directed, weighted};
use tribin_base::par;

impl PreparedGraph {
    /// Whether the edges know their weights.
    pub fn is_weighted(&self) -> bool {
        self.arcs.weights.is_some()
    }

    pub(super) fn weights(&self) -> Result<&Weights> {
        self.arcs
            .weights
            .as_deref()
            .ok_or_else(|| Error::Usage("the graph was prepared without weights".into()))
    }

    /// Refuses a graph with directions.
    pub(super) fn check_undirected(&self, what: &str) -> Result<()> {
        match self.is_directed() {
            true => Err(Error::Usage(format!("{what} are of graphs without directions").into())),
            false => Ok(()),
        }
    }

    /// The sum of the weights of every vertex's edges, by vertex index; self-loops are left out. O(n + m).
    ///
    /// ```
    /// use tribin::{Graph, Options, Session};
    ///
    /// let path = Graph::from_edges([[0, 1], [1, 2]]).with_weights(vec![0.5, 2.0])?;
    /// let weighted = Session::open(Options::default())?.prepare(&path)?;
    /// assert_eq!(weighted.strengths()?, [0.5, 2.5, 2.0]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Input`] where a sum is too large for a double; what the device reports.
    pub fn strengths(&self) -> Result<Vec<f64>> {
        self.check_undirected("sums of weights at vertices")?;
        self.on_host(|graph| {
            let strengths = self.strengths_by_rank(graph)?;
            Ok(by_vertex(graph, |rank| strengths[rank]))
        })
    }

    fn strengths_by_rank(&self, graph: &OrientedGraph) -> Result<Vec<f64>> {
        let weights = &self.weights()?.values;
        self.sums_at_ends(graph, |place| weights[place])
    }

    /// The sum at each rank of a number over its edges.
    fn sums_at_ends(
        &self,
        graph: &OrientedGraph,
        number: impl Fn(usize) -> f64 + Copy + Sync,
    ) -> Result<Vec<f64>> {
        self.finite(graph, weighted::at_ends(graph, number, number))
    }

    /// Refuses sums of weights that are too large.
    fn finite(&self, graph: &OrientedGraph, sums: Vec<f64>) -> Result<Vec<f64>> {
        let Some(rank) = first_infinite(&sums) else { return Ok(sums) };
        let vertex = self.ids().id(graph.vertex_of_rank()[rank]);
        let message =
            format!("the sum of the weights at the vertex {vertex} is too large for a double");
        Err(fault(self, message))
    }

    /// The clustering coefficient of every vertex with weights, by vertex index. With directions it is that of NetworkX's
    /// `clustering` of a `DiGraph` with `weight`: the mean over all possible directed triangles of ∛(ŵ ŵ ŵ), where ŵ is a
    /// weight divided by the largest of the graph. O(m^1.5) work.
    ///
    /// Without negative weights the relative error of the former is at most (√(2m) + 16) · 2⁻⁵³, for m edges.
    ///
    /// ```
    /// use tribin::analytics::Weighting;
    /// use tribin::{Graph, Input, Options, Session};
    ///
    /// let session = Session::open(Options::default())?;
    /// let edges = [[0, 1], [1, 2], [2, 0], [2, 3]];
    /// let graph = Graph::from_edges(edges).with_weights(vec![1.0, 1.0, 1.0, 6.0])?;
    /// let coefficients = session.prepare(&graph)?.weighted_clustering(Weighting::Barrat)?;
    /// assert_eq!(coefficients[2], 0.125);
    ///
    /// let cycle = Graph::from_edges([[0, 1], [1, 2], [2, 0]]).with_weights(vec![1.0, 1.0, 8.0])?;
    /// let directed = session.prepare(Input::from(&cycle).directed())?;
    /// assert_eq!(directed.weighted_clustering(Weighting::Onnela)?, [0.125; 3]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`] where the graph has no weights, and for [`Weighting::Barrat`] of one with directions;
    /// [`Error::Input`] where the largest weight is 0, or another is too far from it, or a sum is too large for a double;
    /// [`Error::Cancelled`].
    pub fn weighted_clustering(&self, weighting: Weighting) -> Result<Vec<f64>> {
        self.weights()?;
        if weighting == Weighting::Barrat {
            self.check_undirected("Barrat's coefficients")?;
        }
        self.on_host(|graph| match weighting {
            Weighting::Onnela if self.is_directed() => self.directed_onnela(graph),
            Weighting::Onnela => self.onnela(graph),
            Weighting::Barrat => self.barrat(graph),
        })
    }

    fn directed_onnela(&self, graph: &OrientedGraph) -> Result<Vec<f64>> {
        let roots = roots(self, self.weights()?)?;
        let of_edges: Vec<f64> = roots.chunks_exact(2).map(|arcs| arcs[0] + arcs[1]).collect();
        let sums = products(self, graph, &of_edges)?;
        let neighbours = directed::neighbours(graph, self.directions()?);
        Ok(by_vertex(graph, |rank| {
            let directed::Neighbours { out, into, mutual } = neighbours[rank];
            let [out, into, mutual] = [out, into, mutual].map(u128::from);
            let degree = out + into + 2 * mutual;
            let possible = degree * degree.saturating_sub(1) - 2 * mutual;
            if sums[rank] == 0.0 { 0.0 } else { sums[rank] / possible as f64 }
        }))
    }

    fn onnela(&self, graph: &OrientedGraph) -> Result<Vec<f64>> {
        let roots = roots(self, self.weights()?)?;
        let sums = products(self, graph, &roots)?;
        let degrees = degrees(graph);
        Ok(by_vertex(graph, |rank| {
            let degree = f64::from(degrees[rank]);
            match sums[rank] {
                0.0 => 0.0,
                sum => 2.0 * sum / (degree * (degree - 1.0)),
            }
        }))
    }

    fn barrat(&self, graph: &OrientedGraph) -> Result<Vec<f64>> {
        let support = self.find_support()?;
        let weights = &self.weights()?.values;
        let weight = |place: usize| weights[place];
        // An edge of a vertex is in as many of its pairs as there are triangles on it.
        let term = |place: usize| weight(place) * f64::from(support[place]);
        let sums = self.sums_at_ends(graph, term)?;
        let (strengths, degrees) = (self.strengths_by_rank(graph)?, degrees(graph));
        // What the weights of all pairs of its edges come to, twice.
        let of_pairs =
            |(rank, strength): (usize, &f64)| strength * (f64::from(degrees[rank]) - 1.0);
        let possible = strengths.iter().enumerate().map(of_pairs).collect();
        let possible = self.finite(graph, possible)?;
        Ok(by_vertex(graph, |rank| match strengths[rank] {
            0.0 => 0.0,
            _ if degrees[rank] < 2 => 0.0,
            _ => sums[rank] / possible[rank],
        }))
    }
}

/// The sum at each rank over its triangles of the product of the numbers of the three edges.
fn products(prepared: &PreparedGraph, graph: &OrientedGraph, numbers: &[f64]) -> Result<Vec<f64>> {
    let find = |held: &dyn ResidentGraph, context: &Context| held.products(numbers, context);
    let (_, by_edge) = prepared.find(Task::Products, find)?;
    Ok(weighted::by_rank(graph, &by_edge))
}

pub(super) fn fault(prepared: &PreparedGraph, message: impl Into<crate::Message>) -> Error {
    Error::Input { file: prepared.name().to_owned(), message: message.into() }
}

/// The place of the first number that is infinite or none.
fn first_infinite(numbers: &[f64]) -> Option<usize> {
    par::find_map_first(par::blocks(numbers.len(), par::BLOCK), |mut block| {
        block.find(|&place| !numbers[place].is_finite())
    })
}

/// The cubic roots of weights divided by the largest.
fn roots(prepared: &PreparedGraph, weights: &Weights) -> Result<Vec<f64>> {
    let Weights { values, largest } = weights;
    if values.is_empty() {
        return Ok(Vec::new());
    }
    if *largest == 0.0 {
        let message = "the largest weight is 0, and coefficients are relative to it";
        return Err(fault(prepared, message));
    }
    let roots = par::tabulate(values.len(), |place| (values[place] / largest).cbrt());
    match first_infinite(&roots) {
        None => Ok(roots),
        Some(place) => Err(fault(
            prepared,
            format!(
                "the weight {} is too large beside the largest, {largest}: coefficients are relative to \
                 that",
                values[place]
            ),
        )),
    }
}
