//! One graph on several GPUs of this process.
//!
//! Each GPU has a thread of its own ([`Team`]), and one more thread hands the work to all of them, a graph at a
//! time. So no graph waits for a GPU while another waits for its neighbour.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use super::engine::{Engine, Foreseen, FromDevice};
use super::gpu::{
    Accelerator, DrivenDevice, GpuGraph, OtherDevices, PreparedPlace, TooLarge, beside_graph,
    first_decisions, method_name,
};
use super::members::{HOW_MANY, Members, explain};
use super::resident::{HostGraph, Parts, ResidentGraph};
use super::runner::GraphSize;
use crate::control::Context;
use crate::count::{CountOptions, EngineChoice, EngineCount};
use crate::plan::memory::{MAX_ENTRIES, MemoryPlan};
use crate::plan::team::{Gpus, TeamFacts, crew};
use crate::plan::{BesideGraph, Chosen, Decision, Preparer, Task};
use crate::{Error, Graph, Result};
use tribin_gpu::device_graph::DeviceEdges;
use tribin_gpu::exchange::PeerCopies;
use tribin_gpu::prepare::directions;
use tribin_gpu::prepare::parts::{Division, OnDevices, PartsStopped, prepare_in_parts};
use tribin_gpu::prepare::{OnDevice, upload_prepared};
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
        Ok(Ok((opened, self.crew(&chosen, Division::new(parts, task), facts))))
    }

    /// Prepares a graph for a task, on all GPUs or on the first, which has some of the rows at a time where all are too many.
    fn held(&self, graph: &Graph, task: Task, context: &Context) -> Result<Box<dyn ResidentGraph>> {
        let start = Instant::now();
        let decided = match self.all(GraphSize::of(graph), task)? {
            Ok((all, crew)) => {
                let prepare = |exchange: &PeerCopies<D>| -> Result<_> {
                    all.begin(exchange, &crew, context)?;
                    Ok(prepare_in_parts(exchange, graph, crew.division, context))
                };
                match all.run(prepare)? {
                    Ok(mut ready) => {
                        directions::tell(graph.edges(), &mut ready.prepared.figures);
                        return Ok(self.hold(ready, crew, start));
                    }
                    // They are more than a GPU numbers.
                    Err(PartsStopped::TooManyEdges { .. }) => None,
                    Err(stopped) => return Err(all.stopped(stopped, graph.name())),
                }
            }
            // With one GPU there is nothing to decide.
            Err(chosen) => (self.shared.devices > 1).then(|| chosen.decision(HOW_MANY)),
        };
        let first = &self.shared.first;
        let prepared = first.driver.run_beside_threads(|device, pool| {
            first.prepare((device, pool), graph, task, context)
        })?;
        let took = start.elapsed().as_secs_f64();
        Ok(match prepared {
            PreparedPlace::OnDevice(mut on_device) => {
                directions::tell(graph.edges(), &mut on_device.figures);
                on_device.decisions.splice(0..0, decided);
                GpuGraph::held(first.clone(), on_device, None, took)
            }
            PreparedPlace::OnHost(TooLarge { mut prepared, decisions, needed, .. }) => {
                tracing::info!("{}: in parts: {needed} bytes of device memory", graph.name());
                directions::tell(graph.edges(), &mut prepared.figures);
                let decisions = decided.into_iter().chain(decisions).collect();
                let parts = Parts { device: first.clone(), decisions };
                Box::new(HostGraph::new(prepared, Some(parts)))
            }
        })
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

    /// Keeps a graph that all GPUs prepared since `start`.
    pub(super) fn hold(
        &self,
        ready: OnDevices<D>,
        crew: TeamDecision,
        start: Instant,
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
        GpuGraph::held(
            self.shared.first.clone(),
            on_device,
            Some(others),
            start.elapsed().as_secs_f64(),
        )
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

/// All GPUs, and how they prepare a graph together.
type AllGpus<'t, D> = (&'t Members<D>, TeamDecision);

/// The facts and the decision by which several GPUs prepared a graph.
pub(super) struct TeamDecision {
    /// The reasons for all GPUs.
    pub decision: Decision,
    /// All GPUs as `--device` takes them.
    pub label: String,
    pub facts: TeamFacts,
    pub division: Division,
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
        context.cancel().check()?;
        let own = &self.shared.first;
        let (oriented, figures) = (prepared.host()?, prepared.summary());
        let (seconds, edges) = (prepared.seconds(), figures.edges);
        let bound = oriented.vertices() as u64;
        let BesideGraph { kept, results } = beside_graph(edges, bound);
        let needed = MemoryPlan::prepared(edges, bound).peak() + kept + results;
        let on_device = own.driver.run(|device| {
            if edges > MAX_ENTRIES || needed > own.free_beside(device, 0)? {
                return Ok(None);
            }
            let prepared = (figures, seconds);
            let uploaded = upload_prepared(device, &oriented, prepared, Task::AtVertices);
            uploaded.map(Some).map_err(|error| -> Error { error.into() })
        })?;
        let took = seconds.orient + seconds.clean;
        Ok(on_device.map(|on_device| GpuGraph::held(own.clone(), on_device, None, took)))
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

    fn foresee(&self, entries: u64, vertices: u64, options: &CountOptions) -> Result<Foreseen> {
        let first = &self.shared.first;
        let chosen = self.choose(entries, vertices, 0)?;
        let mut memory = first.predicted_memory(entries, vertices, options)?;
        let mut decisions = Vec::new();
        if self.shared.devices > 1 || chosen.choice != Gpus::One {
            decisions.push(self.decision(&chosen));
        }
        match chosen.choice {
            Gpus::One => decisions.extend(first_decisions(entries, vertices, memory.free)),
            Gpus::All { parts } => {
                let facts = self.facts(entries, vertices, 0, 0);
                let plan = TeamFacts { parts: Some(parts), ..facts }.memory();
                // Each GPU has the whole graph to count, and what a method builds beside it.
                let prepare = [plan.upload, plan.orient, plan.clean];
                let phases = memory.phases.iter_mut().zip(prepare);
                phases.for_each(|(phase, bytes)| phase.bytes = bytes);
            }
        }
        Ok(Foreseen { decisions, memory: Some(memory) })
    }
}
