//! A graph that is ready to be counted and analysed, as often as one likes.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::Session;
use super::directed::Arcs;
use super::on_disk::{DiskGraph, LastTask};
use super::resident::{HostGraph, ResidentGraph};
use super::runner::{GraphSize, Runner};
use super::{Selection, device_decision, warn_of_fallback};
use crate::analytics::{EdgeValues, Local, ReportHead, StageSeconds, Stats, WantedTruss};
use crate::control::{Context, Phase};
use crate::count::{Count, CountOptions, EngineCount, On, RanOn};
use crate::graph::{OrientedGraph, Reading, Summary};
use crate::plan::device::DeviceFacts;
use crate::plan::{Decision, Explanation, OutOfCore, StepPrediction, Task};
use crate::results::TakeEdges;
use crate::{Cancel, Error, Graph, Result, VertexIds, Work};
use tribin_base::par;

/// An undirected simple graph where it is counted: on the session's GPU, or in host memory.
///
/// Directions are dropped, and self-loops and duplicates are gone. Vertices are the indexes
/// `0..vertex_bound` of the [`Graph`] that it was made of; [`ids`](Self::ids) knows what the file calls them.
/// On a GPU the graph stays there: nothing is uploaded again for another result.
///
/// Where the session's device was left open and fails, the CPU takes over, if the graph can still be copied
/// from the device. Clones are one graph.
#[derive(Clone)]
pub struct PreparedGraph {
    session: Session,
    /// Where it was prepared.
    home: Arc<Home>,
    /// The same, where the edges are in scratch files.
    pub(super) on_disk: Option<Arc<DiskGraph>>,
    /// Where it was taken since, from the CPU.
    taken: Arc<OnceLock<Home>>,
    /// What the last result ran on.
    last_ran_on: Arc<Mutex<Option<RanOn>>>,
    source: Arc<GraphSource>,
    pub(super) arcs: Arcs,
}

/// A graph where it lies, and what holds it.
pub(super) struct Home {
    pub held: Arc<dyn ResidentGraph>,
    pub runner: Runner,
}

/// Where the graph comes from.
pub(super) struct GraphSource {
    pub ids: VertexIds,
    pub name: String,
    pub reading: Option<Reading>,
    pub vertices: Vertices,
    /// Why edges that were in device memory were copied to the host.
    pub copied: Option<String>,
    /// The time from opening the file to edges in memory.
    pub read: Duration,
}

/// Which vertices there are, isolated ones included.
pub(super) enum Vertices {
    /// This number of vertices, which the file declares.
    Declared(u64),
    /// The vertices that entries name: those with an edge, and maybe these, which have a self-loop.
    Named(Vec<u32>),
}

impl Vertices {
    /// O(entries) where there are self-loops.
    pub fn of(graph: &Graph, summary: &Summary) -> Vertices {
        if let Some(vertices) = graph.declared_vertices() {
            return Vertices::Declared(vertices);
        }
        let mut looped = Vec::new();
        if summary.self_loops_dropped > 0 {
            looped = par::map(graph.edges().chunks(par::BLOCK), |edges| {
                let loops = edges.iter().filter(|[u, v]| u == v);
                loops.map(|[u, _]| *u).collect::<Vec<u32>>()
            })
            .concat();
            par::sort_unstable(&mut looped);
            looped.dedup();
        }
        Vertices::Named(looped)
    }
}

impl fmt::Debug for PreparedGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedGraph")
            .field("name", &self.source.name)
            .field("summary", &self.summary())
            .field("session", &self.session)
            .finish_non_exhaustive()
    }
}

impl PreparedGraph {
    pub(super) fn new(session: Session, home: Home, source: GraphSource) -> PreparedGraph {
        PreparedGraph {
            session,
            home: Arc::new(home),
            on_disk: None,
            taken: Arc::default(),
            last_ran_on: Arc::default(),
            source: Arc::new(source),
            arcs: Arcs::default(),
        }
    }

    /// Why edges that were in device memory were copied to the host; `None` where they were not.
    pub fn copied(&self) -> Option<&str> {
        self.source.copied.as_deref()
    }

    /// This graph for work with a token, a gauge and a listener of its own
    /// ([`Session::with_control`]). O(1): nothing is copied.
    ///
    /// ```
    /// use tribin::{Cancel, Error, Graph, Options, Session, Work};
    ///
    /// let triangle = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]);
    /// let graph = Session::open(Options::default())?.prepare(&triangle)?;
    /// let cancel = Cancel::new();
    /// let stopped = graph.with_control(cancel.clone(), Work::new(), |_| ());
    /// cancel.cancel();
    /// assert!(matches!(stopped.count(), Err(Error::Cancelled)));
    /// assert_eq!(graph.count()?.triangles, 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_control(
        &self,
        cancel: Cancel,
        work: Work,
        on_phase: impl Fn(Phase) + Send + Sync + 'static,
    ) -> PreparedGraph {
        let session = self.session.with_control(cancel, work, on_phase);
        PreparedGraph { session, ..self.clone() }
    }

    /// The figures of the simple graph: vertices, edges, wedges, the largest degree, and what was dropped.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// let summary = prepared.summary();
    /// assert_eq!((summary.vertices, summary.edges, summary.max_degree), (4, 4, 3));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    pub fn summary(&self) -> Summary {
        self.home.held.summary()
    }

    /// What the vertices are called in the file.
    pub fn ids(&self) -> &VertexIds {
        &self.source.ids
    }

    /// The file's name as the user gave it, `-` for standard input, `(memory)` for edges in memory.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// How the file was read, as [`Graph::reading`] has it.
    pub fn reading(&self) -> Option<&Reading> {
        self.source.reading.as_ref()
    }

    /// One more than the largest vertex index.
    pub fn vertex_bound(&self) -> usize {
        self.source.ids.bound()
    }

    /// All vertices: those that the file declares, or else those that an entry names.
    pub(super) fn vertices(&self, has_edge: impl Fn(u32) -> bool) -> u64 {
        if let Some(on_disk) = &self.on_disk {
            return on_disk.graph.vertices(has_edge);
        }
        match &self.source.vertices {
            Vertices::Declared(vertices) => *vertices,
            Vertices::Named(looped) => {
                let alone = looped.iter().filter(|&&vertex| !has_edge(vertex)).count();
                self.summary().vertices + alone as u64
            }
        }
    }

    /// Where the graph is, and why there. Small graphs of a session whose device was left open are on the CPU, until a GPU
    /// pays for what is asked of them.
    pub fn selection(&self) -> &Selection {
        &self.here().runner.selection
    }

    /// The graph where it is now.
    fn here(&self) -> &Home {
        self.taken.get().unwrap_or(&self.home)
    }

    /// The graph where it is best for the task. A graph that the CPU has, because it seemed too small for a GPU that was
    /// left open, is taken there once the rule says so.
    pub(super) fn place(&self, task: Task) -> Result<&Home> {
        let own = &self.home.runner;
        let stays = self.on_disk.is_some() || own.because.is_empty();
        if stays || !own.is_cpu() || self.taken.get().is_some() {
            return Ok(self.here());
        }
        let device = &self.session.0.resources.device;
        let (entries, vertices) = (self.summary().edges, self.vertex_bound() as u64);
        let size = GraphSize { is_prepared: true, ..GraphSize::in_memory(entries, vertices) };
        let mut runner = device.runner(size, task)?;
        if runner.is_cpu() {
            return Ok(self.here());
        }
        let name = &self.source.name;
        let taken = runner.engine.take(&*self.home.held, &self.session.context());
        let held: Arc<dyn ResidentGraph> = match taken {
            Ok(Some(held)) => held.into(),
            // There is no room, and the CPU goes on for good.
            Ok(None) => {
                tracing::info!("{name}: the graph has no room on {}", runner.selection.device);
                return Ok(self.here());
            }
            Err(error) if self.session.falls_back(&runner, name, &error) => {
                runner = runner.instead();
                Arc::new(HostGraph::of(&*self.home.held)?)
            }
            Err(error) => return Err(error),
        };
        // Where two callers took it, one of the two is enough.
        self.taken.get_or_init(|| Home { held, runner });
        Ok(self.here())
    }

    /// The session that prepared it.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The seconds that reading and preparing took; no result is found yet.
    pub fn seconds(&self) -> StageSeconds {
        let prepared = self.home.held.seconds();
        let read = self.source.read.as_secs_f64();
        let prepare = prepared.clean + prepared.orient;
        StageSeconds { read, prepare, found: Vec::new(), total: read + prepare }
    }

    /// The seconds of a result whose stages took so long since the graph was prepared, and `all` of them this.
    pub(super) fn stages(&self, found: Vec<(&'static str, f64)>, all: f64) -> StageSeconds {
        let prepared = self.seconds();
        StageSeconds { found, total: prepared.total + all, ..prepared }
    }

    /// What a report says beside what was found there, in this time.
    pub(super) fn head(&self, ran_on: &RanOn, seconds: StageSeconds) -> ReportHead {
        ReportHead {
            file: self.name().to_owned(),
            reading: self.reading().cloned(),
            device: ran_on.device.clone(),
            device_name: ran_on.device_name.clone(),
            threads: self.session.threads(),
            version: env!("CARGO_PKG_VERSION"),
            seconds,
        }
    }

    /// The edges in host memory, by rank; copied from the device when it is first asked for.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// assert_eq!(prepared.oriented()?.edges(), 4);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// What the device reports.
    pub fn oriented(&self) -> Result<Arc<OrientedGraph>> {
        self.home.held.host()
    }

    /// The exact number of triangles, with the figures around it. O(m^1.5) work.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// assert_eq!(prepared.count()?.triangles, 1);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// What the device reports, and [`Error::Cancelled`].
    pub fn count(&self) -> Result<Count> {
        self.counted(&CountOptions::default())
    }

    /// The count, with what was decided on the way if the options ask for that.
    pub(super) fn counted(&self, options: &CountOptions) -> Result<Count> {
        self.session.install(|| {
            let start = Instant::now();
            let (mut ran_on, found) = self.find_count(options)?;
            if let Some([device, name]) = &found.ran_on {
                (ran_on.device, ran_on.device_name) = (device.clone(), name.clone());
            }
            let total = Duration::from_secs_f64(self.seconds().total) + start.elapsed();
            let told = (&self.here().runner, &ran_on, &found);
            let times = [self.source.read, total];
            let mut count = self.session.report(self.name(), told, options, times);
            count.reading = self.source.reading.clone();
            count.out_of_core = self.out_of_core();
            Ok(count)
        })
    }

    /// The figures of the whole graph.
    ///
    /// O(m^1.5) work for the triangles, and O(n + m) for the degeneracy, on a GPU O(m + n · levels).
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// let stats = prepared.stats()?;
    /// assert_eq!((stats.triangles, stats.degeneracy), (1, 2));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn stats(&self) -> Result<Stats> {
        self.session.install(|| {
            let start = Instant::now();
            let (ran_on, local) = self.find_local(Task::Stats)?;
            let triangles = start.elapsed();
            self.session.phase(Phase::Peel);
            let degeneracy =
                |held: &dyn ResidentGraph, context: &Context| held.degeneracy(&local, context);
            // Where the degrees were found: that place was chosen for both.
            let (_, degeneracy) = self.find_at(self.here(), degeneracy)?;
            let cores = start.elapsed() - triangles;
            let found =
                vec![("triangles", triangles.as_secs_f64()), ("cores", cores.as_secs_f64())];
            let summary = self.summary();
            let all = self.vertices(|vertex| local.degree(vertex) > 0);
            let head = self.head(&ran_on, StageSeconds::default());
            let mut stats = Stats::new(head, &summary, &local, degeneracy, all, ran_on.engine);
            stats.out_of_core = self.out_of_core();
            stats.head.seconds = self.stages(found, start.elapsed().as_secs_f64());
            Ok(stats)
        })
    }

    /// Degree, triangles and clustering coefficient of every vertex. O(m^1.5) work.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// let local = prepared.local()?;
    /// assert_eq!((local.degree(2), local.triangles(2)), (3, 1));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn local(&self) -> Result<Local> {
        self.check_named()?;
        self.session.install(|| Ok(self.find_local(Task::AtVertices)?.1))
    }

    /// Refuses what names vertices, of a graph in scratch files whose vertices have names.
    ///
    /// # Errors
    /// [`Error::Input`].
    #[doc(hidden)]
    pub fn check_named(&self) -> Result<()> {
        self.on_disk.as_ref().map_or(Ok(()), |on_disk| on_disk.check_named())
    }

    /// Why the edges are in scratch files; `None` where they are not.
    pub fn out_of_core_decision(&self) -> Option<&Decision> {
        Some(&self.on_disk.as_ref()?.decision)
    }

    pub(super) fn last_on_disk(&self) -> Option<LastTask> {
        self.on_disk.as_ref()?.last()
    }

    /// What the last result took of memory and disk, of a graph whose edges are in scratch files; `None` of others.
    pub fn out_of_core(&self) -> Option<OutOfCore> {
        Some(self.last_on_disk()?.took)
    }

    /// The core number of every vertex, by vertex index: the largest k for which it is in a subgraph whose every
    /// vertex has k neighbours in it; 0 without edges. O(n + m) work on the CPU, and O(m + n · levels) on a GPU.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// assert_eq!(prepared.core_numbers()?, [2, 2, 2, 1]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// What the device reports.
    pub fn core_numbers(&self) -> Result<Vec<u32>> {
        self.check_named()?;
        self.working(Phase::Peel, |_| {
            Ok(self.find(Task::Cores, |held, context| held.cores(context))?.1)
        })
    }

    pub(super) fn find_count(&self, options: &CountOptions) -> Result<(RanOn, EngineCount)> {
        self.find(Task::Count, |held, context| held.count(options, context).map(Some))
    }

    /// Degrees and triangles, where the graph is best for a task.
    pub(super) fn find_local(&self, task: Task) -> Result<(RanOn, Local)> {
        self.session.phase(Phase::Count);
        self.find(task, |held, context| held.local(context).map(Some))
    }

    /// The triangles on every edge, in the order of the rows.
    pub(super) fn find_support(&self) -> Result<Vec<u32>> {
        Ok(self.find(Task::OnEdges, |held, context| held.support(context))?.1)
    }

    /// The number of triangles on every edge. O(m^1.5) work. Of a graph in scratch files the result alone is in memory, 12 bytes an edge.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// let support = prepared.support()?;
    /// assert_eq!(support.get(0, 1), Some(1));
    /// assert_eq!(support.get(2, 3), Some(0));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn support(&self) -> Result<EdgeValues> {
        if self.on_disk.is_some() {
            return collected(|take| self.each_edge_beside(0, take));
        }
        self.working(Phase::Count, |context| {
            let (graph, found) = (self.oriented()?, self.find_support()?);
            assert_eq!(found.len(), graph.heads.len(), "one number for each edge");
            EdgeValues::new(&graph, |edge| found[edge], |_| true, context)
        })
    }

    /// Hands all edges to `take`, some blocks of them at a time, until it says `false`, wherever the edges are. An edge is
    /// its smaller vertex index, its larger one, and the number of triangles on it. They ascend by their vertices.
    /// O(m^1.5) work. Memory of a graph in scratch files: 5 bytes for each vertex beside the rows and the numbers of a part;
    /// disk: 20 bytes for each edge. `take` runs on one of the session's threads at a time.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// let mut edges = Vec::new();
    /// prepared.each_edge(|blocks| {
    ///     edges.extend(blocks.into_iter().flatten());
    ///     Ok(true)
    /// })?;
    /// assert_eq!(edges, [[0, 1, 1], [0, 2, 1], [1, 2, 1], [2, 3, 0]]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Self::count), those of `take`, and [`Error::Input`] where memory does not hold what this takes.
    pub fn each_edge(
        &self,
        mut take: impl FnMut(Vec<Vec<[u32; 3]>>) -> Result<bool> + Send,
    ) -> Result<()> {
        self.each_edge_beside(0, &mut take)
    }

    /// [`each_edge`](Self::each_edge) where `take` keeps `beside` bytes for each vertex, which are part of the memory that may
    /// be used ([`Options::memory`](crate::Options::memory)).
    ///
    /// # Errors
    /// As [`each_edge`](Self::each_edge).
    pub fn each_edge_beside(&self, beside: u64, take: &mut TakeEdges<'_>) -> Result<()> {
        let Some(on_disk) = &self.on_disk else {
            let support = self.support()?;
            return self.session.install(|| support.each_block(take));
        };
        on_disk.check_named()?;
        self.working(Phase::Count, |context| {
            on_disk.in_parts(|device| on_disk.graph.support(device, beside, context, take))
        })
    }

    /// Hands all triangles to `take`, some blocks of them at a time, until it says `false`, wherever the edges are.
    /// Triangles are vertex indexes, ascending in each. Their order is the same in every run on one device with one limit of
    /// memory. `take` runs on one of the session's threads at a time. O(m^1.5) work.
    ///
    /// A GPU counts the triangles first. If it fails then, and was not asked for by name, the CPU takes over.
    ///
    /// Memory on the CPU: two blocks for each thread, of 2¹⁷ + √(2m) triangles at most. On a GPU: 12 bytes of device memory for
    /// eight edges, 50 MB for a chunk, or less where there is less, and 2²³ triangles on the host. Of a graph in scratch files:
    /// 5 bytes for each vertex beside the rows of a part, and a block for each thread, of 2¹⁵ + √(2m) triangles at most.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// prepared.each_triangle(|blocks| {
    ///     assert_eq!(blocks.concat(), [[0, 1, 2]]);
    ///     Ok(true)
    /// })?;
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`each_edge`](Self::each_edge).
    pub fn each_triangle(
        &self,
        mut take: impl FnMut(Vec<Vec<[u32; 3]>>) -> Result<bool> + Send,
    ) -> Result<()> {
        self.check_named()?;
        self.working(Phase::Count, |context| {
            let list = |held: &dyn ResidentGraph, take: &mut TakeEdges<'_>| {
                held.each_triangle(context, take)
            };
            if !self.handed_over(Task::List, &mut take, list)? {
                HostGraph::of(&*self.home.held)?.each_triangle(context, &mut take)?;
            }
            Ok(())
        })
    }

    /// Lets the graph hand something over where it lies; `false` where the CPU has to. What was handed over already is not found
    /// a second time where the device fails.
    pub(super) fn handed_over<T>(
        &self,
        task: Task,
        take: &mut (dyn FnMut(T) -> Result<bool> + Send),
        find: impl FnOnce(
            &dyn ResidentGraph,
            &mut (dyn FnMut(T) -> Result<bool> + Send),
        ) -> Result<bool>,
    ) -> Result<bool> {
        let Home { held, runner } = self.place(task)?;
        let mut are_taken = false;
        let mut note = |blocks| {
            are_taken = true;
            take(blocks)
        };
        match find(&**held, &mut note) {
            Err(error) if !are_taken && self.session.falls_back(runner, self.name(), &error) => {
                self.note(&Session::cpu());
                Ok(false)
            }
            found => {
                let is_found = found?;
                self.note(&if is_found { runner.ran_on() } else { Session::cpu() });
                Ok(is_found)
            }
        }
    }

    /// The trussness of every edge: the largest k whose k-truss has it, at least 2. O(m^1.5) work.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// let trussness = prepared.trussness()?;
    /// assert_eq!(trussness.values(), [3, 3, 3, 2]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Self::count), and [`Error::Input`] for 2³² edges or more.
    pub fn trussness(&self) -> Result<EdgeValues> {
        self.trusses(WantedTruss::All)
    }

    /// The edges of the k-truss, the largest subgraph whose every edge is in at least k - 2 of its triangles,
    /// as vertex indexes, the smaller first, ascending. Every edge for k up to 2. O(m^1.5) work; faster than
    /// [`trussness`](Self::trussness).
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// assert_eq!(prepared.k_truss(3)?, [[0, 1], [0, 2], [1, 2]]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`trussness`](Self::trussness).
    pub fn k_truss(&self, k: u32) -> Result<Vec<[u32; 2]>> {
        Ok(self.trusses(WantedTruss::One(k))?.into_edges())
    }

    /// Edges with their trussness: all of them, or those of one truss, which have its k. O(m^1.5) work. Of a graph in scratch files
    /// the result alone is in memory, 12 bytes an edge.
    ///
    /// # Errors
    /// As [`trussness`](Self::trussness).
    pub fn trusses(&self, wanted: WantedTruss) -> Result<EdgeValues> {
        if self.on_disk.is_some() {
            return collected(|take| self.each_trussness(wanted, take));
        }
        self.check_numbered("trusses are")?;
        let (least, most) = wanted.bounds();
        let task = match wanted {
            WantedTruss::All => Task::Trusses,
            // One level of a truss takes little more than its support.
            WantedTruss::One(_) => Task::OnEdges,
        };
        self.working(Phase::Peel, |context| {
            // Every edge is in the 2-truss.
            let found = match most > 2 {
                true => self.find(task, |held, context| held.trussness(wanted, context))?.1,
                false => vec![2; self.oriented()?.heads.len()],
            };
            let graph = self.oriented()?;
            assert_eq!(found.len(), graph.heads.len(), "one answer for each edge");
            let (number, is_wanted) =
                (|edge: usize| found[edge].min(most), |edge: usize| found[edge] >= least);
            EdgeValues::new(&graph, number, is_wanted, context)
        })
    }

    /// Hands edges with their trussness to `take`, some blocks of them at a time, until it says `false`, wherever the edges are. These
    /// are all edges, or those of one truss, which have its k. They ascend by their vertices. `take` runs on one of the session's
    /// threads at a time.
    ///
    /// Of a graph in scratch files the edges are peeled by walks, until memory holds what is left and 64 bytes for each of its edges.
    /// Each walk takes as long as [`each_edge`](Self::each_edge). Disk: 20 bytes for each edge.
    ///
    /// ```
    /// # use tribin::{Graph, Options, Session, analytics::WantedTruss};
    /// # let tailed = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0], [2, 3]]);
    /// let prepared = Session::open(Options::default())?.prepare(&tailed)?;
    /// let mut edges = Vec::new();
    /// prepared.each_trussness(WantedTruss::All, &mut |blocks| {
    ///     edges.extend(blocks.into_iter().flatten());
    ///     Ok(true)
    /// })?;
    /// assert_eq!(edges, [[0, 1, 3], [0, 2, 3], [1, 2, 3], [2, 3, 2]]);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`each_edge`](Self::each_edge); of a graph in memory as [`trussness`](Self::trussness).
    pub fn each_trussness(&self, wanted: WantedTruss, take: &mut TakeEdges<'_>) -> Result<()> {
        let Some(on_disk) = &self.on_disk else {
            let found = self.trusses(wanted)?;
            return self.session.install(|| found.each_block(take));
        };
        on_disk.check_named()?;
        let (least, _) = wanted.bounds();
        let mut of_truss = |mut blocks: Vec<Vec<[u32; 3]>>| {
            blocks.iter_mut().for_each(|edges| edges.retain(|&[_, _, k]| k >= least));
            take(blocks)
        };
        let context = self.session.context();
        self.session.install(|| {
            on_disk
                .in_parts(|device| on_disk.graph.trussness(device, wanted, &context, &mut of_truss))
        })
    }

    /// Runs a phase of work on the session's threads.
    pub(super) fn working<R: Send>(
        &self,
        phase: Phase,
        run: impl FnOnce(&Context) -> R + Send,
    ) -> R {
        self.session.install(|| {
            self.session.phase(phase);
            run(&self.session.context())
        })
    }

    /// Finds something where the graph is best for the task, and on the CPU where it is not found there; says which it was.
    pub(super) fn find<T>(
        &self,
        task: Task,
        find: impl Fn(&dyn ResidentGraph, &Context) -> Result<Option<T>>,
    ) -> Result<(RanOn, T)> {
        self.find_at(self.place(task)?, find)
    }

    fn find_at<T>(
        &self,
        Home { held, runner }: &Home,
        find: impl Fn(&dyn ResidentGraph, &Context) -> Result<Option<T>>,
    ) -> Result<(RanOn, T)> {
        let (context, name) = (self.session.context(), &self.source.name);
        context.cancel().check()?;
        let (mut ran_on, found) = match find(&**held, &context) {
            Err(error) if self.session.may_fall_back(runner, &error) => {
                let Ok(on_host) = HostGraph::of(&*self.home.held) else {
                    tracing::warn!("{name}: the graph cannot be copied from the device");
                    return Err(error);
                };
                warn_of_fallback(runner, name, &error);
                (Session::cpu(), find(&on_host, &context)?)
            }
            found => (runner.ran_on(), found?),
        };
        let found = match found {
            Some(found) => found,
            None => {
                ran_on = Session::cpu();
                let found = find(&HostGraph::of(&*self.home.held)?, &context)?;
                found.ok_or_else(|| Error::Usage("nothing finds this".into()))?
            }
        };
        let ran_on = self.last_on_disk().map_or(ran_on, |last| last.ran_on);
        self.note(&ran_on);
        Ok((ran_on, found))
    }

    pub(super) fn note(&self, ran_on: &RanOn) {
        *self.last_ran_on.lock().unwrap_or_else(PoisonError::into_inner) = Some(ran_on.clone());
    }

    /// How the last result came about: where the edges are, what found it, and what the steps took beside what was predicted. The result
    /// was of this task, and took `found` seconds. [`CountOptions::explain`] asks for more of a count.
    ///
    /// ```
    /// # use tribin::{DeviceChoice, Graph, Options, Session, plan::Task};
    /// # let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]);
    /// let mut options = Options::default();
    /// options.device = DeviceChoice::Cpu;
    /// let prepared = Session::open(options)?.prepare(&graph)?;
    /// let start = std::time::Instant::now();
    /// prepared.local()?;
    /// let explanation = prepared.explanation(Task::AtVertices, start.elapsed().as_secs_f64());
    /// assert_eq!((explanation.decisions[0].question, &*explanation.decisions[0].choice), ("device", "cpu"));
    /// assert_eq!(explanation.steps.len(), 2);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    pub fn explanation(&self, task: Task, found: f64) -> Explanation {
        let (prepared_by, runner) = (&self.home.runner, &self.here().runner);
        let last = self.last_ran_on.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let last = self.last_on_disk().map(|last| last.ran_on).or(last);
        let ran_on = last.unwrap_or_else(|| runner.ran_on());
        let decisions = self.on_disk.as_ref().map(|on_disk| on_disk.decision()).into_iter();
        let device = device_decision(runner, &ran_on, "leaves it to the CPU");
        let decisions = decisions.chain([device]).collect();
        let mut explanation = Explanation { decisions, ..Explanation::default() };
        let (entries, vertices) = (self.summary().entries(), self.vertex_bound() as u64);
        let facts = DeviceFacts::of_graph(entries, vertices, self.session.threads(), task);
        let (mut prepare, mut find) = (
            if prepared_by.is_cpu() { facts.prepare_on_cpu() } else { facts.prepare_on_gpu() },
            if ran_on.on == On::Cpu { facts.find_on_cpu() } else { facts.find_on_gpu() },
        );
        // Nothing is predicted of work in parts, and nobody knows before how many cliques there are.
        if self.on_disk.is_some() {
            (prepare, find) = (0.0, 0.0);
        } else if task == Task::Cliques || task.is_left_to_cpu() {
            find = 0.0;
        }
        let prediction = |seconds| StepPrediction { seconds, bytes: None };
        explanation.step(Phase::Orient.name(), prediction(prepare), self.seconds().prepare);
        explanation.step("find", prediction(find), found);
        explanation
    }

    /// Numbers that were found by place, each at its edge, in the order of the edges.
    pub(super) fn of_places<N: Copy>(
        &self,
        graph: &OrientedGraph,
        found: &[N],
    ) -> Result<EdgeValues<N>> {
        self.check_numbered("numbers on edges are")?;
        let context = self.session.context();
        let places = EdgeValues::new(graph, |place| place as u32, |_| true, &context)?;
        Ok(places.map(|place| found[place as usize]))
    }

    /// Whether 32 bits tell the edges apart, as what is `found` wants it.
    fn check_numbered(&self, found: &str) -> Result<()> {
        let edges = self.summary().edges;
        if edges <= u64::from(u32::MAX) {
            return Ok(());
        }
        let message = format!("{edges} edges: {found} found in graphs of up to {} edges", u32::MAX);
        Err(Error::Input { file: self.source.name.clone(), message: message.into() })
    }
}

/// All edges that are handed over, each with its number.
fn collected(each: impl FnOnce(&mut TakeEdges<'_>) -> Result<()>) -> Result<EdgeValues> {
    let (mut edges, mut values) = (Vec::new(), Vec::new());
    each(&mut |blocks| {
        for [u, v, number] in blocks.into_iter().flatten() {
            edges.push([u, v]);
            values.push(number);
        }
        Ok(true)
    })?;
    Ok(EdgeValues::of_rows(edges, values))
}
