//! A prepared graph where it lies.

use std::sync::Arc;
use std::time::Instant;

use crate::Result;
use crate::analytics::{Local, TriangleSource};
use crate::control::{Context, Phase};
use crate::count::{EngineCount, EngineSeconds};
use crate::graph::{OrientedGraph, Summary};
use crate::plan::Decision;
use tribin_analytics::cpu::similar::{TakePairs, TwoSteps, WantedPairs};
use tribin_analytics::cpu::{support, truss};
use tribin_cpu::forward;
use tribin_cpu::prepare::{PhaseTimes, Prepared};
use tribin_results::Similarity;

/// A prepared graph where it lies, and what can be found there. All results are of the simple graph, exact, and
/// in the order of [`host`](Self::host).
pub trait ResidentGraph: Send + Sync {
    /// The figures of the simple graph.
    fn summary(&self) -> Summary;

    /// What preparing took.
    fn times(&self) -> PhaseTimes;

    /// What was decided on the way, and why.
    fn decisions(&self) -> Vec<Decision> {
        Vec::new()
    }

    /// The graph on the first of several devices, which finds what these do not find together; `None` where one device has it.
    #[doc(hidden)]
    fn first(&self) -> Option<&dyn ResidentGraph> {
        None
    }

    /// The graph in host memory: copied there when it is first asked for.
    ///
    /// # Errors
    /// What the device reports.
    fn host(&self) -> Result<Arc<OrientedGraph>>;

    /// The triangles of the graph.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn count(&self, context: &Context) -> Result<EngineCount>;

    /// The number of triangles on each edge.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn support(&self, context: &Context) -> Result<Vec<u32>>;

    /// Degree and triangles of every vertex, by vertex.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn local(&self, context: &Context) -> Result<Local>;

    /// How many directed triangles of each kind every rank is a corner of, found where the graph lies: cycles,
    /// middleman's, in- and out-triangles ([`TriangleKind`](crate::analytics::TriangleKind)). `None` where the CPU finds
    /// them, from [`host`](Self::host), as it does by default.
    ///
    /// `directions` has a byte for each edge: bit 0 is set where the input has an arc from the larger rank to the smaller,
    /// and bit 1 for the other way.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn directed_triangles(
        &self,
        directions: &[u8],
        context: &Context,
    ) -> Result<Option<Vec<[u64; 4]>>> {
        self.first().map_or(Ok(None), |first| first.directed_triangles(directions, context))
    }

    /// The number of triangles of each code, found where the graph lies; `None` where the CPU finds them, as it does by
    /// default. The code of a triangle of ranks b < a < u has the [directions](Self::directed_triangles) of its edges: of
    /// u – a in bits 0 and 1, of u – b in bits 2 and 3, and of a – b in bits 4 and 5.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn triangles_by_directions(
        &self,
        directions: &[u8],
        context: &Context,
    ) -> Result<Option<[u64; 64]>> {
        self.first().map_or(Ok(None), |first| first.triangles_by_directions(directions, context))
    }

    /// A sum for each edge, found where the graph lies; `None` where the CPU finds them, from [`host`](Self::host), as it
    /// does by default. The sum is over those triangles of the edge whose largest rank is its tail. Each adds the product
    /// of the `numbers` of its three edges.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn products_of_triangles(
        &self,
        numbers: &[f64],
        context: &Context,
    ) -> Result<Option<Vec<f64>>> {
        self.first().map_or(Ok(None), |first| first.products_of_triangles(numbers, context))
    }

    /// The core number of each vertex, by vertex, found where the graph lies; `None` where the CPU finds them, from
    /// [`host`](Self::host), as it does by default.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn core_numbers(&self, context: &Context) -> Result<Option<Vec<u32>>> {
        self.first().map_or(Ok(None), |first| first.core_numbers(context))
    }

    /// The largest core number, found where the graph lies; `None` where the CPU finds it, as it does by default. `local` has the
    /// degrees.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn degeneracy(&self, local: &Local, context: &Context) -> Result<Option<u32>> {
        self.first().map_or(Ok(None), |first| first.degeneracy(local, context))
    }

    /// The triangles, listed where the graph lies; `None` where the CPU lists them, from [`host`](Self::host), as it
    /// does by default.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn triangles(&self, context: &Context) -> Result<Option<Box<dyn TriangleSource + '_>>> {
        self.first().map_or(Ok(None), |first| first.triangles(context))
    }

    /// The number of cliques of k vertices, from 4 on, found where the graph lies; `None` where the CPU finds them, from
    /// [`host`](Self::host), as it does by default.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn cliques(&self, k: u32, context: &Context) -> Result<Option<u128>> {
        self.first().map_or(Ok(None), |first| first.cliques(k, context))
    }

    /// The number of cliques of k vertices, from 4 on, that hold each rank, found where the graph lies; `None` where the CPU finds them,
    /// from [`host`](Self::host), as it does by default.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count), and [`Error::Input`](crate::Error::Input) for 2⁶³ cliques or more.
    fn cliques_at_ranks(&self, k: u32, context: &Context) -> Result<Option<Vec<u64>>> {
        self.first().map_or(Ok(None), |first| first.cliques_at_ranks(k, context))
    }

    /// The number of cliques of k vertices, from 4 on, that hold each edge, found where the graph lies; `None` where the CPU finds
    /// them, from [`host`](Self::host), as it does by default.
    ///
    /// # Errors
    /// As [`cliques_at_ranks`](Self::cliques_at_ranks).
    fn cliques_on_edges(&self, k: u32, context: &Context) -> Result<Option<Vec<u64>>> {
        self.first().map_or(Ok(None), |first| first.cliques_on_edges(k, context))
    }

    /// Hands similar pairs of a graph with the same vertices to `take`, as [`TwoSteps::each_pair`] does, found where the graph lies;
    /// `false` where the CPU finds them, as it does by default, and nothing was handed over.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count), and those of `take`.
    fn similar_pairs(
        &self,
        graph: &TwoSteps,
        by: &Similarity,
        wanted: WantedPairs,
        context: &Context,
        take: &mut TakePairs<'_>,
    ) -> Result<bool> {
        let found =
            |first: &dyn ResidentGraph| first.similar_pairs(graph, by, wanted, context, take);
        self.first().map_or(Ok(false), found)
    }

    /// The trussness of each edge, the largest k whose k-truss has it. By default the CPU peels.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn trussness(&self, context: &Context) -> Result<Vec<u32>> {
        let graph = self.host()?;
        context.phase(Phase::Count);
        let support = self.support(context)?;
        context.phase(Phase::Peel);
        truss::trussness(&graph, support, context)
    }

    /// Which edges are in the k-truss. By default the CPU peels one level.
    ///
    /// # Errors
    /// As [`Engine::count`](super::Engine::count).
    fn k_truss(&self, k: u32, context: &Context) -> Result<Vec<bool>> {
        let graph = self.host()?;
        context.phase(Phase::Count);
        let support = self.support(context)?;
        context.phase(Phase::Peel);
        truss::k_truss(&graph, support, k, context)
    }
}

/// A graph in host memory, analysed on all CPU threads.
pub struct HostGraph {
    graph: Arc<OrientedGraph>,
    summary: Summary,
    times: PhaseTimes,
}

impl HostGraph {
    pub fn new(prepared: Prepared) -> HostGraph {
        let Prepared { oriented, figures, time } = prepared;
        HostGraph { graph: Arc::new(oriented), summary: figures, times: time }
    }

    /// A copy in host memory of a graph that another engine prepared.
    pub fn of(held: &dyn ResidentGraph) -> Result<HostGraph> {
        Ok(HostGraph { graph: held.host()?, summary: held.summary(), times: held.times() })
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

    fn count(&self, context: &Context) -> Result<EngineCount> {
        count_prepared(&self.graph, self.summary, self.times, context)
    }

    fn support(&self, context: &Context) -> Result<Vec<u32>> {
        context.cancel().check()?;
        support::support(&self.graph, context)
    }

    fn local(&self, context: &Context) -> Result<Local> {
        context.cancel().check()?;
        let triangles = support::triangles(&self.graph, context)?;
        Ok(Local::of_ranks(&self.graph, &triangles))
    }
}

/// Counts what is prepared.
pub fn count_prepared(
    graph: &OrientedGraph,
    summary: Summary,
    times: PhaseTimes,
    context: &Context,
) -> Result<EngineCount> {
    context.cancel().check()?;
    context.phase(Phase::Count);
    let start = Instant::now();
    let triangles = forward::count_until(graph, context)?;
    let seconds = EngineSeconds {
        upload: 0.0,
        clean: times.clean.as_secs_f64(),
        orient: times.orient.as_secs_f64(),
        count: start.elapsed().as_secs_f64(),
    };
    Ok(EngineCount { triangles, summary, seconds, ..EngineCount::default() })
}
