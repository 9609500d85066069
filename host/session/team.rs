//! One graph on several GPUs of this process.
//!
//! Each GPU has a thread of its own ([`Team`]), and one more thread hands the work to all of them, a graph at a
//! time. So no graph waits for a GPU while another waits for its neighbour.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::engine::{Engine, FromDevice, SharedCount};
use super::gpu::{Accelerator, GpuGraph, OnGpu, OtherDevices, method_name};
use super::members::{HOW_MANY, Members, explain};
use super::resident::ResidentGraph;
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineChoice, EngineCount};
use crate::graph::EdgeBlocks;
use crate::plan::memory::MAX_ENTRIES;
use crate::plan::team::{Gpus, TeamFacts, crew};
use crate::plan::{Chosen, Decision, DeviceMemory, PhaseMemory, Preparer, Task};
use crate::{Error, Graph, Hint, Message, Result};
use tribin_cpu::prepare::PhaseTimes;
use tribin_gpu::device_graph::DeviceEdges;
use tribin_gpu::exchange::PeerCopies;
use tribin_gpu::prepare::OnDevice;
use tribin_gpu::prepare::directions;
use tribin_gpu::prepare::parts::{Division, OnDevices, OnEach, prepare_blocks, prepare_in_parts};
use tribin_parts::PartsOnDevice;

/// Opens the GPUs beside the first.
type Open<D> = Box<dyn Fn() -> Result<Vec<OnGpu<D>>> + Send + Sync>;

/// Several GPUs as one engine.
pub struct OnTeam<D: Accelerator> {
    first: OnGpu<D>,
    shared: Arc<Shared<D>>,
    /// The GPUs as `--device` takes all of them, if they were asked for. Otherwise they are taken where they pay.
    named: Option<String>,
    /// Parts of a graph, if the caller asked for some number of them.
    parts: Option<u32>,
}

/// All GPUs, in use.
pub(super) type Opened<D> = Members<D>;

/// What graphs on the GPUs keep.
pub(crate) struct Shared<D: Accelerator> {
    first: Arc<super::gpu::DrivenDevice<D>>,
    /// How many GPUs there are.
    devices: u32,
    open: Open<D>,
    opened: OnceLock<Opened<D>>,
    opening: Mutex<()>,
}

impl<D: Accelerator> Shared<D> {
    /// All GPUs; those beside the first are opened when they are first wanted.
    pub fn opened(&self) -> Result<&Opened<D>> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let _one_at_a_time = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let others = (self.open)()?;
        let mut members = vec![self.first.clone()];
        members.extend(others.into_iter().map(|OnGpu(inner)| inner));
        let opened = Members::join(members)?;
        Ok(self.opened.get_or_init(|| opened))
    }
}

impl<D: Accelerator> OnTeam<D> {
    /// The first GPU, and `others` more that `open` opens: at once if all are `named`, and otherwise when they pay.
    pub fn new(
        first: OnGpu<D>,
        others: u32,
        open: impl Fn() -> Result<Vec<OnGpu<D>>> + Send + Sync + 'static,
        named: Option<String>,
        parts: Option<u32>,
    ) -> Result<OnTeam<D>> {
        let shared = Arc::new(Shared {
            first: first.0.clone(),
            devices: others + 1,
            open: Box::new(open),
            opened: OnceLock::new(),
            opening: Mutex::new(()),
        });
        if named.is_some() {
            shared.opened()?;
        }
        Ok(OnTeam { first, shared, named, parts })
    }

    /// By whom a graph is prepared and counted. `kept` is what each GPU keeps of it beside the graph, in bytes.
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
            beside: true,
            open: self.shared.opened.get().is_some(),
            free,
            parts: self.parts,
        }
    }

    /// All GPUs and the parts, if the graph is theirs. Where the choice was left open and the others cannot be used,
    /// one GPU goes on alone.
    fn opened_for(&self, chosen: &mut Chosen<Gpus>) -> Result<Option<(&Opened<D>, u32)>> {
        let Gpus::All { parts } = chosen.choice else { return Ok(None) };
        match self.shared.opened() {
            Ok(opened) => Ok(Some((opened, parts))),
            Err(error) if self.named.is_none() => {
                tracing::warn!("one GPU goes on alone, because another cannot be used: {error}");
                chosen.choice = Gpus::One;
                chosen.name = "one GPU";
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The first GPU, and whether it is the only one.
    pub(super) fn first(&self) -> (&OnGpu<D>, bool) {
        (&self.first, self.shared.devices == 1)
    }

    pub(super) fn is_named(&self) -> bool {
        self.named.is_some()
    }

    /// All GPUs.
    pub(super) fn opened(&self) -> Result<&Opened<D>> {
        self.shared.opened()
    }

    /// Keeps a graph that all GPUs prepared, and what they went by. `took` is the time since it was begun.
    pub(super) fn hold(
        &self,
        ready: OnDevices<D>,
        (chosen, facts): (&Chosen<Gpus>, &TeamFacts),
        (name, took): (&str, Duration),
    ) -> Result<Box<dyn ResidentGraph>> {
        let (explanation, _) = explain(self.decision(chosen), &ready.prepared, facts);
        let OnDevices { graphs, prepared } = ready;
        let OnEach::Narrow(graphs) = graphs else {
            return Err(Error::Input {
                file: name.to_owned(),
                message: Message::from(format!(
                    "{} edges: results by vertex and edge are found on GPUs for up to {MAX_ENTRIES} edges",
                    prepared.figures.edges
                ))
                .with_hint(Hint::Cpu),
            });
        };
        let clean = Duration::from_secs_f64(prepared.seconds.clean.max(0.0)).min(took);
        let times = PhaseTimes { clean, orient: took - clean };
        let mut graphs = graphs.into_iter();
        let on_device = OnDevice {
            graph: graphs.next().expect("a team has a device"),
            figures: prepared.figures,
            seconds: prepared.seconds,
            decisions: explanation.decisions,
            preparer: Preparer::Device,
            order: Some(prepared.order),
            early: false,
        };
        let (graphs, label, shared) = (graphs.collect(), self.all_label(), self.shared.clone());
        let others = OtherDevices { graphs, label, shared };
        Ok(GpuGraph::held(self.shared.first.clone(), on_device, Some(others), times))
    }

    fn in_parts(&self, parts: u32) -> String {
        let crew = if self.shared.devices > 1 { "all GPUs" } else { "one GPU" };
        format!("{crew} in {parts} parts")
    }

    fn all_label(&self) -> String {
        let all = || if self.shared.devices > 1 { "gpu:all".into() } else { self.first.device() };
        self.named.clone().unwrap_or_else(all)
    }

    /// What the first GPU found, and why it was alone.
    fn by_one(&self, mut found: EngineCount, decision: Option<Decision>) -> EngineCount {
        found.ran_on = Some([self.first.device(), self.first.device_name()]);
        // With one GPU there is nothing to decide.
        let decision = decision.filter(|_| self.shared.devices > 1);
        found.explanation.decisions.splice(0..0, decision);
        found
    }

    /// The decision for all GPUs.
    fn decision(&self, chosen: &Chosen<Gpus>) -> Decision {
        let mut decision = chosen.decision(HOW_MANY);
        if let Gpus::All { parts } = chosen.choice {
            decision.choice = self.in_parts(parts);
        }
        decision
    }
}

impl<D: Accelerator> Engine for OnTeam<D> {
    fn name(&self) -> &str {
        method_name(EngineChoice::Auto)
    }

    fn device(&self) -> String {
        self.named.clone().unwrap_or_else(|| self.first.device())
    }

    fn device_name(&self) -> String {
        match (&self.named, self.shared.opened.get()) {
            (Some(named), Some(opened)) => {
                let [_, name] = opened.ran_on(named.clone());
                name
            }
            _ => self.first.device_name(),
        }
    }

    fn count(
        &self,
        graph: &Graph,
        options: &CountOptions,
        context: &Context,
    ) -> Result<EngineCount> {
        let (entries, bound) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
        let one = |decision| {
            let found = self.first.count(graph, options, context)?;
            Ok(self.by_one(found, decision))
        };
        let mut chosen = self.choose(entries, bound, 0)?;
        let Some((opened, parts)) = self.opened_for(&mut chosen)? else {
            return one(Some(chosen.decision(HOW_MANY)));
        };
        let facts = TeamFacts { parts: Some(parts), ..self.facts(entries, bound, 0, 0) };
        let division = Division::new(parts, Task::Count);
        let prepare =
            |exchange: &PeerCopies<D>| prepare_in_parts(exchange, graph, division, context);
        let named = (graph.name(), facts.memory().peak());
        let mut found = opened.together(named, context, prepare, |exchange, ready| {
            context.cancel().check()?;
            let crew = (self.decision(&chosen), self.all_label());
            opened.count_ready((exchange, ready), crew, &facts, options)
        })?;
        directions::tell(graph.edges(), &mut found.summary);
        Ok(found)
    }

    /// By one GPU, where that counts the graph.
    fn count_share(
        &self,
        graph: &Graph,
        shared: &SharedCount<'_>,
        options: &CountOptions,
        context: &Context,
    ) -> Result<Option<EngineCount>> {
        let (entries, bound) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
        let chosen = self.choose(entries, bound, 0)?;
        if chosen.choice != Gpus::One {
            return (shared.agree)(None).map(|_| None);
        }
        let found = self.first.count_share(graph, shared, options, context)?;
        Ok(found.map(|found| self.by_one(found, Some(chosen.decision(HOW_MANY)))))
    }

    fn count_blocks(
        &self,
        blocks: &dyn EdgeBlocks,
        options: &CountOptions,
        context: &Context,
    ) -> Result<Option<EngineCount>> {
        let (entries, bound) = (blocks.entries(), blocks.vertices());
        let mut chosen = self.choose(entries, bound, 0)?;
        let Some((opened, parts)) = self.opened_for(&mut chosen)? else {
            let found = self.first.count_blocks(blocks, options, context)?;
            return Ok(found.map(|found| self.by_one(found, Some(chosen.decision(HOW_MANY)))));
        };
        let facts = TeamFacts { parts: Some(parts), ..self.facts(entries, bound, 0, 0) };
        let division = Division::new(parts, Task::Count);
        let prepare =
            |exchange: &PeerCopies<D>| prepare_blocks(exchange, blocks, division, context);
        let named = ("", facts.memory().peak());
        let found = opened.together(named, context, prepare, |exchange, ready| {
            context.cancel().check()?;
            let crew = (self.decision(&chosen), self.all_label());
            opened.count_ready((exchange, ready), crew, &facts, options)
        });
        found.map(Some)
    }

    fn prepare(&self, graph: &Graph, context: &Context) -> Result<Box<dyn ResidentGraph>> {
        let (entries, bound) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
        let mut chosen = self.choose(entries, bound, 4 * bound)?;
        let Some((opened, parts)) = self.opened_for(&mut chosen)? else {
            return self.first.prepare(graph, context);
        };
        let start = Instant::now();
        let facts = TeamFacts { parts: Some(parts), ..self.facts(entries, bound, 4 * bound, 0) };
        let division = Division::new(parts, Task::AtVertices);
        let prepare =
            |exchange: &PeerCopies<D>| prepare_in_parts(exchange, graph, division, context);
        let named = (graph.name(), facts.memory().peak());
        let mut ready = opened.together(named, context, prepare, |_, ready| Ok(ready))?;
        directions::tell(graph.edges(), &mut ready.prepared.figures);
        self.hold(ready, (&chosen, &facts), (graph.name(), start.elapsed()))
    }

    /// By the first GPU, which then finds all.
    fn take(
        &self,
        prepared: &dyn ResidentGraph,
        context: &Context,
    ) -> Result<Option<Box<dyn ResidentGraph>>> {
        self.first.take(prepared, context)
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
        self.first.parts()
    }

    fn decisions(&self, entries: u64, vertices: u64) -> Result<Vec<Decision>> {
        let chosen = self.choose(entries, vertices, 0)?;
        let decision = self.decision(&chosen);
        match chosen.choice {
            Gpus::All { .. } => Ok(vec![decision]),
            Gpus::One => {
                let mut decisions = self.first.decisions(entries, vertices)?;
                if self.shared.devices > 1 {
                    decisions.insert(0, decision);
                }
                Ok(decisions)
            }
        }
    }

    fn device_memory(
        &self,
        entries: u64,
        vertices: u64,
        options: &CountOptions,
    ) -> Result<Option<DeviceMemory>> {
        let alone = || self.first.device_memory(entries, vertices, options);
        let chosen = self.choose(entries, vertices, 0)?;
        let (Gpus::All { parts }, Some(one)) = (chosen.choice, alone()?) else { return alone() };
        let facts = self.facts(entries, vertices, 0, 0);
        let plan = TeamFacts { parts: Some(parts), ..facts }.memory();
        let mut phases = Vec::new();
        for PhaseMemory { phase, bytes } in one.phases {
            let bytes = match phase {
                phase if phase == Phase::Upload.name() => plan.upload,
                phase if phase == Phase::Orient.name() => plan.orient,
                phase if phase == Phase::Clean.name() => plan.clean,
                // Each GPU has the whole graph, and what a method builds beside it.
                _ => bytes,
            };
            phases.push(PhaseMemory { phase, bytes });
        }
        Ok(Some(DeviceMemory { free: one.free, phases }))
    }
}
