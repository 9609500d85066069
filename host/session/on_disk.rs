//! A graph that is analysed out of core, as often as one likes.

use std::fmt;
use std::time::{Duration, Instant};

use super::Session;
use super::out_of_core::ran_on_parts;
use super::runner::Runner;
use crate::analytics::{Local, Stats, StatsSeconds};
use crate::control::Phase;
use crate::count::{Around, Count, EngineCount, EngineSeconds, RanOn};
use crate::graph::{Reading, Summary};
use crate::plan::{Decision, OutOfCore, Task};
use crate::read::{self, FileEdges};
use crate::{Error, Message, Result, VertexIds};
use tribin_out_of_core::{Counter, OnDisk, Scratch};
use tribin_parts::PartsOnDevice;

/// An undirected simple graph whose edges are in scratch files, because memory does not hold them
/// ([`Session::prepare_out_of_core`]).
///
/// Its results are found with a part of the edges in memory at a time: in that of the session's GPU, or in the host's. Directions are dropped, and self-loops
/// and duplicates are gone. Vertices have the indexes and ids that [`PreparedGraph`](crate::PreparedGraph) gives them. The
/// scratch files are removed with this.
///
/// ```
/// use tribin::plan::Task;
/// use tribin::{DeviceChoice, Options, Session, read};
///
/// // Every vertex is joined to the next two: 23 MB are needed in memory, and 17 may be used.
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("strip.txt");
/// let lines = |v: u32| format!("{v} {}\n{v} {}\n", v + 1, v + 2);
/// std::fs::write(&path, (0..40_000).map(lines).collect::<String>()).unwrap();
/// let mut options = Options::default();
/// (options.device, options.memory) = (DeviceChoice::Cpu, Some(16 << 20));
/// (options.threads, options.scratch) = (std::num::NonZero::new(1), Some(folder.path().into()));
/// let session = Session::new(options)?;
/// let reading = read::Options::default();
/// let graph = session.prepare_out_of_core(path, &reading, Task::AtVertices)?;
/// let graph = graph.expect("memory does not hold it");
///
/// let (local, took) = graph.local()?;
/// assert_eq!((local.triangles(0), local.triangles(7)), (1, 3));
/// assert!(took.memory_bytes <= 16 << 20 && took.scratch_bytes > 0);
/// assert_eq!(graph.count()?.triangles, 39_999);
/// assert_eq!(graph.stats()?.degeneracy, None);
/// let mut listed = 0;
/// graph.list(|blocks| {
///     for &[u, v, w] in blocks.iter().flatten() {
///         assert_eq!((v, w), (u + 1, u + 2));
///         listed += 1;
///     }
///     Ok(true)
/// })?;
/// assert_eq!(listed, 39_999);
/// let mut on_edges = 0;
/// graph.support(|blocks| {
///     on_edges += blocks.iter().flatten().map(|&[_, _, triangles]| u64::from(triangles)).sum::<u64>();
///     Ok(true)
/// })?;
/// assert_eq!(on_edges, 3 * 39_999);
/// # Ok::<(), tribin::Error>(())
/// ```
pub struct OutOfCoreGraph {
    session: Session,
    /// What finds the triangles.
    runner: Runner,
    name: String,
    graph: OnDisk,
    decision: Decision,
    scratch: std::path::PathBuf,
}

impl fmt::Debug for OutOfCoreGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutOfCoreGraph")
            .field("name", &self.name)
            .field("summary", &self.summary())
            .field("session", &self.session)
            .finish_non_exhaustive()
    }
}

impl Session {
    /// Whether a source takes more memory than it may, so that [`prepare_out_of_core`](Self::prepare_out_of_core) would take
    /// it, and why; `None` where memory holds it. What it would take out of core is not looked at. Large files are sampled, which takes a fraction of a second.
    ///
    /// # Errors
    /// As there.
    pub fn decide_out_of_core(
        &self,
        source: impl Into<read::Source>,
        reading: &read::Options,
        task: Task,
    ) -> Result<Option<Decision>> {
        let source = source.into();
        self.install(|| self.decided_out_of_core(&source, reading, task))
    }

    /// Reads a graph ([`read::Source`]: a file, a folder, …) into scratch files, if memory does not hold it: by the rule of
    /// [`count_file`](Self::count_file), with [`Options::memory`](crate::Options::memory) and
    /// [`Options::scratch`](crate::Options::scratch). `None` where it does, or where the graph cannot be counted out of
    /// core; nothing was read then, and [`prepare_file`](Self::prepare_file) takes it.
    ///
    /// That memory is enough for `task` is checked before the file is read, as far as its size is known, and after that.
    /// Disk: as for a count, and 8 bytes for each vertex.
    ///
    /// ```
    /// # std::env::set_current_dir("../..").unwrap();
    /// use tribin::plan::Task;
    /// use tribin::{DeviceChoice, Options, Session, read};
    ///
    /// let mut options = Options::default();
    /// (options.device, options.memory) = (DeviceChoice::Cpu, Some(16 << 20));
    /// let session = Session::new(options)?;
    /// let (path, reading) = ("tests/data/karate.mtx", read::Options::default());
    /// let stats = match session.prepare_out_of_core(path, &reading, Task::AtVertices)? {
    ///     Some(graph) => graph.stats()?,
    ///     None => session.prepare_file(path, &reading)?.stats()?,
    /// };
    /// assert_eq!(stats.triangles, 45);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count_file`](Self::count_file).
    pub fn prepare_out_of_core(
        &self,
        source: impl Into<read::Source>,
        reading: &read::Options,
        task: Task,
    ) -> Result<Option<OutOfCoreGraph>> {
        let source = source.into();
        self.install(|| {
            let Some(chosen) = self.chosen_out_of_core(&source, reading, task)? else {
                return Ok(None);
            };
            let super::out_of_core::OutOfCoreWork { runner, decision, memory, predicted, .. } =
                chosen;
            self.0.options.cancel.check()?;
            let name = source.name().display().to_string();
            self.say_where(&name, memory, &predicted);
            self.phase(Phase::Read);
            let mut reading = reading.clone();
            reading.cancel = self.0.options.cancel.clone();
            let edges = FileEdges::new(source, &reading);
            let scratch = Scratch::new(&predicted.scratch)?;
            let graph = OnDisk::new(&edges, scratch, (memory, task), &self.context())?;
            self.say_as_a_whole(&name, &graph.visited);
            let (session, scratch) = (self.clone(), predicted.scratch);
            Ok(Some(OutOfCoreGraph { session, runner, name, graph, decision, scratch }))
        })
    }
}

impl OutOfCoreGraph {
    /// The file's name as the user gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The figures of the simple graph: vertices, edges, wedges, the largest degree, and what was dropped.
    pub fn summary(&self) -> Summary {
        self.graph.summary
    }

    /// How the file was read, as [`Graph::reading`](crate::Graph::reading) has it.
    pub fn reading(&self) -> Option<&Reading> {
        self.graph.visited.reading.as_ref()
    }

    /// What the vertices are called in the file.
    ///
    /// # Errors
    /// [`Error::Input`] where they have names, which are not kept as a file is read in pieces.
    pub fn ids(&self) -> Result<&VertexIds> {
        self.graph.ids().ok_or_else(|| {
            let message = "vertices have names, which are not kept out of core: the graph has to fit the memory, or \
                           its vertices have to be numbers";
            Error::Input { file: self.name.clone(), message: Message::from(message) }
        })
    }

    /// One more than the largest vertex index.
    pub fn vertex_bound(&self) -> usize {
        self.graph.vertex_bound()
    }

    /// Where the edges are, and why.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }

    /// The session that prepared it.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Seconds from opening the file to edges in scratch files, and from there to this graph.
    pub fn seconds(&self) -> (f64, f64) {
        let EngineSeconds { orient, clean, .. } = self.graph.seconds;
        (self.graph.read.as_secs_f64(), orient + clean)
    }

    fn took(&self, task: Task, parts: u64) -> OutOfCore {
        OutOfCore { scratch: self.scratch.clone(), ..self.graph.took(task, parts) }
    }

    /// The exact number of triangles, with the figures around it. O(m^1.5) work.
    ///
    /// # Errors
    /// What the system reports, and [`Error::Cancelled`].
    pub fn count(&self) -> Result<Count> {
        self.session.install(|| {
            let start = Instant::now();
            self.session.phase(Phase::Count);
            let ((triangles, parts), ran_on) =
                self.find(|device| self.graph.count(device, &self.session.context()))?;
            let seconds =
                EngineSeconds { count: start.elapsed().as_secs_f64(), ..self.graph.seconds };
            let summary = self.summary();
            let found = EngineCount { triangles, summary, seconds, ..EngineCount::default() };
            let (read, prepare) = self.seconds();
            let total = Duration::from_secs_f64(read + prepare) + start.elapsed();
            let start_up = self.session.start_up();
            let around = Around { read: self.graph.read, total, start_up };
            let mut count = Count::new(&self.name, &ran_on, &found, around);
            count.reading = self.reading().cloned();
            count.out_of_core = Some(self.took(Task::Count, parts));
            Ok(count)
        })
    }

    /// Degree, triangles and clustering coefficient of every vertex, and what that took. O(m^1.5) work; memory: 9 bytes for
    /// each vertex beside the rows of a part, and 17 at the end.
    ///
    /// # Errors
    /// As [`count`](Self::count), and [`Error::Input`] where memory does not hold that.
    pub fn local(&self) -> Result<(Local, OutOfCore)> {
        let (local, _, took, _) = self.find_local()?;
        Ok((local, took))
    }

    fn find_local(&self) -> Result<(Local, u64, OutOfCore, RanOn)> {
        self.session.install(|| {
            self.session.phase(Phase::Count);
            let ((local, all, parts), ran_on) =
                self.find(|device| self.graph.local(device, &self.session.context()))?;
            Ok((local, all, self.took(Task::AtVertices, parts), ran_on))
        })
    }

    /// Lets the session's device find something, or the CPU where there is none, and where it fails and was left open.
    fn find<T>(
        &self,
        mut find: impl FnMut(Option<&dyn PartsOnDevice>) -> Result<T>,
    ) -> Result<(T, RanOn)> {
        let may_fall_back =
            |error: &Error| self.session.falls_back(&self.runner, &self.name, error);
        let device = self.runner.engine.parts();
        let found = Counter { device, may_fall_back: &may_fall_back }.find(|device| {
            let found = find(device)?;
            Ok((found, device.is_some()))
        });
        found.map(|(found, is_device)| (found, ran_on_parts(&self.runner, is_device)))
    }

    /// The figures of the whole graph but its degeneracy, which needs the graph in memory. As [`local`](Self::local).
    ///
    /// # Errors
    /// As [`local`](Self::local).
    pub fn stats(&self) -> Result<Stats> {
        let start = Instant::now();
        let (local, all, took, ran_on) = self.find_local()?;
        self.session.install(|| {
            let mut seconds = StatsSeconds::default();
            (seconds.read, seconds.prepare) = self.seconds();
            seconds.triangles = start.elapsed().as_secs_f64();
            let summary = self.summary();
            let mut stats = Stats::new(&self.name, &summary, &local, None, all, ran_on, seconds);
            stats.reading = self.reading().cloned();
            stats.out_of_core = Some(took);
            let (read, prepare) = self.seconds();
            stats.seconds.total = read + prepare + start.elapsed().as_secs_f64();
            Ok(stats)
        })
    }

    /// Hands all edges to `take`, some blocks of them at a time, until it says `false`; gives what that took. An edge is its
    /// smaller vertex index, its larger one, and the number of triangles on it. They ascend by their vertices, as those of
    /// [`PreparedGraph::support`](crate::PreparedGraph::support) do. O(m^1.5) work; memory: 5 bytes for each vertex beside
    /// the rows and the numbers of a part; disk: 20 bytes for each edge. `take` runs on one of the session's threads at a
    /// time.
    ///
    /// # Errors
    /// As [`local`](Self::local), and those of `take`.
    pub fn support(
        &self,
        mut take: impl FnMut(Vec<Vec<[u32; 3]>>) -> Result<bool> + Send,
    ) -> Result<OutOfCore> {
        self.session.install(|| {
            self.session.phase(Phase::Count);
            let (parts, _) =
                self.find(|device| self.graph.support(device, &self.session.context(), &mut take))?;
            Ok(self.took(Task::OnEdges, parts))
        })
    }

    /// Hands all triangles to `take`, some blocks of them at a time, until it says `false`; gives what that took. Triangles
    /// are vertex indexes, ascending in each. Their order is the same in every run with one limit of memory. O(m^1.5) work;
    /// memory: 5 bytes for each vertex beside the rows of a part, and a block for each thread, of 2¹⁵ + √(2m) triangles at
    /// most. `take` runs on one of the session's threads at a time.
    ///
    /// # Errors
    /// As [`local`](Self::local), and those of `take`.
    pub fn list(
        &self,
        mut take: impl FnMut(Vec<Vec<[u32; 3]>>) -> Result<bool> + Send,
    ) -> Result<OutOfCore> {
        self.session.install(|| {
            self.session.phase(Phase::Count);
            let parts = self.graph.list(&self.session.context(), &mut take)?;
            Ok(self.took(Task::List, parts))
        })
    }
}
