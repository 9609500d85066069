//! One graph on several GPUs of this process.
//!
//! Each GPU has a thread of its own ([`Team`]), and one more thread hands the work to all of them, a graph at a
//! time. So no graph waits for a GPU while another waits for its neighbour.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::engine::{Engine, FromDevice};
use super::gpu::{Accelerator, DrivenDevice, GpuGraph, OtherDevices, hold, method_name, take};
use super::members::{HOW_MANY, Members, explain};
use super::resident::ResidentGraph;
use super::runner::GraphSize;
use crate::control::Context;
use crate::count::{CountOptions, EngineChoice, EngineCount};
use crate::plan::team::{Gpus, TeamFacts, crew};
use crate::plan::{Chosen, Decision, DeviceMemory, Preparer, Task};
use crate::{Graph, Result};
use tribin_gpu::device_graph::DeviceEdges;
use tribin_gpu::exchange::PeerCopies;
use tribin_gpu::prepare::OnDevice;
use tribin_gpu::prepare::directions;
use tribin_gpu::prepare::parts::{Division, OnDevices, PartsStopped, prepare_in_parts};
use tribin_parts::PartsOnDevice;

/// Opens the GPUs beside the first.
type OpenOthers<D> = Box<dyn Fn() -> Result<Vec<Arc<DrivenDevice<D>>>> + Send + Sync>;

/// Several GPUs as one engine.
pub struct OnTeam<D: Accelerator> {
    pub(super) shared: Arc<Shared<D>>,
    /// The GPUs as `--device` takes all of them, if they were asked for. Otherwise they are taken where they pay.
    pub(super) named: Option<String>,
    /// Parts of a graph, if the caller asked for some number of them.
    parts: Option<u32>,
}

/// The first GPU, and the others once they are opened, which graphs on several GPUs keep.
pub(crate) struct Shared<D: Accelerator> {
    pub first: Arc<DrivenDevice<D>>,
    /// How many GPUs there are.
    pub devices: u32,
    open: OpenOthers<D>,
    opened: OnceLock<Members<D>>,
    opening: Mutex<()>,
}

impl<D: Accelerator> Shared<D> {
    /// All GPUs; those beside the first are opened when they are first wanted.
    pub fn opened(&self) -> Result<&Members<D>> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let _one_at_a_time = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let mut members = vec![self.first.clone()];
        members.extend((self.open)()?);
        let opened = Members::join(members)?;
        Ok(self.opened.get_or_init(|| opened))
    }
}

impl<D: Accelerator> OnTeam<D> {
    /// The first GPU, and `others` more that `open` opens: at once if all are `named`, and otherwise when they pay.
    pub fn new(
        first: Arc<DrivenDevice<D>>,
        others: u32,
        open: impl Fn() -> Result<Vec<Arc<DrivenDevice<D>>>> + Send + Sync + 'static,
        named: Option<String>,
        parts: Option<u32>,
    ) -> Result<OnTeam<D>> {
        let shared = Arc::new(Shared {
            first,
            devices: others + 1,
            open: Box::new(open),
            opened: OnceLock::new(),
            opening: Mutex::new(()),
        });
        if named.is_some() {
            shared.opened()?;
        }
        Ok(OnTeam { shared, named, parts })
    }

    /// One GPU, which may prepare a graph in parts.
    pub fn alone(only: Arc<DrivenDevice<D>>, parts: Option<u32>) -> Result<OnTeam<D>> {
        OnTeam::new(only, 0, || Ok(Vec::new()), None, parts)
    }

    /// Chooses by whom a graph is prepared and counted. `kept` is what each GPU keeps of it beside the graph, in bytes.
    fn choose(&self, entries: u64, vertices: u64, kept: u64) -> Result<Chosen<Gpus>> {
        let free = match self.shared.opened.get() {
            Some(opened) => opened.run(|exchange| opened.free_beside(exchange, 0))?,
            // What the others have is seen when they are opened.
            None => {
                let first = &self.shared.first;
                first.driver.run(|device| first.free_beside(device, 0))?
            }
        };
        Ok(crew(&self.facts(entries, vertices, kept, free)))
    }

    pub(super) fn facts(&self, entries: u64, vertices: u64, kept: u64, free: u64) -> TeamFacts {
        TeamFacts {
            entries,
            vertices,
            kept,
            devices: self.shared.devices,
            named: self.named.is_some(),
            spread: false,
            open: self.shared.opened.get().is_some(),
            free,
            parts: self.parts,
        }
    }

    /// All GPUs, if a graph of this size is theirs for the task, and how they prepare it. Otherwise the choice says why it is one
    /// GPU's. Where the choice was left open and the others cannot be used, one GPU goes on alone.
    fn all(&self, size: GraphSize, task: Task) -> Result<Result<AllGpus<'_, D>, Chosen<Gpus>>> {
        let GraphSize { entries, vertices, .. } = size;
        let kept = if task.names_vertices() { 4 * vertices } else { 0 };
        let mut chosen = self.choose(entries, vertices, kept)?;
        let Gpus::All { parts } = chosen.choice else { return Ok(Err(chosen)) };
        let opened = match self.shared.opened() {
            Ok(opened) => opened,
            Err(error) if self.named.is_none() => {
                tracing::warn!("one GPU goes on alone, because another cannot be used: {error}");
                (chosen.choice, chosen.name) = (Gpus::One, "one GPU");
                return Ok(Err(chosen));
            }
            Err(error) => return Err(error),
        };
        let facts = self.facts(entries, vertices, kept, 0);
        let crew = self.crew(&chosen, Division::new(parts, task), facts);
        Ok(Ok(AllGpus { opened, crew }))
    }

    /// Prepares a graph for a task, on all GPUs or on the first, which has some of the rows at a time where all are too many.
    fn held(&self, graph: &Graph, task: Task, context: &Context) -> Result<Box<dyn ResidentGraph>> {
        let start = Instant::now();
        let decided = match self.all(GraphSize::of(graph), task)? {
            Ok(all) => {
                let ready = all.opened.run(|exchange| all.prepare(exchange, graph, context))?;
                if let Some(mut ready) = ready {
                    directions::tell(graph.edges(), &mut ready.prepared.figures);
                    return Ok(self.hold(ready, all.crew, start.elapsed()));
                }
                None
            }
            // With one GPU there is nothing to decide.
            Err(chosen) => (self.shared.devices > 1).then(|| chosen.decision(HOW_MANY)),
        };
        hold(&self.shared.first, graph, task, decided, context)
    }

    /// The facts and the decision by which all GPUs work, in this number of parts.
    pub(super) fn crew(
        &self,
        chosen: &Chosen<Gpus>,
        division: Division,
        facts: TeamFacts,
    ) -> TeamDecision {
        let facts = TeamFacts { parts: Some(division.parts), ..facts };
        TeamDecision { decision: self.decision(chosen), label: self.all_label(), facts, division }
    }

    /// Keeps a graph that all GPUs prepared. `took` is the time since it was begun.
    pub(super) fn hold(
        &self,
        ready: OnDevices<D>,
        crew: TeamDecision,
        took: Duration,
    ) -> Box<dyn ResidentGraph> {
        let OnDevices { graphs, mut prepared } = ready;
        let preparation = explain(crew.decision, &prepared, &crew.facts);
        prepared.seconds.clean += prepared.exchange;
        let mut graphs = graphs.into_iter();
        let on_device = OnDevice {
            graph: graphs.next().expect("a team has a device"),
            figures: prepared.figures,
            seconds: prepared.seconds,
            decisions: Vec::new(),
            preparer: Preparer::Device,
            order: Some(prepared.order),
        };
        let (graphs, label, shared) = (graphs.collect(), crew.label, self.shared.clone());
        let others = OtherDevices { graphs, label, preparation, shared };
        GpuGraph::held(self.shared.first.clone(), on_device, Some(others), took)
    }

    fn all_label(&self) -> String {
        let own = &self.shared.first.label;
        let all = || if self.shared.devices > 1 { "gpu:all".into() } else { own.clone() };
        self.named.clone().unwrap_or_else(all)
    }

    /// The decision for all GPUs.
    fn decision(&self, chosen: &Chosen<Gpus>) -> Decision {
        let mut decision = chosen.decision(HOW_MANY);
        if let Gpus::All { parts } = chosen.choice {
            let all = if self.shared.devices > 1 { "all GPUs" } else { "one GPU" };
            decision.choice = format!("{all} in {parts} parts");
        }
        decision
    }
}

/// The facts and the decision by which several GPUs prepared a graph.
pub(super) struct TeamDecision {
    /// The reasons for all GPUs.
    pub decision: Decision,
    /// All GPUs as `--device` takes them.
    pub label: String,
    pub facts: TeamFacts,
    pub division: Division,
}

/// All GPUs, for a graph that they prepare together.
struct AllGpus<'t, D: Accelerator> {
    opened: &'t Members<D>,
    crew: TeamDecision,
}

impl<D: Accelerator> AllGpus<'_, D> {
    /// Lets them prepare a graph in host memory; `None` where it has more edges than a GPU numbers.
    fn prepare(
        &self,
        exchange: &PeerCopies<D>,
        graph: &Graph,
        context: &Context,
    ) -> Result<Option<OnDevices<D>>> {
        self.opened.begin(exchange, &self.crew, context)?;
        match prepare_in_parts(exchange, graph, self.crew.division, context) {
            Ok(ready) => Ok(Some(ready)),
            Err(PartsStopped::TooManyEdges { .. }) => Ok(None),
            Err(stopped) => Err(self.opened.stopped(stopped, graph.name())),
        }
    }
}

impl<D: Accelerator> Engine for OnTeam<D> {
    fn name(&self) -> &str {
        method_name(EngineChoice::Auto)
    }

    fn device(&self) -> String {
        self.named.clone().unwrap_or_else(|| self.shared.first.label.clone())
    }

    fn device_name(&self) -> String {
        match (&self.named, self.shared.opened.get()) {
            (Some(named), Some(opened)) => {
                let [_, name] = opened.ran_on(named.clone());
                name
            }
            _ => self.shared.first.name.clone(),
        }
    }

    fn count(
        &self,
        graph: &Graph,
        options: &CountOptions,
        context: &Context,
    ) -> Result<EngineCount> {
        let graph = self.held(graph, Task::Count, context)?;
        graph.count(options, context)
    }

    fn prepare(&self, graph: &Graph, context: &Context) -> Result<Box<dyn ResidentGraph>> {
        self.held(graph, Task::AtVertices, context)
    }

    /// Takes the graph to the first GPU, which then finds all.
    fn take(
        &self,
        prepared: &dyn ResidentGraph,
        context: &Context,
    ) -> Result<Option<Box<dyn ResidentGraph>>> {
        take(&self.shared.first, prepared, context)
    }

    fn prepare_device_edges(
        &self,
        shares: &[DeviceEdges],
        context: &Context,
    ) -> Result<FromDevice> {
        self.take_edges(shares, context)
    }

    /// One GPU holds the parts.
    fn parts(&self) -> Option<&dyn PartsOnDevice> {
        Some(&*self.shared.first)
    }

    fn foresee(
        &self,
        entries: u64,
        vertices: u64,
        options: &CountOptions,
    ) -> Result<(Vec<Decision>, Option<DeviceMemory>)> {
        let first = &self.shared.first;
        let chosen = self.choose(entries, vertices, 0)?;
        let mut memory = first.predicted_memory(entries, vertices, options)?;
        let mut decisions = Vec::new();
        if self.shared.devices > 1 || chosen.choice != Gpus::One {
            decisions.push(self.decision(&chosen));
        }
        match chosen.choice {
            Gpus::One => decisions.extend(first.decisions(entries, vertices)?),
            Gpus::All { parts } => {
                let facts = self.facts(entries, vertices, 0, 0);
                let plan = TeamFacts { parts: Some(parts), ..facts }.memory();
                // Each GPU has the whole graph to count, and what a method builds beside it.
                let prepare = [plan.upload, plan.orient, plan.clean];
                let phases = memory.phases.iter_mut().zip(prepare);
                phases.for_each(|(phase, bytes)| phase.bytes = bytes);
            }
        }
        Ok((decisions, Some(memory)))
    }
}
