//! Graphs that know the directions of their edges, or their weights.

use std::sync::Arc;
use std::time::Instant;

use super::{Held, PreparedGraph, Session};
use crate::analytics::{
    Census, DirectedLocal, DirectedSeconds, DirectedStats, Reciprocity, Weighting,
};
use crate::control::{Context, Phase, Work};
use crate::count::RanOn;
use crate::graph::{Directions, OrientedGraph, Weights};
use crate::plan::Task;
use crate::plan::finder::{Finder, FinderFacts, finder};
use crate::read::{Options as ReadOptions, Source};
use crate::{Cancel, Error, Graph, Result};
use tribin_analytics::cpu::ends::degrees;
use tribin_analytics::cpu::{directed, weighted};
use tribin_base::par;
use tribin_cpu::prepare::{directions, weights};

/// What a message calls triangles by the directions of their edges.
const BY_DIRECTION: &str = "the triangles by direction";

/// A directed simple graph: a [`PreparedGraph`] whose edges know their directions, and their weights if the
/// [`Graph`] had some.
///
/// An entry leads from its first vertex to its second, unless the file says that its edges have no direction
/// ([`Graph::has_both_directions`]). Duplicates are dropped; self-loops are only part of the
/// [reciprocity](Self::reciprocity).
///
/// Triangles, by direction and with weights, are found on the session's device. Where that was left open, a GPU finds them
/// if the graph is large enough for it to pay, and the CPU otherwise. What is counted by vertex alone is found on the CPU.
#[derive(Debug, Clone)]
pub struct DirectedGraph {
    prepared: PreparedGraph,
    /// What finding the directions took.
    seconds: f64,
    directions: Arc<Directions>,
    weights: Option<Arc<Weights>>,
}

/// An undirected simple graph with weights: a [`PreparedGraph`] whose edges know theirs. Triangles are found on the
/// session's device. Where that was left open, a GPU finds those of [`Weighting::Onnela`] if the graph is large enough for
/// it to pay.
///
/// Results are the same for any number of CPU threads, and on every GPU. Those of a CPU and of a GPU differ by rounding, within
/// the bounds that are given.
#[derive(Debug, Clone)]
pub struct WeightedGraph {
    prepared: PreparedGraph,
    weights: Arc<Weights>,
}

impl Session {
    /// Prepares a graph with the directions of its entries, and with their weights if it has some.
    /// O(m log m) work for m entries; beside what [`prepare`](Self::prepare) keeps, 1 byte an edge, and 16 more
    /// where there are weights.
    ///
    /// ```
    /// use tribin::{Graph, Options, Session};
    ///
    /// let cycle = Graph::from_edges([[0, 1], [1, 2], [2, 0]]);
    /// let directed = Session::new(Options::default())?.prepare_directed(&cycle)?;
    /// assert_eq!(directed.local()?.in_degree(0), 1);
    /// assert_eq!(directed.undirected().count()?.triangles, 1);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare); [`Error::Input`] where duplicates have weights that do not go
    /// together ([`Graph::with_duplicates`]).
    pub fn prepare_directed(&self, graph: &Graph) -> Result<DirectedGraph> {
        self.directed(graph, self.prepare_for(graph, Task::ByDirection)?)
    }

    /// Reads a graph, and prepares it with the directions of its entries. Work and memory are those of
    /// [`prepare_directed`](Self::prepare_directed), beside what reading takes.
    ///
    /// ```
    /// # std::env::set_current_dir("../..").unwrap();
    /// use tribin::{Options, Session, read};
    ///
    /// let session = Session::new(Options::default())?;
    /// let reading = read::Options::default();
    /// let karate = session.prepare_directed_file("tests/data/karate.mtx", &reading)?;
    /// assert_eq!(karate.undirected().count()?.triangles, 45);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`prepare_directed`](Self::prepare_directed) and [`prepare_file`](Self::prepare_file).
    pub fn prepare_directed_file(
        &self,
        source: impl Into<Source>,
        reading: &ReadOptions,
    ) -> Result<DirectedGraph> {
        let source = source.into();
        self.install(|| {
            self.while_opening(&source, reading, Task::ByDirection, || {
                let (graph, read) = self.read(&source, reading)?;
                self.directed(&graph, self.prepared(&graph, read, Task::ByDirection)?)
            })
        })
    }

    fn directed(&self, graph: &Graph, prepared: PreparedGraph) -> Result<DirectedGraph> {
        self.install(|| {
            let (start, context) = (Instant::now(), self.context());
            let oriented = prepared.oriented()?;
            let directions = directions(graph, &oriented, &context)?.into();
            let weights =
                graph.weights().map(|_| weights(graph, &oriented, true, &context).map(Arc::new));
            let (weights, seconds) = (weights.transpose()?, start.elapsed().as_secs_f64());
            Ok(DirectedGraph { prepared, seconds, directions, weights })
        })
    }

    /// Prepares a graph with its weights. O(m log m) work for m entries; beside what [`prepare`](Self::prepare)
    /// keeps, 8 bytes an edge.
    ///
    /// ```
    /// use tribin::analytics::Weighting;
    /// use tribin::{Graph, Options, Session};
    ///
    /// let graph = Graph::from_edges([[0, 1], [1, 2], [2, 0]]).with_weights(vec![1.0, 1.0, 8.0])?;
    /// let weighted = Session::new(Options::default())?.prepare_weighted(&graph)?;
    /// // ∛(1/8 · 1/8 · 1)
    /// assert_eq!(weighted.clustering(Weighting::Onnela)?, [0.25; 3]);
    /// assert_eq!(weighted.strengths()?, [9.0, 2.0, 9.0]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare); [`Error::Input`] where the graph has no weights, or those of duplicates do
    /// not go together ([`Graph::with_duplicates`]).
    pub fn prepare_weighted(&self, graph: &Graph) -> Result<WeightedGraph> {
        self.weighted(graph, self.prepare_for(graph, Task::Products)?)
    }

    /// Reads a graph, and prepares it with its weights. Work and memory are those of
    /// [`prepare_weighted`](Self::prepare_weighted), beside what reading takes.
    ///
    /// ```
    /// use tribin::{Options, Session, read};
    ///
    /// let file = std::env::temp_dir().join(format!("tribin-{}.csv", std::process::id()));
    /// std::fs::write(&file, "0,1,0.5\n1,2,2.0\n2,0,1.0\n").unwrap();
    /// let mut reading = read::Options::default();
    /// reading.weight = Some("weight".into());
    /// let session = Session::new(Options::default())?;
    /// let triangle = session.prepare_weighted_file(&file, &reading)?;
    /// assert_eq!(triangle.strengths()?, [1.5, 2.5, 3.0]);
    /// # std::fs::remove_file(file).unwrap();
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`prepare_weighted`](Self::prepare_weighted) and [`prepare_file`](Self::prepare_file).
    pub fn prepare_weighted_file(
        &self,
        source: impl Into<Source>,
        reading: &ReadOptions,
    ) -> Result<WeightedGraph> {
        let source = source.into();
        self.install(|| {
            self.while_opening(&source, reading, Task::Products, || {
                let (graph, read) = self.read(&source, reading)?;
                self.weighted(&graph, self.prepared(&graph, read, Task::Products)?)
            })
        })
    }

    fn weighted(&self, graph: &Graph, prepared: PreparedGraph) -> Result<WeightedGraph> {
        self.install(|| {
            let oriented = prepared.oriented()?;
            let weights = weights(graph, &oriented, false, &self.context())?.into();
            Ok(WeightedGraph { prepared, weights })
        })
    }
}

impl DirectedGraph {
    /// This graph without directions and weights.
    pub fn undirected(&self) -> &PreparedGraph {
        &self.prepared
    }

    /// This graph for work with a token, a gauge and a listener of its own, as
    /// [`PreparedGraph::with_control`]. O(1).
    pub fn with_control(
        &self,
        cancel: Cancel,
        work: Work,
        on_phase: impl Fn(Phase) + Send + Sync + 'static,
    ) -> DirectedGraph {
        DirectedGraph {
            prepared: self.prepared.with_control(cancel, work, on_phase),
            seconds: self.seconds,
            directions: Arc::clone(&self.directions),
            weights: self.weights.clone(),
        }
    }

    /// Degrees, directed triangles and clustering coefficients of every vertex. O(m^1.5) work.
    ///
    /// ```
    /// use tribin::analytics::TriangleKind;
    /// # use tribin::{Graph, Options, Session};
    ///
    /// let graph = Graph::from_edges([[0, 1], [1, 2], [0, 2]]);
    /// let local = Session::new(Options::default())?.prepare_directed(&graph)?.local()?;
    /// assert_eq!(local.triangles(TriangleKind::Middleman, 1), 1);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// What the device reports, and [`Error::Cancelled`].
    pub fn local(&self) -> Result<DirectedLocal> {
        self.on_cpu(|graph| {
            let (_, kinds) = find(
                (&self.prepared, graph),
                (BY_DIRECTION, Task::ByDirection),
                |held, context| held.directed_triangles(&self.directions.bits, context),
                |context| directed::kinds(graph, &self.directions, context),
            )?;
            let neighbours = directed::neighbours(graph, &self.directions);
            Ok(DirectedLocal::of_ranks(graph, &neighbours, &kinds))
        })
    }

    /// The clustering coefficient of every vertex with weights, by vertex index, as NetworkX's `clustering` of a
    /// `DiGraph` with `weight`: the mean over all possible directed triangles of ∛(ŵ ŵ ŵ), where ŵ is a weight
    /// divided by the largest of the graph. O(m^1.5) work.
    ///
    /// Without negative weights the relative error is at most (√(2m) + 16) · 2⁻⁵³, for m edges.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// let graph = Graph::from_edges([[0, 1], [1, 2], [2, 0]]).with_weights(vec![1.0, 1.0, 8.0])?;
    /// let directed = Session::new(Options::default())?.prepare_directed(&graph)?;
    /// assert_eq!(directed.weighted_clustering()?, [0.125; 3]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Input`] where the graph has no weights, the largest is 0, or another is too far from it;
    /// [`Error::Cancelled`].
    pub fn weighted_clustering(&self) -> Result<Vec<f64>> {
        let Some(weights) = &self.weights else {
            return Err(fault(&self.prepared, "the graph was prepared without weights"));
        };
        self.on_cpu(|graph| {
            let roots = roots(&self.prepared, weights)?;
            let of_edges: Vec<f64> = roots.chunks_exact(2).map(|arcs| arcs[0] + arcs[1]).collect();
            let sums = products(&self.prepared, graph, &of_edges)?;
            let neighbours = directed::neighbours(graph, &self.directions);
            Ok(by_vertex(graph, |rank| {
                let directed::Neighbours { out, into, mutual } = neighbours[rank];
                let [out, into, mutual] = [out, into, mutual].map(u128::from);
                let degree = out + into + 2 * mutual;
                let possible = degree * degree.saturating_sub(1) - 2 * mutual;
                if sums[rank] == 0.0 { 0.0 } else { sums[rank] / possible as f64 }
            }))
        })
    }

    /// How many triples of vertices are of each of 16 classes. All vertices count: those that the file declares, or
    /// else those that an entry names. O(m^1.5) work, whatever the number of triples.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// let graph = Graph::from_edges([[0, 1], [1, 2], [2, 0]]);
    /// let census = Session::new(Options::default())?.prepare_directed(&graph)?.census()?;
    /// let counts: Vec<_> = census.iter().map(|(class, count)| (class.name(), count)).collect();
    /// assert_eq!(counts[9], ("030C", 1));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`local`](Self::local).
    pub fn census(&self) -> Result<Census> {
        Ok(self.find_census()?.2)
    }

    /// What found the triangles, the number of all vertices, and the census.
    fn find_census(&self) -> Result<(RanOn, u64, Census)> {
        self.on_cpu(|graph| {
            let (ran_on, codes) = find(
                (&self.prepared, graph),
                (BY_DIRECTION, Task::ByDirection),
                |held, context| held.triangles_by_directions(&self.directions.bits, context),
                |context| directed::codes(graph, &self.directions, context),
            )?;
            let neighbours = directed::neighbours(graph, &self.directions);
            let mut joined = vec![false; graph.vertices()];
            for (&vertex, of_rank) in graph.vertex_of_rank.iter().zip(&neighbours) {
                joined[vertex as usize] = *of_rank != directed::Neighbours::default();
            }
            let vertices = self.prepared.vertices(|vertex| joined[vertex as usize]);
            Ok((ran_on, vertices, Census::new(vertices, &neighbours, &codes)))
        })
    }

    /// The figures of the whole graph: arcs, reciprocity, and the census. O(m^1.5) work.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// let graph = Graph::from_edges([[0, 1], [1, 2], [2, 0], [0, 2]]);
    /// let stats = Session::new(Options::default())?.prepare_directed(&graph)?.stats()?;
    /// assert_eq!((stats.arcs, stats.mutual_arcs, stats.triangles), (4, 2, 1));
    /// assert_eq!(stats.reciprocity, Some(0.5));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`local`](Self::local).
    pub fn stats(&self) -> Result<DirectedStats> {
        let start = Instant::now();
        let (ran_on, vertices, census) = self.find_census()?;
        let reciprocity = self.reciprocity()?;
        let (read, prepare) = self.prepared.seconds();
        let mut seconds = DirectedSeconds::default();
        (seconds.read, seconds.prepare) = (read, prepare + self.seconds);
        seconds.count = start.elapsed().as_secs_f64();
        seconds.total = seconds.read + seconds.prepare + seconds.count;
        let reading = self.prepared.reading().cloned();
        let RanOn { device, device_name, .. } = ran_on;
        let (file, device) = ((self.prepared.name(), reading), (device, device_name));
        Ok(self
            .prepared
            .session()
            .install(|| DirectedStats::new(file, vertices, &reciprocity, census, device, seconds)))
    }

    /// How many arcs have one back. O(n + m) work.
    ///
    /// ```
    /// use tribin::{Graph, Options, Session};
    ///
    /// let arcs = Graph::from_edges([[0, 1], [1, 0], [1, 2]]);
    /// let directed = Session::new(Options::default())?.prepare_directed(&arcs)?;
    /// let reciprocity = directed.reciprocity()?;
    /// assert_eq!((reciprocity.arcs(), reciprocity.mutual_arcs()), (3, 2));
    /// assert_eq!(reciprocity.of_vertex(2), Some(0.0));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// What the device reports.
    pub fn reciprocity(&self) -> Result<Reciprocity> {
        self.on_cpu(|graph| {
            let neighbours = directed::neighbours(graph, &self.directions);
            Ok(Reciprocity::of_ranks(graph, &neighbours, &self.directions))
        })
    }

    fn on_cpu<T: Send>(&self, run: impl FnOnce(&OrientedGraph) -> Result<T> + Send) -> Result<T> {
        on_cpu(&self.prepared, run)
    }
}

impl WeightedGraph {
    /// This graph without weights.
    pub fn unweighted(&self) -> &PreparedGraph {
        &self.prepared
    }

    /// This graph for work with a token, a gauge and a listener of its own, as
    /// [`PreparedGraph::with_control`]. O(1).
    pub fn with_control(
        &self,
        cancel: Cancel,
        work: Work,
        on_phase: impl Fn(Phase) + Send + Sync + 'static,
    ) -> WeightedGraph {
        WeightedGraph {
            prepared: self.prepared.with_control(cancel, work, on_phase),
            weights: Arc::clone(&self.weights),
        }
    }

    /// The sum of the weights of every vertex's edges, by vertex index; self-loops are left out. O(n + m).
    ///
    /// ```
    /// use tribin::{Graph, Options, Session};
    ///
    /// let path = Graph::from_edges([[0, 1], [1, 2]]).with_weights(vec![0.5, 2.0])?;
    /// let weighted = Session::new(Options::default())?.prepare_weighted(&path)?;
    /// assert_eq!(weighted.strengths()?, [0.5, 2.5, 2.0]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Input`] where a sum is too large for a double; what the device reports.
    pub fn strengths(&self) -> Result<Vec<f64>> {
        self.on_cpu(|graph| {
            let strengths = self.strengths_by_rank(graph)?;
            Ok(by_vertex(graph, |rank| strengths[rank]))
        })
    }

    fn strengths_by_rank(&self, graph: &OrientedGraph) -> Result<Vec<f64>> {
        self.sums_at_ends(graph, |place| self.weights.values[place])
    }

    /// For each rank the sum of a number over its edges.
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
        let vertex = self.prepared.ids().id(graph.vertex_of_rank[rank]);
        let message =
            format!("the sum of the weights at the vertex {vertex} is too large for a double");
        Err(fault(&self.prepared, message))
    }

    /// The clustering coefficient of every vertex, by vertex index. O(m^1.5) work.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// use tribin::analytics::Weighting;
    ///
    /// let edges = [[0, 1], [1, 2], [2, 0], [2, 3]];
    /// let graph = Graph::from_edges(edges).with_weights(vec![1.0, 1.0, 1.0, 6.0])?;
    /// let weighted = Session::new(Options::default())?.prepare_weighted(&graph)?;
    /// assert_eq!(weighted.clustering(Weighting::Barrat)?[2], 0.125);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Input`] where the largest weight is 0, or another is too far from it, or a sum is too large for a double;
    /// [`Error::Cancelled`].
    pub fn clustering(&self, weighting: Weighting) -> Result<Vec<f64>> {
        self.on_cpu(|graph| match weighting {
            Weighting::Onnela => self.onnela(graph),
            Weighting::Barrat => self.barrat(graph),
        })
    }

    fn onnela(&self, graph: &OrientedGraph) -> Result<Vec<f64>> {
        let roots = roots(&self.prepared, &self.weights)?;
        let sums = products(&self.prepared, graph, &roots)?;
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
        let context = self.prepared.session().context();
        let (_, support) = self.prepared.or_on_cpu(Task::OnEdges, |held| held.support(&context))?;
        let weight = |place: usize| self.weights.values[place];
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

    fn on_cpu<T: Send>(&self, run: impl FnOnce(&OrientedGraph) -> Result<T> + Send) -> Result<T> {
        on_cpu(&self.prepared, run)
    }
}

/// Finds something of triangles on the session's device, if that is chosen, and otherwise or where it fails and was left
/// open on the CPU. Says which it was. `what` is what is found.
fn find<T>(
    (prepared, graph): (&PreparedGraph, &OrientedGraph),
    (what, task): (&str, Task),
    on_device: impl Fn(&dyn Held, &Context) -> Result<Option<T>>,
    on_cpu: impl Fn(&Context) -> Result<T>,
) -> Result<(RanOn, T)> {
    let session = prepared.session();
    let context = session.context();
    let (_, runner) = prepared.place(task)?;
    if !runner.is_cpu() {
        let facts = FinderFacts {
            left_open: session.is_left_open(),
            wedges: graph.wedges(),
            threads: par::threads(),
        };
        let chosen = finder(&facts);
        let rejected = chosen.rejected.iter().flat_map(|rejected| &rejected.because);
        let reasons: Vec<String> =
            chosen.because.iter().chain(rejected).map(ToString::to_string).collect();
        let (name, by) = (prepared.name(), chosen.name);
        tracing::info!("{name}: {by} finds {what}: {}", reasons.join(", "));
        if chosen.choice == Finder::Device
            && let (ran_on, Some(found)) =
                prepared.or_on_cpu(task, |held| on_device(held, &context))?
        {
            return Ok((ran_on, found));
        }
    }
    Ok((Session::cpu(), on_cpu(&context)?))
}

/// For each rank the sum over its triangles of the product of the numbers of the three edges.
fn products(prepared: &PreparedGraph, graph: &OrientedGraph, numbers: &[f64]) -> Result<Vec<f64>> {
    let (_, by_edge) = find(
        (prepared, graph),
        ("the sums of weights", Task::Products),
        |held, context| held.products_of_triangles(numbers, context),
        |context| weighted::by_edge(graph, numbers, context),
    )?;
    Ok(weighted::by_rank(graph, &by_edge))
}

/// Runs on the graph in host memory.
fn on_cpu<T: Send>(
    prepared: &PreparedGraph,
    run: impl FnOnce(&OrientedGraph) -> Result<T> + Send,
) -> Result<T> {
    let session = prepared.session();
    session.install(|| {
        let graph = prepared.oriented()?;
        session.context().cancel().check()?;
        session.phase(Phase::Count);
        run(&graph)
    })
}

fn fault(prepared: &PreparedGraph, message: impl Into<crate::Message>) -> Error {
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

/// What is found by rank, in the order of the vertices.
fn by_vertex(graph: &OrientedGraph, value: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut values = vec![0.0; graph.vertices()];
    for (rank, &vertex) in graph.vertex_of_rank.iter().enumerate() {
        values[vertex as usize] = value(rank);
    }
    values
}
