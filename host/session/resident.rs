//! A prepared graph where it lies, and what is found there.

use std::sync::Arc;
use std::time::Instant;

use super::cpu::add_steps;
use crate::analytics::{Local, Triangles, WantedTruss};
use crate::control::{Context, Phase};
use crate::count::{EngineChoice, EngineCount, EngineSeconds};
use crate::graph::{Directions, OrientedGraph, Summary};
use crate::plan::{Decision, Explanation, StepPrediction, Task};
use crate::results::{Similarity, TakeEdges};
use crate::{Error, Result};
use tribin_analytics::cpu::directed::TRIANGLES;
use tribin_analytics::cpu::similar::{TakePairs, TwoSteps, WantedPairs};
use tribin_analytics::cpu::{cores, degeneracy, directed, support, truss, weighted};
use tribin_base::par;
use tribin_cpu::prepare::{PhaseTimes, Prepared};
use tribin_cpu::{cliques, forward};
use tribin_parts::{EdgeNumbers, EdgeSums, FoundInParts, PartsOnDevice};

/// A question to a prepared graph, with what the answer depends on. All answers are of the simple graph, and exact.
#[derive(Debug, Clone, Copy)]
pub enum Question<'a> {
    /// The triangles of the graph: [`FoundInGraph::Count`].
    Count,
    /// Degree and triangles of every vertex: [`FoundInGraph::AtVertices`].
    AtVertices,
    /// The number of triangles on each edge, in the order of [`host`](ResidentGraph::host): [`FoundInGraph::OnEdges`].
    OnEdges,
    /// How many directed triangles of each kind every rank is a corner of: [`FoundInGraph::AtRanks`].
    DirectedAtRanks(&'a Directions),
    /// The number of triangles of each code: [`FoundInGraph::OfCodes`]. The code of a triangle of ranks b < a < u has the directions of
    /// its edges: of u – a in bits 0 and 1, of u – b in bits 2 and 3, and of a – b in bits 4 and 5.
    OfCodes(&'a Directions),
    /// A sum for each edge: [`FoundInGraph::Products`]. The sum is over those triangles of the edge whose largest rank is its tail. Each
    /// adds the product of the numbers of its three edges.
    Products(&'a [f64]),
    /// The core number of every vertex: [`FoundInGraph::Cores`].
    Cores,
    /// The largest core number of a graph with these degrees: [`FoundInGraph::Degeneracy`].
    Degeneracy(&'a Local),
    /// The number of cliques of this many vertices, 4 or more: [`FoundInGraph::Cliques`].
    Cliques(u32),
    /// The number of cliques of this many vertices, 4 or more, that hold each rank: [`FoundInGraph::OfCliques`].
    CliquesAtRanks(u32),
    /// The number of cliques of this many vertices, 4 or more, that hold each edge: [`FoundInGraph::OfCliques`].
    CliquesOnEdges(u32),
    /// The trussness of each edge, the largest k whose k-truss has it: [`FoundInGraph::Trussness`]. Where one truss is wanted, its k
    /// or more stands for the edges in it, and less for all others.
    Trusses(WantedTruss),
}

impl Question<'_> {
    /// The task that a device is chosen for.
    pub(super) fn task(self) -> Task {
        match self {
            Question::Count => Task::Count,
            Question::AtVertices => Task::AtVertices,
            // One level of a truss takes little more than its support.
            Question::OnEdges | Question::Trusses(WantedTruss::One(_)) => Task::OnEdges,
            Question::DirectedAtRanks(_) | Question::OfCodes(_) => Task::ByDirection,
            Question::Products(_) => Task::Products,
            Question::Cores => Task::Cores,
            Question::Degeneracy(_) => Task::Stats,
            Question::Cliques(_) => Task::Cliques,
            Question::CliquesAtRanks(_) => Task::CliquesAtVertices,
            Question::CliquesOnEdges(_) => Task::CliquesOnEdges,
            Question::Trusses(WantedTruss::All) => Task::Trusses,
        }
    }
}

/// The answer to a [`Question`].
#[derive(Debug, Clone)]
pub enum FoundInGraph {
    /// The triangles, with the figures around them.
    Count(Box<EngineCount>),
    /// Degree and triangles by vertex.
    AtVertices(Local),
    /// Triangles by edge.
    OnEdges(Vec<u32>),
    /// Directed triangles by rank: cycles, middleman's, in- and out-triangles
    /// ([`TriangleKind`](crate::analytics::TriangleKind)).
    AtRanks(Vec<[u64; 4]>),
    /// Triangles by code.
    OfCodes(Box<[u64; 64]>),
    /// Sums of products by edge.
    Products(Vec<f64>),
    /// Core numbers by vertex.
    Cores(Vec<u32>),
    /// The largest core number.
    Degeneracy(u32),
    /// A number of cliques.
    Cliques(u128),
    /// Numbers of cliques by rank or by edge.
    OfCliques(Vec<u64>),
    /// Trussness by edge.
    Trussness(Vec<u32>),
}

impl FoundInGraph {
    /// The error of a graph that answers another question than it was asked.
    pub(super) fn other<T>(&self) -> Result<T> {
        Err(Error::Usage("the engine answered another question than it was asked".into()))
    }
}

/// A prepared graph where it lies, and what can be found there.
pub trait ResidentGraph: Send + Sync {
    /// The figures of the simple graph.
    fn summary(&self) -> Summary;

    /// The times that preparing took.
    fn times(&self) -> PhaseTimes;

    /// The graph in host memory: copied there when it is first asked for.
    ///
    /// # Errors
    /// What the device reports.
    fn host(&self) -> Result<Arc<OrientedGraph>>;

    /// The answer to a question, found where the graph lies; `None` where the CPU finds it, from [`host`](Self::host).
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn find(&self, wanted: Question<'_>, context: &Context) -> Result<Option<FoundInGraph>>;

    /// Hands similar pairs of a graph with the same vertices to `take`, as [`TwoSteps::each_pair`] does, found where the graph lies;
    /// `false` where the CPU finds them, as it does by default, and nothing was handed over.
    ///
    /// # Errors
    /// As [`find`](Self::find), and those of `take`.
    fn similar_pairs(
        &self,
        graph: &TwoSteps,
        by: &Similarity,
        wanted: WantedPairs,
        context: &Context,
        take: &mut TakePairs<'_>,
    ) -> Result<bool> {
        let _ = (graph, by, wanted, context, take);
        Ok(false)
    }

    /// Lists all triangles where the graph lies, and hands them to `take`, some blocks at a time, until it says `false`. Returns
    /// `false` if it handed nothing over, as it does by default: then the CPU lists them, of the graph that [`host`](Self::host) gives.
    ///
    /// # Errors
    /// As [`find`](Self::find), and those of `take`.
    fn each_triangle(&self, context: &Context, take: &mut TakeEdges<'_>) -> Result<bool> {
        let _ = (context, take);
        Ok(false)
    }
}

impl dyn ResidentGraph + '_ {
    /// The triangles of the graph, where it lies.
    pub(super) fn count(&self, context: &Context) -> Result<EngineCount> {
        match self.find(Question::Count, context)? {
            Some(FoundInGraph::Count(found)) => Ok(*found),
            Some(found) => found.other(),
            None => HostGraph::of(self)?.count(context),
        }
    }
}

/// A number of each rank, in the order of the vertices.
pub(super) fn by_vertex<T: Clone + Default>(
    graph: &OrientedGraph,
    number: impl Fn(usize) -> T,
) -> Vec<T> {
    let mut numbers = vec![T::default(); graph.vertices()];
    for (rank, &vertex) in graph.vertex_of_rank().iter().enumerate() {
        numbers[vertex as usize] = number(rank);
    }
    numbers
}

/// A graph in host memory, analysed on all CPU threads.
pub struct HostGraph {
    graph: Arc<OrientedGraph>,
    summary: Summary,
    times: PhaseTimes,
    /// What finds triangles, where a device does that: it has memory for a part of the rows at a time.
    parts: Option<Parts>,
}

/// A device that finds the triangles of a graph that it has no room for.
pub struct Parts {
    pub device: Arc<dyn PartsOnDevice>,
    pub preparing: Preparing,
}

/// The way in which a graph was prepared that a device has no room for.
#[derive(Debug, Clone)]
pub struct Preparing {
    /// Who prepared the graph, and why.
    pub decision: Decision,
    /// The seconds that the CPU was predicted to take.
    pub predicted: StepPrediction,
}

impl Parts {
    fn find(
        &self,
        graph: &OrientedGraph,
        task: Task,
        on_edges: &mut dyn EdgeNumbers,
        context: &Context,
    ) -> Result<FoundInParts> {
        self.device.find_in_parts(graph, task, on_edges, u64::MAX, context)
    }

    /// Says what the device does not do.
    fn say_on_cpu(&self, what: &str) {
        say_on_cpu(&*self.device, what, "device memory does not hold the graph");
    }

    /// The steps of a count after a preparation that took this many seconds.
    fn explanation(&self, found: &FoundInParts, prepared: f64) -> Explanation {
        let Preparing { decision, predicted } = &self.preparing;
        let decisions = std::iter::once(decision).chain(&found.decision).cloned().collect();
        let mut explanation = Explanation { decisions, ..Explanation::default() };
        explanation.step(Phase::Orient.name(), *predicted, prepared);
        let counting = StepPrediction::on_device(found.predicted_seconds, found.predicted_bytes);
        explanation.step(Phase::Count.name(), counting, found.seconds);
        explanation.peak_bytes = found.peak_bytes;
        explanation
    }
}

/// Says what a device does not do, and why.
pub(super) fn say_on_cpu(device: &dyn PartsOnDevice, what: &str, why: &str) {
    let [label, _] = device.names();
    tracing::warn!("{label}: the CPU {what}: {why}");
}

/// The seconds of a graph that nothing was found in yet.
pub(super) fn seconds_of(PhaseTimes { clean, orient }: PhaseTimes) -> EngineSeconds {
    let [clean, orient] = [clean, orient].map(|time| time.as_secs_f64());
    EngineSeconds { clean, orient, ..EngineSeconds::default() }
}

impl HostGraph {
    pub fn new(prepared: Prepared, parts: Option<Parts>) -> HostGraph {
        let Prepared { oriented, figures, time } = prepared;
        HostGraph { graph: Arc::new(oriented), summary: figures, times: time, parts }
    }

    /// A copy in host memory of a graph that another engine prepared.
    pub fn of(held: &dyn ResidentGraph) -> Result<HostGraph> {
        let (graph, summary, times) = (held.host()?, held.summary(), held.times());
        Ok(HostGraph { graph, summary, times, parts: None })
    }

    pub(super) fn count(&self, context: &Context) -> Result<EngineCount> {
        let HostGraph { graph, summary, times, parts } = self;
        context.phase(Phase::Count);
        let start = Instant::now();
        let mut seconds = seconds_of(*times);
        if let Some(parts) = parts {
            let found = parts.find(graph, Task::Count, &mut (), context)?;
            seconds.count = found.seconds;
            return Ok(EngineCount {
                triangles: found.triangles,
                summary: *summary,
                seconds,
                method: Some(EngineChoice::Forward.name()),
                explanation: parts.explanation(&found, seconds.orient + seconds.clean),
                ..EngineCount::default()
            });
        }
        let triangles = forward::count_until(graph, context)?;
        seconds.count = start.elapsed().as_secs_f64();
        let mut found =
            EngineCount { triangles, summary: *summary, seconds, ..EngineCount::default() };
        add_steps(&mut found.explanation, summary, par::threads(), &seconds);
        Ok(found)
    }

    fn support(&self, context: &Context) -> Result<Vec<u32>> {
        let Some(parts) = &self.parts else { return support::support(&self.graph, context) };
        let mut edges = EdgeSums::new(&self.graph)?;
        parts.find(&self.graph, Task::OnEdges, &mut edges, context)?;
        Ok(edges.sums)
    }

    /// The support of every edge, from which the CPU peels trusses.
    fn support_to_peel(&self, context: &Context) -> Result<Vec<u32>> {
        context.phase(Phase::Count);
        let support = self.support(context)?;
        if let Some(parts) = &self.parts {
            parts.say_on_cpu("peels the trusses");
        }
        context.phase(Phase::Peel);
        Ok(support)
    }
}

impl ResidentGraph for HostGraph {
    fn summary(&self) -> Summary {
        self.summary
    }

    fn times(&self) -> PhaseTimes {
        self.times
    }

    fn host(&self) -> Result<Arc<OrientedGraph>> {
        Ok(self.graph.clone())
    }

    fn find(&self, wanted: Question<'_>, context: &Context) -> Result<Option<FoundInGraph>> {
        context.cancel().check()?;
        let graph = &*self.graph;
        if let Some(parts) = &self.parts {
            match wanted {
                Question::Count
                | Question::AtVertices
                | Question::OnEdges
                | Question::Trusses(_) => {}
                Question::DirectedAtRanks(_) | Question::OfCodes(_) => {
                    parts.say_on_cpu("finds triangles by direction");
                    return Ok(None);
                }
                Question::Products(_) => {
                    parts.say_on_cpu("weighs the triangles");
                    return Ok(None);
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(match wanted {
            Question::Count => FoundInGraph::Count(self.count(context)?.into()),
            Question::AtVertices => {
                let by_rank = match &self.parts {
                    None => support::triangles(graph, context)?,
                    Some(parts) => parts.find(graph, wanted.task(), &mut (), context)?.at_ranks,
                };
                FoundInGraph::AtVertices(Local::of_ranks(graph, &by_rank))
            }
            Question::OnEdges => FoundInGraph::OnEdges(self.support(context)?),
            Question::DirectedAtRanks(directions) => {
                let kinds = directed::at_corners(graph, directions, &TRIANGLES, context)?;
                FoundInGraph::AtRanks(kinds)
            }
            Question::OfCodes(directions) => {
                FoundInGraph::OfCodes(directed::codes(graph, directions, context)?.into())
            }
            Question::Products(numbers) => {
                FoundInGraph::Products(weighted::by_edge(graph, numbers, context)?)
            }
            Question::Cores => {
                let by_rank = cores::core_numbers(graph, context)?;
                FoundInGraph::Cores(by_vertex(graph, |rank| by_rank[rank]))
            }
            Question::Degeneracy(local) => {
                let vertices = graph.vertex_of_rank();
                let degrees = par::tabulate(vertices.len(), |rank| local.degree(vertices[rank]));
                FoundInGraph::Degeneracy(degeneracy::degeneracy(graph, &degrees, context)?)
            }
            Question::Cliques(k) => FoundInGraph::Cliques(cliques::count(graph, k, context)?),
            Question::CliquesAtRanks(k) => {
                FoundInGraph::OfCliques(cliques::at_vertices(graph, k, context)?.0)
            }
            Question::CliquesOnEdges(k) => {
                FoundInGraph::OfCliques(cliques::on_edges(graph, k, context)?.0)
            }
            Question::Trusses(wanted) => {
                let support = self.support_to_peel(context)?;
                FoundInGraph::Trussness(truss::trussness(graph, support, wanted, context)?)
            }
        }))
    }

    fn each_triangle(&self, context: &Context, take: &mut TakeEdges<'_>) -> Result<bool> {
        if let Some(parts) = &self.parts {
            parts.say_on_cpu("lists the triangles");
            return Ok(false);
        }
        let triangles = Triangles::new(&self.graph);
        let blocks: Vec<usize> = (0..triangles.blocks()).collect();
        for batch in blocks.chunks(2 * par::threads()) {
            context.cancel().check()?;
            if !take(par::map(batch, |&block| triangles.block(block)))? {
                break;
            }
        }
        Ok(true)
    }
}
