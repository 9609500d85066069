//! One graph on several GPUs of this process.
//!
//! Each GPU has a thread of its own ([`Team`]), and one more thread hands the work to all of them, a graph at a
//! time. So no graph waits for a GPU while another waits for its neighbour.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::engine::{Engine, FromDevice};
use super::gpu::{Accelerator, HeldByGpu, OnGpu, Peeled, held_bytes, method_name};
use super::held::Held;
use tribin_device::launch::Buffer;

use crate::analytics::gpu::local::{self as local_gpu, local_counts};
use crate::analytics::gpu::support as support_gpu;
use crate::analytics::{Local, TriangleSource};
use crate::control::{Context, Phase};
use crate::count::{CountOptions, EngineChoice, EngineCount, EngineSeconds, hybrid};
use crate::device::driver::Driver;
use crate::device::team::{Failed, Team};
use crate::exchange::{Exchange, PeerCopies, Reduction};
use crate::graph::{DeviceEdges, DeviceGraph, EdgeBlocks, OrientedGraph, Summary, WideGraph};
use crate::methods::Counted;
use crate::methods::forward::gpu::count_wide;
use crate::plan::team::{Crew, TeamFacts, crew};
use crate::plan::{Chosen, Decision, DeviceMemory, Explanation, PhaseMemory, Place, Reason, time};
use crate::prepare::cpu::PhaseTimes;
use crate::prepare::gpu::OnDevice;
use crate::prepare::gpu::parts::{
    Division, OnDevices, OnEach, Prepared, Stopped, prepare_blocks, prepare_in_parts,
};
use crate::{Error, Graph, Hint, Message, Result};

/// The question that [`crew`] answers.
const HOW_MANY: &str = "GPUs";

/// What GPUs take from one another, as a step.
const MOVE: &str = "move";

/// Opens the GPUs beside the first.
type Open<D> = Box<dyn Fn() -> Result<Vec<OnGpu<D>>> + Send + Sync>;

/// Several GPUs as one engine.
pub(crate) struct OnTeam<D: Accelerator> {
    first: OnGpu<D>,
    shared: Arc<Shared<D>>,
    /// As `--device` takes all of them, if they were asked for. Otherwise they are taken where they pay.
    named: Option<String>,
    /// Parts of a graph, if the caller asked for some number of them.
    parts: Option<u32>,
}

/// What graphs on the GPUs keep.
struct Shared<D: Accelerator> {
    first: Arc<super::gpu::Inner<D>>,
    /// How many GPUs there are.
    devices: u32,
    open: Open<D>,
    opened: OnceLock<Opened<D>>,
    opening: Mutex<()>,
}

/// All GPUs, in use.
struct Opened<D: Accelerator> {
    members: Vec<Arc<super::gpu::Inner<D>>>,
    coordinator: Driver<Team<D>>,
}

impl<D: Accelerator> Shared<D> {
    /// All GPUs; those beside the first are opened when they are first wanted.
    fn opened(&self) -> Result<&Opened<D>> {
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
        for own in &members {
            for other in members.iter().filter(|other| !Arc::ptr_eq(own, other)) {
                if !own.driver.device().let_read(other.driver.device())? {
                    let (own, other) = (&own.label, &other.label);
                    tracing::info!("copies from {own} to {other} go through the host's memory");
                }
            }
        }
        let team = Team::of(members.iter().map(|member| member.driver.clone()).collect());
        let coordinator = Driver::start(team, 1)?;
        Ok(self.opened.get_or_init(|| Opened { members, coordinator }))
    }
}

impl<D: Accelerator> Opened<D> {
    /// What a device reported, with its name.
    fn named(&self, Failed { device, error }: Failed<D::Error>) -> Error {
        self.name_error(device, error.into())
    }

    fn name_error(&self, device: usize, error: Error) -> Error {
        let member = &self.members[device];
        let label = &member.label;
        match error {
            Error::DeviceMemory { needed, free, .. } => {
                Error::DeviceMemory { needed, free, device: format!("{label}, {}", member.name) }
            }
            Error::Device(message) => {
                let hint = Error::Device(message);
                Error::Device(Message::from(format!("{label}: {hint}")).with_source(hint))
            }
            other => other,
        }
    }

    /// The same of a whole preparation.
    fn stopped(&self, stopped: Stopped<D::Error>, name: &str) -> Error {
        let refused = |message: String| Error::Input {
            file: name.to_owned(),
            message: Message::from(message).with_hint(Hint::Cpu),
        };
        match stopped {
            Stopped::Failed(failed) => self.named(failed),
            Stopped::Cancelled => Error::Cancelled,
            Stopped::TooManyKeys { keys } => refused(format!(
                "one part of the graph has {keys} entries, more than the {} that a GPU sorts",
                u32::MAX
            )),
        }
    }

    /// How the GPUs are called together.
    fn ran_on(&self, label: String) -> [String; 2] {
        [label, together(self.members.iter().map(|member| &*member.name))]
    }

    /// The fewest bytes that are free on a GPU beside what a graph takes there.
    fn free_beside(&self, team: &Team<D>, held: u64) -> Result<u64> {
        let free = team.each(|number, device| Ok(self.members[number].free_beside(device, held)));
        let free = free.map_err(|failed| self.named(failed))?;
        free.into_iter().try_fold(u64::MAX, |least, free| Ok(least.min(free?)))
    }

    /// Starts a measurement of the peaks.
    fn reset_peaks(&self, team: &Team<D>) -> Result<()> {
        self.peak(team).map(drop)
    }

    /// The most bytes that were in use on a GPU since the last call.
    fn peak(&self, team: &Team<D>) -> Result<Option<u64>> {
        let peaks = team.each(|_, device| Ok(device.take_peak_memory()));
        let peaks = peaks.map_err(|failed| self.named(failed))?;
        peaks.into_iter().try_fold(None, |most, peak| Ok(most.max(peak?)))
    }

    /// Counts a graph that is on all GPUs, each its share.
    fn count(
        &self,
        team: &Team<D>,
        graphs: &[&DeviceGraph<D>],
        options: &CountOptions,
    ) -> Result<(Counted, Explanation)> {
        let (held, ranks) = (held_bytes(graphs[0]), graphs[0].rows.len() / 2);
        let free = self.free_beside(team, held)?;
        let method = options.engine.in_place(ranks);
        let beside = method.map_or(0, |method| method.bytes(graphs[0].edges, ranks));
        if beside > free {
            return Err(self.members[0].too_large(held + beside, held + free));
        }
        // One tuning and one figure of free memory, so that all decide alike.
        let tuning = &self.members[0].tuning;
        let counted = team.each(|number, device| match method {
            Some(method) => {
                let explained = (options.explain && number == 0).then_some(tuning);
                hybrid::count_by(device, graphs[number], method, explained)
            }
            None => hybrid::count_within(device, graphs[number], tuning, free)
                .map(|(count, explained)| (count.counted(), explained)),
        });
        let counted = counted.map_err(|failed| self.named(failed))?;
        Ok(self.slowest(counted))
    }

    /// The same for a graph with 64-bit places, which is merged.
    fn count_wide(
        &self,
        team: &Team<D>,
        graphs: &[WideGraph<D>],
        options: &CountOptions,
    ) -> Result<(Counted, Explanation)> {
        let edges = graphs[0].edges;
        if !matches!(
            options.engine,
            EngineChoice::Auto | EngineChoice::Hybrid | EngineChoice::Forward
        ) {
            let message = format!(
                "{edges} edges: `{}` counts up to {} edges, and others are merged",
                options.engine.name(),
                u32::MAX
            );
            return Err(Error::Usage(Message::from(message).with_hint(Hint::AutoEngine)));
        }
        let counted = team.each(|number, device| {
            Ok((count_wide(device, &graphs[number])?, Explanation::default()))
        });
        let (counted, mut explanation) =
            self.slowest(counted.map_err(|failed| self.named(failed))?);
        let because = vec![Reason::whole_at_least(edges, "edges", 1 << 32)];
        let choice = "merge, with 64-bit places".to_owned();
        explanation.decisions =
            vec![Decision { question: METHOD, choice, because, rejected: Vec::new() }];
        explanation.step("count", (0.0, Some(0)), counted.count);
        Ok((counted, explanation))
    }

    /// The sum of what the GPUs counted, and the time of the slowest. The first one's explanation is kept.
    fn slowest(&self, counted: Vec<(Counted, Explanation)>) -> (Counted, Explanation) {
        let all = Counted {
            triangles: counted.iter().map(|(counted, _)| counted.triangles).sum(),
            build: counted.iter().map(|(counted, _)| counted.build).fold(0.0, f64::max),
            count: counted.iter().map(|(counted, _)| counted.count).fold(0.0, f64::max),
        };
        let mut explanation =
            counted.into_iter().next().map(|(_, explained)| explained).unwrap_or_default();
        for step in &mut explanation.steps {
            // Each GPU counts its share, and the slowest is waited for.
            match step.step {
                "count" => {
                    step.predicted_seconds /= self.members.len() as f64;
                    step.seconds = all.count;
                }
                _ => step.seconds = all.build,
            }
        }
        (all, explanation)
    }
}

/// The question that a counting method answers.
const METHOD: &str = "counting method";

/// The names of several devices, those that are alike together.
fn together<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match kinds.iter_mut().find(|(kind, _)| *kind == name) {
            Some((_, number)) => *number += 1,
            None => kinds.push((name, 1)),
        }
    }
    let kind = |&(name, number): &(&str, usize)| match number {
        1 => name.to_owned(),
        _ => format!("{number} × {name}"),
    };
    kinds.iter().map(kind).collect::<Vec<_>>().join(", ")
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

    /// By whom a graph is prepared and counted, in `free` bytes of each GPU's memory.
    fn choose(&self, entries: u64, vertices: u64, kept: u64) -> Result<Chosen<Crew>> {
        let free = match self.shared.opened.get() {
            Some(opened) => opened.coordinator.run(|team| opened.free_beside(team, 0))?,
            // What the others have is seen when they are opened.
            None => {
                let first = &self.shared.first;
                first.driver.run(|device| first.free_beside(device, 0))?
            }
        };
        Ok(crew(&self.facts(entries, vertices, kept, free)))
    }

    fn facts(&self, entries: u64, vertices: u64, kept: u64, free: u64) -> TeamFacts {
        TeamFacts {
            entries,
            vertices,
            kept,
            devices: self.shared.devices,
            named: self.named.is_some(),
            open: self.shared.opened.get().is_some(),
            free,
            parts: self.parts,
        }
    }

    /// All GPUs and the parts, if the graph is theirs. Where the choice was left open and the others cannot be used,
    /// one GPU goes on alone.
    fn opened_for(&self, chosen: &mut Chosen<Crew>) -> Result<Option<(&Opened<D>, u32)>> {
        let Crew::All { parts } = chosen.choice else { return Ok(None) };
        match self.shared.opened() {
            Ok(opened) => Ok(Some((opened, parts))),
            Err(error) if self.named.is_none() => {
                tracing::warn!("one GPU goes on alone, because another cannot be used: {error}");
                chosen.choice = Crew::One;
                chosen.name = "one GPU";
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn in_parts(&self, parts: u32) -> String {
        let crew = if self.shared.devices > 1 { "all GPUs" } else { "one GPU" };
        format!("{crew} in {parts} parts")
    }

    fn all_label(&self) -> String {
        let all = || if self.shared.devices > 1 { "gpu:all".into() } else { self.first.device() };
        self.named.clone().unwrap_or_else(all)
    }

    /// Prepares a graph on all GPUs, and does something with it before the next graph.
    fn together<R: Send>(
        &self,
        opened: &Opened<D>,
        name: &str,
        context: &Context,
        prepare: impl FnOnce(&Team<D>) -> Result<OnDevices<D>, Stopped<D::Error>> + Send,
        then: impl FnOnce(&Team<D>, OnDevices<D>) -> Result<R> + Send,
    ) -> Result<R> {
        context.cancel().check()?;
        context.phase(Phase::Count);
        opened.coordinator.run(|team| {
            opened.reset_peaks(team)?;
            let ready = prepare(team).map_err(|stopped| opened.stopped(stopped, name))?;
            then(team, ready)
        })
    }

    /// Counts a graph that is on all GPUs, and says how it came there.
    fn count_ready(
        &self,
        opened: &Opened<D>,
        (team, ready): (&Team<D>, OnDevices<D>),
        (chosen, facts): (&Chosen<Crew>, &TeamFacts),
        options: &CountOptions,
    ) -> Result<EngineCount> {
        let (counted, explained) = match &ready.graphs {
            OnEach::Narrow(graphs) => {
                opened.count(team, &graphs.iter().collect::<Vec<_>>(), options)?
            }
            OnEach::Wide(graphs) => opened.count_wide(team, graphs, options)?,
        };
        let prepared = &ready.prepared;
        let (mut explanation, held) = self.explain(chosen, prepared, facts);
        explanation.decisions.extend(explained.decisions);
        for step in explained.steps {
            let bytes = step.predicted_bytes.map(|bytes| held + bytes);
            explanation.step(step.step, (step.predicted_seconds, bytes), step.seconds);
        }
        explanation.peak_bytes = opened.peak(team)?;
        let seconds = &prepared.seconds;
        Ok(EngineCount {
            triangles: counted.triangles,
            summary: prepared.figures,
            seconds: EngineSeconds {
                upload: seconds.upload,
                clean: seconds.clean + prepared.exchange,
                orient: seconds.orient + counted.build,
                count: counted.count,
            },
            binning: None,
            method: Some(method_name(options.engine)),
            ran_on: Some(opened.ran_on(self.all_label())),
            explanation,
        })
    }

    /// The decisions and steps of a preparation, and the bytes that each GPU is predicted to keep.
    fn explain(
        &self,
        chosen: &Chosen<Crew>,
        prepared: &Prepared,
        facts: &TeamFacts,
    ) -> (Explanation, u64) {
        let mut decisions = vec![chosen.decision(HOW_MANY)];
        if let Crew::All { parts } = chosen.choice {
            decisions[0].choice = self.in_parts(parts);
        }
        decisions.extend(prepared.decisions.iter().cloned());
        let mut explanation = Explanation { decisions, ..Explanation::default() };
        let TeamFacts { entries, vertices, devices, kept, .. } = *facts;
        let (share, plan) = (entries.div_ceil(u64::from(devices)), facts.memory());
        let seconds = &prepared.seconds;
        let bytes = |bytes: u64| Some(bytes + kept);
        for (phase, predicted, bytes, took) in [
            (Phase::Upload, time::upload(8 * share), bytes(plan.upload), seconds.upload),
            (Phase::Orient, time::orient(share), bytes(plan.orient), seconds.orient),
            (Phase::Clean, time::clean(share), bytes(plan.clean), seconds.clean),
        ] {
            explanation.step(phase.name(), (predicted, bytes), took);
        }
        let moved = time::exchange(entries, vertices, devices);
        explanation.step(MOVE, (moved, bytes(plan.clean)), prepared.exchange);
        explanation.exchanged_bytes = Some(prepared.exchanged);
        (explanation, plan.count + kept)
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
        let one = |decision: Option<Decision>| {
            let mut found = self.first.count(graph, options, context)?;
            found.ran_on = Some([self.first.device(), self.first.device_name()]);
            // With one GPU there is nothing to decide.
            let decision = decision.filter(|_| self.shared.devices > 1);
            found.explanation.decisions.splice(0..0, decision);
            Ok(found)
        };
        if options.engine == EngineChoice::Radix {
            return one(Some(radix_is_alone()));
        }
        let mut chosen = self.choose(entries, bound, 0)?;
        let Some((opened, parts)) = self.opened_for(&mut chosen)? else {
            return one(Some(chosen.decision(HOW_MANY)));
        };
        let facts = self.facts(entries, bound, 0, 0);
        let prepare =
            |team: &Team<D>| prepare_in_parts(team, graph, Division::new(parts, false), context);
        self.together(opened, graph.name(), context, prepare, |team, ready| {
            context.cancel().check()?;
            self.count_ready(opened, (team, ready), (&chosen, &facts), options)
        })
    }

    fn count_blocks(
        &self,
        blocks: &dyn EdgeBlocks,
        options: &CountOptions,
        context: &Context,
    ) -> Result<Option<EngineCount>> {
        if options.engine == EngineChoice::Radix {
            return Ok(None);
        }
        let (entries, bound) = (blocks.entries(), blocks.vertices());
        let mut chosen = self.choose(entries, bound, 0)?;
        let Some((opened, parts)) = self.opened_for(&mut chosen)? else { return Ok(None) };
        let facts = self.facts(entries, bound, 0, 0);
        let prepare =
            |team: &Team<D>| prepare_blocks(team, blocks, Division::new(parts, false), context);
        let found = self.together(opened, "", context, prepare, |team, ready| {
            context.cancel().check()?;
            self.count_ready(opened, (team, ready), (&chosen, &facts), options)
        });
        found.map(Some)
    }

    fn prepare(&self, graph: &Graph, context: &Context) -> Result<Box<dyn Held>> {
        let (entries, bound) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
        let mut chosen = self.choose(entries, bound, 4 * bound)?;
        let Some((opened, parts)) = self.opened_for(&mut chosen)? else {
            return self.first.prepare(graph, context);
        };
        let start = Instant::now();
        let facts = self.facts(entries, bound, 4 * bound, 0);
        let prepare =
            |team: &Team<D>| prepare_in_parts(team, graph, Division::new(parts, true), context);
        let ready = self.together(opened, graph.name(), context, prepare, |_, ready| Ok(ready))?;
        let all = start.elapsed();
        let (explanation, _) = self.explain(&chosen, &ready.prepared, &facts);
        let OnDevices { graphs, prepared } = ready;
        let OnEach::Narrow(graphs) = graphs else {
            return Err(Error::Input {
                file: graph.name().to_owned(),
                message: Message::from(format!(
                    "{} edges: results by vertex and edge are found on GPUs for up to {} edges",
                    prepared.figures.edges,
                    u32::MAX
                ))
                .with_hint(Hint::Cpu),
            });
        };
        let clean = Duration::from_secs_f64(prepared.seconds.clean.max(0.0)).min(all);
        let times = PhaseTimes { clean, orient: all - clean };
        let mut graphs = graphs.into_iter();
        let on_device = OnDevice {
            graph: graphs.next().expect("a team has a device"),
            figures: prepared.figures,
            seconds: prepared.seconds,
            decisions: Vec::new(),
            place: Place::Device,
            order: Some(prepared.order),
        };
        Ok(Box::new(HeldByTeam {
            first: HeldByGpu::new(self.shared.first.clone(), on_device, times),
            others: graphs.collect(),
            decisions: explanation.decisions,
            label: self.all_label(),
            shared: self.shared.clone(),
        }))
    }

    /// On the first GPU: edges that lie in the memory of another are refused.
    fn prepare_device_edges(&self, edges: &DeviceEdges, context: &Context) -> Result<FromDevice> {
        self.first.prepare_device_edges(edges, context)
    }

    fn decisions(&self, entries: u64, vertices: u64) -> Result<Vec<Decision>> {
        let chosen = self.choose(entries, vertices, 0)?;
        let mut decision = chosen.decision(HOW_MANY);
        match chosen.choice {
            Crew::All { parts } => {
                decision.choice = self.in_parts(parts);
                Ok(vec![decision])
            }
            Crew::One => {
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
        if options.engine == EngineChoice::Radix {
            return alone();
        }
        let chosen = self.choose(entries, vertices, 0)?;
        let (Crew::All { .. }, Some(one)) = (chosen.choice, alone()?) else { return alone() };
        let plan = self.facts(entries, vertices, 0, 0).memory();
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

fn radix_is_alone() -> Decision {
    let because = vec![Reason::new(true, "radix binning runs on one GPU")];
    Decision { question: HOW_MANY, choice: "one GPU".into(), because, rejected: Vec::new() }
}

/// A graph in the memory of every GPU, with the vertex of each rank.
struct HeldByTeam<D: Accelerator> {
    /// On the first GPU, with all that one GPU can do.
    first: HeldByGpu<D>,
    /// On the others.
    others: Vec<DeviceGraph<D>>,
    decisions: Vec<Decision>,
    /// All GPUs as `--device` takes them.
    label: String,
    /// Last, so that the memory above goes back before the devices do.
    shared: Arc<Shared<D>>,
}

impl<D: Accelerator> HeldByTeam<D> {
    fn graphs(&self) -> Vec<&DeviceGraph<D>> {
        std::iter::once(&self.first.on_device.graph).chain(&self.others).collect()
    }

    /// Counts the support of every edge on all GPUs, each its share of the triangles, and does something with the sum
    /// on the first, which has `beside` more bytes free.
    fn with_support<R: Send>(
        &self,
        beside: u64,
        then: impl FnOnce(&D, Buffer<u32, D>) -> Result<R> + Send,
    ) -> Result<R> {
        let opened = self.shared.opened()?;
        let graphs = self.graphs();
        let support = opened.coordinator.run(|team| {
            let own = team.each(|number, device| {
                let beside = if number == 0 { beside } else { 0 };
                Ok(opened.members[number].find_support(device, graphs[number], beside))
            });
            let mut words = Vec::new();
            for (number, own) in own.map_err(|failed| opened.named(failed))?.into_iter().enumerate()
            {
                words.push(own.map_err(|error| opened.name_error(number, error))?);
            }
            let sums = PeerCopies::new(team).all_reduce(words, Reduction::Sum);
            let sums = sums.map_err(|failed| opened.named(failed))?;
            Ok::<_, Error>(sums.into_iter().next().expect("a team has a device"))
        })?;
        self.shared.first.driver.run(|device| then(device, support))
    }

    /// Counts support on all GPUs, and peels on the first.
    fn peel(&self, context: &Context) -> Result<Peeled> {
        context.cancel().check()?;
        if self.first.on_device.graph.edges == 0 {
            return Ok(Peeled::Trussness(Vec::new()));
        }
        let first = &self.shared.first.label;
        tracing::info!("{} count the support, and {first} alone peels", self.label);
        self.with_support(0, |device, support| self.first.peel_support(device, support, context))
    }
}

impl<D: Accelerator> Held for HeldByTeam<D> {
    fn summary(&self) -> Summary {
        self.first.summary()
    }

    fn times(&self) -> PhaseTimes {
        self.first.times()
    }

    fn decisions(&self) -> Vec<Decision> {
        self.decisions.clone()
    }

    fn host(&self) -> Result<Arc<OrientedGraph>> {
        self.first.host()
    }

    fn count(&self, context: &Context) -> Result<EngineCount> {
        context.cancel().check()?;
        let opened = self.shared.opened()?;
        let graphs = self.graphs();
        let (counted, explanation) =
            opened.coordinator.run(|team| opened.count(team, &graphs, &CountOptions::default()))?;
        let seconds = &self.first.on_device.seconds;
        Ok(EngineCount {
            triangles: counted.triangles,
            summary: self.summary(),
            seconds: EngineSeconds {
                upload: seconds.upload,
                clean: seconds.clean,
                orient: seconds.orient + counted.build,
                count: counted.count,
            },
            binning: None,
            method: Some(method_name(EngineChoice::Auto)),
            ran_on: Some(opened.ran_on(self.label.clone())),
            explanation,
        })
    }

    fn support(&self, context: &Context) -> Result<Vec<u32>> {
        context.cancel().check()?;
        let edges = self.first.on_device.graph.edges;
        if edges == 0 {
            return Ok(Vec::new());
        }
        self.with_support(0, |device, support| {
            support_gpu::download(device, &support, edges).map_err(Into::into)
        })
    }

    fn local(&self, context: &Context) -> Result<Local> {
        context.cancel().check()?;
        let graph = &self.first.on_device.graph;
        let ranks = graph.rows.len() / 2;
        if graph.edges == 0 {
            return Ok(Local::without_edges(ranks as usize));
        }
        let found = self.with_support(local_gpu::memory_needed(ranks), |device, support| {
            local_counts(device, graph, &support).map_err(|error| -> Error { error.into() })
        })?;
        Ok(Local::of_vertices(found.degrees, found.triangles))
    }

    /// The first GPU lists them all.
    fn triangles(&self, context: &Context) -> Result<Option<Box<dyn TriangleSource + '_>>> {
        self.first.triangles(context)
    }

    fn trussness(&self, context: &Context) -> Result<Vec<u32>> {
        self.first.trussness_of(self.peel(context)?, context)
    }

    fn k_truss(&self, k: u32, context: &Context) -> Result<Vec<bool>> {
        self.first.k_truss_of(self.peel(context)?, k, context)
    }
}
