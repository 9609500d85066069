//! The one door: a device, threads, a memory budget, progress and cancellation.
//!
//! [`Session::count`] counts a graph. [`Session::prepare`] makes a [`PreparedGraph`], which is counted and
//! analysed as often as one likes. A session may be shared by any number of threads.
//!
//! This crate is a part of [`tribin`](https://docs.rs/tribin) and makes no promises of its own: use that one.

// Where GPUs are left out, much of what they share is unused.
#![cfg_attr(not(feature = "gpu"), allow(dead_code, unused_imports))]

mod cliques;
mod cpu;
#[cfg(feature = "gpu")]
mod device_edges;
mod directed;
mod dry_run;
mod engine;
#[cfg(feature = "gpu")]
#[doc(hidden)]
pub mod gpu;
mod input;
mod labelled;
#[cfg(feature = "gpu")]
mod members;
mod motifs;
mod on_disk;
mod options;
mod out_of_core;
mod prepared;
mod resident;
pub mod results;
mod runner;
mod sampled;
mod selection;
mod signed;
mod similar;
#[cfg(feature = "gpu")]
mod team;
mod weighted;
#[cfg(feature = "cluster")]
mod with_ranks;

use tribin_analytics as analytics;
use tribin_base::{Message, control, hint, processor};
use tribin_count as count;
#[cfg(feature = "gpu")]
use tribin_gpu::plan;
use tribin_graph::{self as graph, VertexIds};
#[cfg(not(feature = "gpu"))]
use tribin_plan as plan;
#[cfg(feature = "cluster")]
use tribin_ranks as ranks;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu::OnCpu;
use directed::Arcs;
use input::InputEdges;
use runner::{GraphSize, LazyDevice, Runner};
use tribin_base::control::{Context, Phase};
use tribin_base::par::{self, Pool};
use tribin_base::{Cancel, Error, Result, Work};
use tribin_count::{Count, CountOptions, CountTimes, EngineCount, On, RanOn, verify};
#[cfg(feature = "gpu")]
use tribin_gpu::device_graph::DeviceEdges;
use tribin_graph::Graph;
use tribin_plan::{Decision, Reason, Task};
use tribin_read as read;

pub use dry_run::Plan;
#[cfg(feature = "gpu")]
pub use engine::FromDevice;
pub use engine::{Engine, Foreseen};
pub use input::Input;
pub use labelled::LabelledTriangles;
pub use options::{DeviceChoice, GpuList, Options};
pub use prepared::PreparedGraph;
use prepared::{GraphSource, Home, Vertices};
pub use resident::ResidentGraph;
#[cfg(feature = "gpu")]
#[doc(hidden)]
pub use selection::one_gpu;
pub use selection::{Fallback, Selection};

/// A device and threads, ready to count and analyse any number of graphs. Clones are one session.
///
/// ```
/// use tribin::{Graph, Options, Session};
///
/// let session = Session::open(Options::default())?;
/// let square = Graph::from_edges(vec![[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]]);
/// assert_eq!(session.count(&square)?.triangles, 2);
///
/// let prepared = session.prepare(&square)?;
/// assert_eq!(prepared.local()?.triangles(0), 2);
/// assert_eq!(prepared.support()?.get(0, 2), Some(2));
/// # Ok::<(), tribin::Error>(())
/// ```
#[derive(Clone)]
pub struct Session(Arc<Inner>);

struct Inner {
    resources: Arc<SharedResources>,
    options: Options,
    on_phase: Box<dyn Fn(Phase) + Send + Sync>,
}

/// The resources that sessions share which differ only in who stops and watches their work.
struct SharedResources {
    device: LazyDevice,
    /// `None` where the caller's pool is used.
    pool: Option<Pool>,
    start_up: Duration,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("selection", &self.known_selection())
            .field("options", &self.0.options)
            .finish_non_exhaustive()
    }
}

impl Session {
    /// Chooses a device and opens it. A GPU that [`DeviceChoice::Auto`] may take is opened when it is first needed, and one that
    /// was asked for if the options leave it for later ([`Options::open_later`]).
    ///
    /// ```
    /// use tribin::{DeviceChoice, Options, Session};
    ///
    /// let mut options = Options::default();
    /// options.device = DeviceChoice::Cpu;
    /// let session = Session::open(options)?;
    /// assert_eq!(session.selection().device, "cpu");
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Device`] where a GPU was asked for and cannot be used, and where the threads
    /// cannot be started.
    pub fn open(options: Options) -> Result<Session> {
        let start = Instant::now();
        let pool = pool(&options)?;
        let device = selection::device(&options, threads(pool.as_ref()))?;
        let session = Session::assemble(device, pool, options, start);
        let device = &session.0.resources.device;
        if device.is_awaited() && !session.0.options.open_later {
            device.preferred().clone().usable()?;
        }
        Ok(session)
    }

    fn assemble(device: LazyDevice, pool: Option<Pool>, options: Options, start: Instant) -> Self {
        let resources = Arc::new(SharedResources { device, pool, start_up: start.elapsed() });
        Session(Arc::new(Inner { resources, options, on_phase: Box::new(|_| ()) }))
    }

    /// A session with this one's device, threads and limits, for work with a token, a gauge and a listener of
    /// its own. What this session does is not stopped by that token. O(1).
    ///
    /// ```
    /// use tribin::{Cancel, Error, Graph, Options, Session, Work};
    ///
    /// let session = Session::open(Options::default())?;
    /// let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]);
    /// let cancel = Cancel::new();
    /// cancel.cancel();
    /// let stopped = session.with_control(cancel, Work::new(), |_| ());
    /// assert!(matches!(stopped.count(&graph), Err(Error::Cancelled)));
    /// assert_eq!(session.count(&graph)?.triangles, 1);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_control(
        &self,
        cancel: Cancel,
        work: Work,
        on_phase: impl Fn(Phase) + Send + Sync + 'static,
    ) -> Session {
        let resources = Arc::clone(&self.0.resources);
        let options = Options { cancel, work, ..self.0.options.clone() };
        Session(Arc::new(Inner { resources, options, on_phase: Box::new(on_phase) }))
    }

    /// The device that the session prefers, and why. A GPU that was left to the program is opened if it is not yet known
    /// whether it can be used. Smaller graphs go to the CPU all the same: [`Count::device`] and
    /// [`PreparedGraph::selection`] say where a graph was.
    pub fn selection(&self) -> &Selection {
        &self.0.resources.device.preferred().selection
    }

    /// The device that the session prefers and why, if that is known already: nothing is opened.
    pub fn known_selection(&self) -> Option<&Selection> {
        self.0.resources.device.known().map(|runner| &runner.selection)
    }

    /// Refuses options that do not go with the session's device. That one is opened only for an engine that needs a GPU.
    ///
    /// # Errors
    /// As [`Selection::check`].
    #[doc(hidden)]
    pub fn check(&self, options: &CountOptions) -> Result<()> {
        match options.engine.is_for_gpus_only() {
            true => self.selection().check(options),
            false => Ok(()),
        }
    }

    /// Does everything on the preferred device from now on, as measurements want it.
    #[doc(hidden)]
    pub fn settle(&self) {
        self.0.resources.device.settle();
    }

    /// The runner that works on a graph of this size.
    fn runner(&self, size: GraphSize, options: &CountOptions, task: Task) -> Result<Runner> {
        let device = &self.0.resources.device;
        match options.engine.is_for_gpus_only() {
            true => device.preferred().clone().usable(),
            false => device.runner(size, task),
        }
    }

    /// Runs something that reads an input. The GPU is opened meanwhile if that is files that seem large enough.
    fn while_opening<R>(&self, input: &Input, task: Task, run: impl FnOnce() -> R) -> R {
        let device = &self.0.resources.device;
        let InputEdges::Files { source, .. } = &input.edges else { return run() };
        if device.known().is_some() {
            return run();
        }
        if device.is_awaited() {
            return device.while_opening(run);
        }
        let takes_gpu = GraphSize::by_name(source)
            .and_then(|size| device.would_take_gpu(size, task))
            .unwrap_or(false);
        if takes_gpu { device.while_opening(run) } else { run() }
    }

    /// The options that the session was made with.
    pub fn options(&self) -> &Options {
        &self.0.options
    }

    /// CPU threads that host work runs on.
    pub fn threads(&self) -> usize {
        threads(self.0.resources.pool.as_ref())
    }

    /// Counts the triangles of a graph: one in memory, a file ([`Seconds::read`](crate::count::Seconds::read) is filled in
    /// then), or what else an [`Input`] is.
    ///
    /// A graph that memory does not hold is counted out of core: its edges go to scratch files ([`Options::memory`],
    /// [`Options::scratch`]), and [`Count::out_of_core`] says so.
    ///
    /// ```
    /// # std::env::set_current_dir("../..").unwrap();
    /// # use tribin::{Graph, Options, Session};
    /// let session = Session::open(Options::default())?;
    /// let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]);
    /// assert_eq!(session.count(&graph)?.triangles, 1);
    /// let count = session.count("tests/data/karate.mtx")?;
    /// assert_eq!((count.triangles, count.wedges), (45, 528));
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// What the device reports, one message with file and line for whatever is wrong with a file, and
    /// [`Error::Cancelled`]; [`Error::Usage`] for options that do not go together, and [`Error::Disagreement`] where
    /// verification was asked for and failed.
    pub fn count<'a>(&self, input: impl Into<Input<'a>>) -> Result<Count> {
        let input = input.into();
        let options = &input.options;
        self.check(options)?;
        self.install(|| {
            self.while_opening(&input, Task::Count, || {
                #[cfg(feature = "gpu")]
                if let InputEdges::OnGpus(shares) = &input.edges {
                    return self.prepared_on_gpus(shares)?.count();
                }
                if let Some(chosen) = self.out_of_core(&input, Task::Count)? {
                    return self.prepared_on_disk(&input, chosen, Task::Count)?.counted(options);
                }
                let (graph, read) = self.in_memory(&input)?;
                self.run(&graph, options, read)
            })
        })
    }

    /// The graph of an input in memory, and what reading or making it took.
    fn in_memory<'i>(&self, input: &'i Input) -> Result<(Cow<'i, Graph>, Duration)> {
        let start = Instant::now();
        let graph = match &input.edges {
            InputEdges::Graph(graph) => return Ok((Cow::Borrowed(graph), Duration::ZERO)),
            InputEdges::Files { source, reading } => self.read(source, reading)?,
            InputEdges::Blocks { blocks, name } => Graph::from_blocks(*blocks, name),
            #[cfg(feature = "gpu")]
            InputEdges::OnGpus(_) => {
                let message = "edges in device memory are counted and prepared where they are: copy them to the host";
                return Err(Error::Usage(message.into()));
            }
        };
        Ok((Cow::Owned(graph), start.elapsed()))
    }

    /// Cleans and orients a graph, and keeps it where the session works: once for all its results. An [`Input`] that is
    /// directed keeps the directions of its edges, 1 byte each, and one with weights keeps these: 8 bytes an edge, and 16
    /// with directions.
    ///
    /// A graph that memory does not hold ([`Options::memory`], [`Options::scratch`]) is prepared in scratch files: by the
    /// rule of [`count`](Self::count), if the task ([`Input::for_task`]) is found there. That memory is enough for the task is checked
    /// before the file is read, as far as its size is known, and after that. Disk: as for a count, and 8 bytes for each
    /// vertex. O(m log m) work.
    ///
    /// ```
    /// # std::env::set_current_dir("../..").unwrap();
    /// # use tribin::{Graph, Input, Options, Session};
    /// let session = Session::open(Options::default())?;
    /// let graph = Graph::from_edges(vec![[0, 1], [1, 2], [2, 0]]);
    /// let prepared = session.prepare(&graph)?;
    /// assert_eq!(prepared.count()?.triangles, 1);
    /// assert_eq!(prepared.local()?.triangles(0), 1);
    /// assert_eq!(session.prepare("tests/data/karate.mtx")?.summary().edges, 78);
    /// let directed = session.prepare(Input::from(&graph).directed())?;
    /// assert_eq!(directed.directed_local()?.in_degree(0), 1);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`count`](Self::count); [`Error::Input`] where duplicates have weights that do not go together
    /// ([`Graph::with_duplicates`]), and where the task needs a graph in memory that memory does not hold.
    pub fn prepare<'a>(&self, input: impl Into<Input<'a>>) -> Result<PreparedGraph> {
        let input = input.into();
        let task = input.kept_for(input.task.unwrap_or_default());
        self.install(|| {
            self.while_opening(&input, task, || {
                #[cfg(feature = "gpu")]
                if let InputEdges::OnGpus(shares) = &input.edges {
                    let message = "the directions of edges in device memory are not kept: copy them to the host";
                    return match input.is_directed {
                        true => Err(Error::Usage(message.into())),
                        false => self.prepared_on_gpus(shares),
                    };
                }
                if let Some(graph) = self.prepared_out_of_core(&input, task)? {
                    return Ok(graph);
                }
                let (graph, read) = self.in_memory(&input)?;
                let runner = self.runner(GraphSize::of(&graph), &CountOptions::default(), task)?;
                say_why(&runner, graph.name());
                let mut prepared = self.prepared_by(runner, &graph, read, None)?;
                prepared.arcs = Arcs::of(&graph, &prepared, input.is_directed)?;
                Ok(prepared)
            })
        })
    }

    #[cfg(feature = "gpu")]
    fn prepared_on_gpus(&self, shares: &[DeviceEdges]) -> Result<PreparedGraph> {
        if shares.is_empty() {
            return Err(Error::Usage("there are no shares of edges".into()));
        }
        self.phase(Phase::Orient);
        let runner = self.0.resources.device.preferred().clone().usable()?;
        match runner.engine.prepare_device_edges(shares, &self.context())? {
            FromDevice::Prepared { held, ids, declared, looped } => {
                let source = GraphSource {
                    ids,
                    name: device_edges::NAME.into(),
                    reading: None,
                    vertices: declared.map_or(Vertices::Named(looped), Vertices::Declared),
                    copied: None,
                    read: Duration::ZERO,
                };
                Ok(PreparedGraph::new(self.clone(), Home { held: held.into(), runner }, source))
            }
            FromDevice::Copied { graph, because } => {
                self.prepared_by(runner, &graph, Duration::ZERO, Some(because))
            }
        }
    }

    /// The plan of counting a file, or of another task ([`Input::for_task`]): what would be done. Nothing is cleaned, oriented or
    /// counted. Of another task than counting, the memory is told in which the graph is prepared, and not what a result takes
    /// beside it.
    ///
    /// Files of up to 64 MiB are read, which takes O(entries); compressed ones of up to 8 MiB. Of larger ones a header that
    /// says all is enough, or a sample of edge lists and raw pairs: that takes a fraction of a second. Others
    /// are read as well.
    ///
    /// ```
    /// # std::env::set_current_dir("../..").unwrap();
    /// use tribin::{Options, Session};
    ///
    /// let session = Session::open(Options::default())?;
    /// assert_eq!(session.plan("tests/data/karate.mtx")?.entries, 78);
    /// # Ok::<(), tribin::Error>(())
    /// ```
    ///
    /// # Errors
    /// One message with file and line for whatever is wrong with the file, what the device reports,
    /// [`Error::Usage`] for an input that is no file, and [`Error::Input`] where another task needs a graph in memory that
    /// memory does not hold.
    pub fn plan<'a>(&self, input: impl Into<Input<'a>>) -> Result<Plan> {
        let input = input.into();
        let task = input.task.map_or(Task::Count, |task| input.kept_for(task));
        let options = &input.options;
        self.check(options)?;
        let InputEdges::Files { source, reading } = &input.edges else {
            return Err(Error::Usage(
                "a plan is made of a file: what is in memory can be counted".into(),
            ));
        };
        self.install(|| {
            self.phase(Phase::Read);
            let inspection = read::inspect(source.clone(), reading)?;
            let out_of_core = self.out_of_core(&input, task)?;
            let size = match &out_of_core {
                Some(chosen) => chosen.size.clone(),
                None => dry_run::foretold(&inspection, source, reading)?,
            };
            let in_memory = GraphSize::in_memory(size.entries, size.likely_vertices());
            let runner = match &out_of_core {
                Some(chosen) => chosen.runner.clone(),
                None => self.runner(in_memory, options, task)?,
            };
            let mut plan = Plan::new(&inspection, &size, &runner, options)?;
            if let Some(chosen) = out_of_core {
                let is_device = runner.engine.parts().is_some();
                plan = plan.out_of_core(chosen, out_of_core::ran_on_parts(&runner, is_device));
            }
            if task.is_left_to_cpu() || matches!(task, Task::Cliques | Task::Motifs) {
                plan.engine = cliques::METHOD.into();
            }
            Ok(plan)
        })
    }

    /// Runs something on the session's threads: those that it was given, or those of the caller.
    pub fn install<R: Send>(&self, run: impl FnOnce() -> R + Send) -> R {
        match &self.0.resources.pool {
            Some(pool) => pool.install(run),
            None => run(),
        }
    }

    fn read(&self, source: &read::Source, reading: &read::Options) -> Result<Graph> {
        self.0.options.cancel.check()?;
        self.phase(Phase::Read);
        let mut reading = reading.clone();
        reading.cancel = self.0.options.cancel.clone();
        if let (Some(memory), None) = (self.0.options.memory, reading.decompressed_limit) {
            // The size of a compressed file says little of what it decompresses to.
            reading.decompressed_limit = Some(memory.min(reading.most_decompressed()));
        }
        let graph = read::open(source.clone(), &reading)?;
        self.0.options.cancel.check()?;
        self.say_too_large(&graph);
        Ok(graph)
    }

    /// Says that a graph takes more memory than it may, where that was not known before it was read.
    fn say_too_large(&self, graph: &Graph) {
        let Some(memory) = self.0.options.memory else { return };
        let is_on_gpu = self.0.resources.device.known().is_some_and(|runner| !runner.is_cpu());
        // The CPU sorts them from one place to another.
        let entry = if is_on_gpu { 8 } else { 16 };
        let needed = graph.edges().len() as u64 * entry;
        if needed > memory {
            tracing::warn!(
                "{}: its {} entries take {needed} bytes or more, and {memory} bytes of memory are allowed: that was not \
                 known before they were read",
                graph.name(),
                graph.edges().len(),
            );
        }
    }

    fn prepared_by(
        &self,
        mut runner: Runner,
        graph: &Graph,
        read: Duration,
        copied: Option<String>,
    ) -> Result<PreparedGraph> {
        self.phase(Phase::Orient);
        let held = match runner.engine.prepare(graph, &self.context()) {
            Err(error) if self.falls_back(&runner, graph.name(), &error) => {
                runner = runner.instead();
                OnCpu.prepare(graph, &self.context())
            }
            held => held,
        };
        let held = held.map_err(|error| error.of(graph.name()))?;
        let source = GraphSource {
            ids: graph.ids().clone(),
            name: graph.name().to_owned(),
            reading: graph.reading().cloned(),
            vertices: Vertices::of(graph, &held.summary()),
            copied,
            read,
        };
        Ok(PreparedGraph::new(self.clone(), Home { held: held.into(), runner }, source))
    }

    fn run(&self, graph: &Graph, options: &CountOptions, read: Duration) -> Result<Count> {
        let runner = self.runner(GraphSize::of(graph), options, Task::Count)?;
        say_why(&runner, graph.name());
        let start = Instant::now();
        let may_fall_back = !options.engine.is_for_gpus_only();
        let (ran_on, found) = match runner.engine.count(graph, options, &self.context()) {
            Err(error) if may_fall_back && self.falls_back(&runner, graph.name(), &error) => {
                (Session::cpu(), OnCpu.count(graph, options, &self.context()))
            }
            Ok(found) => (ran_on_by(&runner, &found), Ok(found)),
            refused => (Session::cpu(), refused),
        };
        let found = found.map_err(|error| error.of(graph.name()))?;
        let found = (&runner, &ran_on, &found);
        let mut count = self.report(graph.name(), found, options, [read, read + start.elapsed()]);
        count.reading = graph.reading().cloned();
        if options.verify {
            self.phase(Phase::Verify);
            let start = Instant::now();
            let again = self.count_again(graph, &ran_on)?;
            count.compare(&again).map_err(|error| self.blame(error))?;
            count.reciprocal_dropped = count.reciprocal_dropped.or(again.reciprocal_dropped);
            count.verified_by = Some(again.full_engine_name());
            count.seconds.verify = start.elapsed().as_secs_f64();
        }
        Ok(count)
    }

    /// The report of a count, with the time that reading took, and that of all.
    fn report(
        &self,
        name: &str,
        (runner, ran_on, found): (&Runner, &RanOn, &EngineCount),
        options: &CountOptions,
        [read, total]: [Duration; 2],
    ) -> Count {
        let around = CountTimes { read, total, start_up: self.start_up() };
        let mut count = Count::new(name, ran_on, found, around);
        if options.explain {
            let mut explanation = found.explanation.clone();
            explanation.decisions.insert(0, device_decision(runner, ran_on, "failed"));
            count.explanation = Some(explanation);
        }
        log(&count);
        count
    }

    /// Counts with an engine that shares no code with the first from cleaning on. What ran on GPUs is counted again
    /// by the CPU's forward engine. What ran on the CPU is counted by another method. So is what an engine of the caller's own
    /// counted, which may prepare as the CPU does. (Of a graph that was
    /// too large to be prepared on a GPU, only the counting is independent.)
    fn count_again(&self, graph: &Graph, first: &RanOn) -> Result<Count> {
        let Options { cancel, work, .. } = &self.0.options;
        let silent = Context::new(&|_| (), cancel.clone()).with_work(work.clone());
        let mut ran_on = Session::cpu();
        let found = match first.on {
            On::Gpu => OnCpu.count(graph, &CountOptions::default(), &silent)?,
            On::Cpu | On::Own => {
                ran_on.engine = verify::NAME.into();
                verify::count(graph, &silent)?
            }
        };
        Ok(Count::new(graph.name(), &ran_on, &found, CountTimes::default()))
    }

    /// The one rule for falling back: the device was left to the program, it is not the CPU, and it is the
    /// device that failed or is too small.
    fn may_fall_back(&self, runner: &Runner, error: &Error) -> bool {
        let has_failed = matches!(error, Error::Device(_) | Error::DeviceMemory { .. });
        has_failed && !runner.is_cpu() && self.is_left_open()
    }

    /// Whether the CPU goes on after an error, which is said.
    fn falls_back(&self, runner: &Runner, name: &str, error: &Error) -> bool {
        let may = self.may_fall_back(runner, error);
        if may {
            warn_of_fallback(runner, name, error);
        }
        may
    }

    /// Says of two counts that differ whether one is of an engine that is not tribin's.
    #[doc(hidden)]
    pub fn blame(&self, error: Error) -> Error {
        match error {
            Error::Disagreement(mut disagreement) => {
                let selection = self.known_selection();
                disagreement.own_engine |= selection.is_some_and(|known| known.on == On::Own);
                Error::Disagreement(disagreement)
            }
            other => other,
        }
    }

    /// Whether the device was left to the program.
    fn is_left_open(&self) -> bool {
        self.0.options.engine.is_none() && self.0.options.device == DeviceChoice::Auto
    }

    fn context(&self) -> Context<'_> {
        let Options { cancel, work, .. } = &self.0.options;
        Context::new(&*self.0.on_phase, cancel.clone()).with_work(work.clone())
    }

    /// Says that a phase begins. How many bytes are read, a reader's progress says, not the gauge.
    fn phase(&self, phase: Phase) {
        match phase {
            Phase::Read => (self.0.on_phase)(phase),
            _ => self.context().phase(phase),
        }
    }

    fn start_up(&self) -> Duration {
        self.0.resources.start_up + self.0.resources.device.took()
    }

    fn cpu() -> RanOn {
        Runner::preferred(On::Cpu, Arc::new(OnCpu), "it takes over").ran_on()
    }
}

/// Which device counted, as a decision.
fn device_decision(runner: &Runner, ran_on: &RanOn, why_not: &str) -> Decision {
    let mut because = runner.reasons();
    if !runner.is_cpu() && ran_on.on == On::Cpu {
        because.push(Reason::new(true, format!("{} {why_not}", runner.selection.device)));
    }
    let choice = ran_on.device.clone();
    Decision { question: "device", choice, because, rejected: Vec::new() }
}

/// Says what the rule said of a device that was left open.
fn say_why(runner: &Runner, name: &str) {
    if !runner.because.is_empty() {
        let texts: Vec<String> = runner.because.iter().map(ToString::to_string).collect();
        tracing::info!("{name}: on {}: {}", runner.selection.device, texts.join("; "));
    }
}

fn warn_of_fallback(runner: &Runner, name: &str, error: &Error) {
    let device = &runner.selection.device;
    tracing::warn!("{name}: {device} fails, the CPU goes on instead: {error}");
}

/// What something ran on, with what an engine of several methods and devices took.
fn ran_on_by(runner: &Runner, found: &EngineCount) -> RanOn {
    let mut ran_on = runner.ran_on();
    if let Some(method) = found.method {
        ran_on.engine = method.to_owned();
    }
    if let Some([device, name]) = &found.ran_on {
        (ran_on.device, ran_on.device_name) = (device.clone(), name.clone());
    }
    ran_on
}

/// The session's own threads, or none where those of the caller are used. The pool of a caller that has none is
/// rayon's global one, which takes its size from a variable: one that no machine can start is refused.
fn pool(options: &Options) -> Result<Option<Pool>> {
    match options.threads {
        Some(threads) => Ok(Some(crate::processor::thread_pool(Some(threads))?)),
        None => crate::processor::check_current_pool().map(|()| None),
    }
}

fn threads(pool: Option<&Pool>) -> usize {
    pool.map_or_else(par::threads, Pool::threads)
}

fn log(count: &Count) {
    let seconds = &count.seconds;
    tracing::info!(
        file = count.file,
        engine = count.engine,
        device = count.device,
        threads = count.threads,
        read = seconds.read,
        upload = seconds.upload,
        clean = seconds.clean,
        orient = seconds.orient,
        count = seconds.count,
        total = seconds.total,
        start_up = seconds.start_up,
        "counted"
    );
}

#[cfg(test)]
mod lazy_tests;
#[cfg(test)]
mod shares_tests;
#[cfg(test)]
mod tests;
