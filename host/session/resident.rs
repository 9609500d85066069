//! A prepared graph where it lies, and what is found there.

use std::sync::Arc;
use std::time::Instant;

use super::cpu::explain;
use crate::Result;
use crate::analytics::{Local, WantedTruss};
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineChoice, EngineCount, EngineSeconds};
use crate::graph::{Directions, OrientedGraph, Summary};
use crate::plan::{Decision, Task};
use crate::results::{Similarity, TakeEdges};
use tribin_analytics::cpu::directed::TRIANGLES;
use tribin_analytics::cpu::similar::{TakePairs, TwoSteps, WantedPairs};
use tribin_analytics::cpu::{cores, degeneracy, directed, list, support, truss, weighted};
use tribin_base::par;
use tribin_cpu::prepare::Prepared;
use tribin_cpu::{cliques, forward};
use tribin_parts::{EdgeNumbers, EdgeSums, FoundInParts, PartsOnDevice};

/// A prepared graph where it lies, and what can be found there.
pub trait ResidentGraph: Send + Sync {
    /// The figures of the simple graph.
    fn summary(&self) -> Summary;

    /// The seconds that preparing took: to clean and to orient, a copy among them.
    fn seconds(&self) -> EngineSeconds;

    /// The graph in host memory: copied there when it is first asked for.
    ///
    /// # Errors
    /// What the device reports.
    fn host(&self) -> Result<Arc<OrientedGraph>>;

    /// The triangles of the graph, with the figures around them.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count); so do the methods that follow.
    fn count(&self, options: &CountOptions, context: &Context) -> Result<EngineCount>;

    /// Degree and triangles of every vertex.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn local(&self, context: &Context) -> Result<Local>;

    /// The core number of every vertex, found where the graph lies; `None` where the CPU finds it, from [`host`](Self::host).
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn cores(&self, context: &Context) -> Result<Option<Vec<u32>>>;

    /// The largest core number of a graph with these degrees; `None` as for [`cores`](Self::cores).
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn degeneracy(&self, local: &Local, context: &Context) -> Result<Option<u32>>;

    /// The number of cliques of `k` vertices, 4 or more; `None` as for [`cores`](Self::cores).
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn cliques(&self, k: u32, context: &Context) -> Result<Option<u128>>;

    /// The number of triangles on each edge, in the order of [`host`](Self::host); `None` as for [`cores`](Self::cores), and by default.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn support(&self, context: &Context) -> Result<Option<Vec<u32>>> {
        let _ = context;
        Ok(None)
    }

    /// The trussness of each edge, the largest k whose k-truss has it, in the order of [`host`](Self::host). Where one truss is wanted,
    /// its k or more stands for the edges in it, and less for all others. `None` as for [`support`](Self::support).
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn trussness(&self, wanted: WantedTruss, context: &Context) -> Result<Option<Vec<u32>>> {
        let _ = (wanted, context);
        Ok(None)
    }

    /// How many directed triangles of each kind every rank is a corner of: cycles, middleman's, in- and out-triangles
    /// ([`TriangleKind`](crate::analytics::TriangleKind)). `None` as for [`support`](Self::support).
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn directed(
        &self,
        directions: &Directions,
        context: &Context,
    ) -> Result<Option<Vec<[u64; 4]>>> {
        let _ = (directions, context);
        Ok(None)
    }

    /// The number of triangles of each code. The code of a triangle of ranks b < a < u has the directions of its edges. Those of u – a are
    /// bits 0 and 1, those of u – b bits 2 and 3, and those of a – b bits 4 and 5. `None` as for [`support`](Self::support).
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn codes(&self, directions: &Directions, context: &Context) -> Result<Option<[u64; 64]>> {
        let _ = (directions, context);
        Ok(None)
    }

    /// A sum for each edge, in the order of [`host`](Self::host), over those triangles of the edge whose largest rank is its tail. Each
    /// adds the product of the numbers of its three edges. `None` as for [`support`](Self::support).
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn products(&self, numbers: &[f64], context: &Context) -> Result<Option<Vec<f64>>> {
        let _ = (numbers, context);
        Ok(None)
    }

    /// Hands similar pairs of a graph with the same vertices to `take`, as [`TwoSteps::each_pair`] does, found where the graph lies;
    /// `false` where the CPU finds them, as it does by default, and nothing was handed over.
    ///
    /// # Errors
    /// As [`count`](Self::count), and those of `take`.
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
    /// As [`count`](Self::count), and those of `take`.
    fn each_triangle(&self, context: &Context, take: &mut TakeEdges<'_>) -> Result<bool> {
        let _ = (context, take);
        Ok(false)
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
    seconds: EngineSeconds,
    /// What finds triangles, where a device does that: it has memory for a part of the rows at a time.
    parts: Option<Parts>,
}

/// A device that finds the triangles of a graph that it has no room for.
pub struct Parts {
    pub device: Arc<dyn PartsOnDevice>,
    /// Who prepared the graph, and why.
    pub decisions: Vec<Decision>,
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
}

/// Says what a device does not do, and why.
pub(super) fn say_on_cpu(device: &dyn PartsOnDevice, what: &str, why: &str) {
    let [label, _] = device.names();
    tracing::warn!("{label}: the CPU {what}: {why}");
}

impl HostGraph {
    pub fn new(prepared: Prepared, parts: Option<Parts>) -> HostGraph {
        let Prepared { oriented, figures, seconds } = prepared;
        HostGraph { graph: Arc::new(oriented), summary: figures, seconds, parts }
    }

    /// A copy in host memory of a graph that another engine prepared.
    pub fn of(held: &dyn ResidentGraph) -> Result<HostGraph> {
        let (graph, summary, seconds) = (held.host()?, held.summary(), held.seconds());
        Ok(HostGraph { graph, summary, seconds, parts: None })
    }

    /// What the CPU finds, where it has all of the graph. A device that has a part of the graph at a time does not find it: then it is said
    /// `what` the CPU does instead.
    fn alone<T>(
        &self,
        what: Option<&str>,
        find: impl FnOnce(&OrientedGraph) -> Result<T>,
    ) -> Result<Option<T>> {
        let Some(parts) = &self.parts else { return find(&self.graph).map(Some) };
        what.into_iter().for_each(|what| parts.say_on_cpu(what));
        Ok(None)
    }

    fn on_edges(&self, context: &Context) -> Result<Vec<u32>> {
        let Some(parts) = &self.parts else { return support::support(&self.graph, context) };
        let mut edges = EdgeSums::new(&self.graph)?;
        parts.find(&self.graph, Task::OnEdges, &mut edges, context)?;
        Ok(edges.sums)
    }
}

impl ResidentGraph for HostGraph {
    fn summary(&self) -> Summary {
        self.summary
    }

    fn seconds(&self) -> EngineSeconds {
        self.seconds
    }

    fn host(&self) -> Result<Arc<OrientedGraph>> {
        Ok(self.graph.clone())
    }

    fn count(&self, _: &CountOptions, context: &Context) -> Result<EngineCount> {
        let HostGraph { graph, summary, seconds, parts } = self;
        context.phase(Phase::Count);
        let found = match parts {
            Some(parts) => parts.find(graph, Task::Count, &mut (), context)?,
            None => {
                let start = Instant::now();
                let triangles = forward::count_until(graph, context)?;
                let seconds = start.elapsed().as_secs_f64();
                FoundInParts { triangles, seconds, ..FoundInParts::default() }
            }
        };
        let seconds = EngineSeconds { count: found.seconds, ..*seconds };
        let decisions = parts.as_ref().map_or_else(Vec::new, |parts| parts.decisions.clone());
        Ok(EngineCount {
            triangles: found.triangles,
            summary: *summary,
            explanation: explain(decisions, summary, &seconds, &found),
            seconds,
            method: parts.as_ref().map(|_| EngineChoice::Forward.name()),
            ran_on: parts.as_ref().map(|parts| parts.device.names()),
            ..EngineCount::default()
        })
    }

    fn local(&self, context: &Context) -> Result<Local> {
        let graph = &*self.graph;
        let by_rank = match &self.parts {
            None => support::triangles(graph, context)?,
            Some(parts) => parts.find(graph, Task::AtVertices, &mut (), context)?.at_ranks,
        };
        Ok(Local::of_ranks(graph, &by_rank))
    }

    fn cores(&self, context: &Context) -> Result<Option<Vec<u32>>> {
        self.alone(None, |graph| {
            let by_rank = cores::core_numbers(graph, context)?;
            Ok(by_vertex(graph, |rank| by_rank[rank]))
        })
    }

    fn degeneracy(&self, local: &Local, context: &Context) -> Result<Option<u32>> {
        self.alone(None, |graph| {
            let vertices = graph.vertex_of_rank();
            let degrees = par::tabulate(vertices.len(), |rank| local.degree(vertices[rank]));
            degeneracy::degeneracy(graph, &degrees, context)
        })
    }

    fn cliques(&self, k: u32, context: &Context) -> Result<Option<u128>> {
        self.alone(None, |graph| cliques::count(graph, k, context))
    }

    fn support(&self, context: &Context) -> Result<Option<Vec<u32>>> {
        self.on_edges(context).map(Some)
    }

    /// The CPU peels.
    fn trussness(&self, wanted: WantedTruss, context: &Context) -> Result<Option<Vec<u32>>> {
        context.phase(Phase::Count);
        let support = self.on_edges(context)?;
        if let Some(parts) = &self.parts {
            parts.say_on_cpu("peels the trusses");
        }
        context.phase(Phase::Peel);
        truss::trussness(&self.graph, support, wanted, context).map(Some)
    }

    fn directed(
        &self,
        directions: &Directions,
        context: &Context,
    ) -> Result<Option<Vec<[u64; 4]>>> {
        self.alone(Some("finds triangles by direction"), |graph| {
            directed::at_corners(graph, directions, &TRIANGLES, context)
        })
    }

    fn codes(&self, directions: &Directions, context: &Context) -> Result<Option<[u64; 64]>> {
        self.alone(Some("finds triangles by direction"), |graph| {
            directed::codes(graph, directions, context)
        })
    }

    fn products(&self, numbers: &[f64], context: &Context) -> Result<Option<Vec<f64>>> {
        self.alone(Some("weighs the triangles"), |graph| weighted::by_edge(graph, numbers, context))
    }

    fn each_triangle(&self, context: &Context, take: &mut TakeEdges<'_>) -> Result<bool> {
        let listed = self
            .alone(Some("lists the triangles"), |graph| list::each_triangle(graph, context, take));
        Ok(listed?.is_some())
    }
}
