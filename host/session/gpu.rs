//! Every engine of a device that runs kernels, and the graphs that it holds.

mod in_parts;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tribin_device::launch::{Buffer, Device, Peer};

use in_parts::HeldInParts;

use super::engine::{Engine, FromDevice};
use super::held::Held;
use crate::analytics::cpu::degeneracy::h_index;
use crate::analytics::cpu::truss as truss_cpu;
use crate::analytics::gpu::cores as cores_gpu;
use crate::analytics::gpu::directed as directed_gpu;
use crate::analytics::gpu::list::Listing;
use crate::analytics::gpu::local::{self as local_gpu, local_counts};
use crate::analytics::gpu::support::{self as support_gpu, Method, edge_support};
use crate::analytics::gpu::truss::{PeelShape, peel};
use crate::analytics::gpu::weighted as weighted_gpu;
use crate::analytics::{Local, TriangleSource};
use crate::control::{Context, Phase};
use crate::count::{
    Binning, CountOptions, EngineChoice, EngineCount, EngineSeconds, Stats, hybrid, radix,
};
use crate::device::cuda::Gpu;
use crate::device::driver::Driver;
use crate::device_parts::{self, FoundInParts, PartsOnDevice, RowSource, Sought};
use crate::graph::device_graph::{DeviceGraph, download};
use crate::graph::{DeviceEdges, EdgeBlocks, OrientedGraph, Summary};
use crate::methods::radix_binning::{self, Options as RadixOptions, Orientation, RadixCount};
use crate::plan::cores::{CorePeeler, core_peeler};
use crate::plan::listing::{Lister, lister};
use crate::plan::making::{Maker, MakingFacts, WHO_MAKES, maker};
use crate::plan::memory::{MAX_ENTRIES, MemoryPlan};
use crate::plan::radix_memory::RadixMemory;
use crate::plan::row_parts::{PartTask, RowPartFacts, RowParts};
use crate::plan::truss::{Peeler, peeler};
use crate::plan::{
    Chosen, Decision, DeviceMemory, Explanation, PhaseMemory, Place, Reason, Rejected, Tuning,
    passes, place, time,
};
use crate::prepare::cpu::{PhaseTimes, Prepared};
use crate::prepare::gpu::upload::upload_entries;
use crate::prepare::gpu::{self, OnDevice};
use crate::prepare::{self};
use crate::{Error, Graph, Hint, Message, Result};
use tribin_device::launch::Metered;

/// The question that [`place`] answers.
pub(super) const WHO_PREPARES: &str = "who prepares the graph";

/// What a session asks of a device besides running kernels.
pub(crate) trait Accelerator:
    Peer<Error: Into<Error> + Send, Memory: Send + Sync> + Send + Sync + 'static
{
    /// As `--device` takes it.
    fn label(&self) -> String;

    /// For people.
    fn name(&self) -> String;

    /// The cut-offs for this chip.
    fn tuning(&self) -> Tuning;

    /// Bytes of memory that can be allocated now.
    fn free_memory(&self) -> Result<u64>;

    /// The most bytes that were in use at a time since the last call; `None` where nothing meters them.
    fn take_peak_memory(&self) -> Result<Option<u64>> {
        Ok(None)
    }

    /// Says how many bytes what comes next takes at most.
    fn expect_bytes(&self, bytes: u64) {
        let _ = bytes;
    }

    /// Lets the work that is asked for from now on wait for what was asked for on a stream of another library.
    ///
    /// # Safety
    /// The handle is of a live stream of this device.
    unsafe fn wait_for_stream(&self, stream: u64) -> Result<()> {
        // What has one stream does everything in order.
        let _ = stream;
        Ok(())
    }

    /// Prepares for copies to another device. Says whether they go straight there.
    fn let_read(&self, _reader: &Self) -> Result<bool> {
        Ok(true)
    }
}

impl Accelerator for Gpu {
    fn label(&self) -> String {
        format!("gpu:{}", self.info().ordinal)
    }

    fn name(&self) -> String {
        self.info().name.clone()
    }

    fn tuning(&self) -> Tuning {
        let (major, minor) = self.info().compute_capability;
        Tuning::for_compute_capability(major, minor)
    }

    fn free_memory(&self) -> Result<u64> {
        Ok(Gpu::free_memory(self)?)
    }

    fn take_peak_memory(&self) -> Result<Option<u64>> {
        Ok(Some(Gpu::take_peak_memory(self)?))
    }

    fn expect_bytes(&self, bytes: u64) {
        Gpu::expect_bytes(self, bytes);
    }

    unsafe fn wait_for_stream(&self, stream: u64) -> Result<()> {
        // SAFETY: the caller's promise.
        Ok(unsafe { Gpu::wait_for_stream(self, stream) }?)
    }

    fn let_read(&self, reader: &Gpu) -> Result<bool> {
        Ok(Gpu::let_read(self, reader)?)
    }
}

/// Where a prepared graph is.
enum Ready<D: Accelerator> {
    /// On the device.
    Whole(OnDevice<D>),
    /// On the host.
    InParts(TooLarge),
}

/// A device, the thread that drives it, and what it may use.
pub(crate) struct OnGpu<D: Accelerator>(pub(super) Arc<Inner<D>>);

pub(super) struct Inner<D: Accelerator> {
    pub driver: Arc<Driver<D>>,
    pub label: String,
    pub name: String,
    pub tuning: Tuning,
    pub memory_limit: Option<u64>,
}

/// A graph in host memory that does not fit a device.
struct TooLarge {
    prepared: Prepared,
    preparing: Preparing,
    /// Bytes of device memory that it needs.
    needed: u64,
    /// Bytes that may be used.
    free: u64,
}

/// How a graph was prepared that is in host memory.
#[derive(Debug, Clone)]
struct Preparing {
    /// Who did it, and why.
    decision: Decision,
    /// Seconds and bytes of device memory that were predicted.
    predicted: (f64, Option<u64>),
    /// Bytes of device memory that were in use at the peak.
    peak_bytes: Option<u64>,
}

/// What preparing is predicted to take where the rows are in host memory then: seconds, and bytes of device memory. `edges` is what
/// is left of the entries.
fn predicted_on_host(place: Place, entries: u64, edges: u64, bound: u64) -> (f64, Option<u64>) {
    match place {
        Place::Passes { at_a_time } => {
            let bytes = passes::bytes(at_a_time, bound);
            (time::prepare_in_passes(entries, edges), Some(bytes))
        }
        // The device has its own predictions, step by step.
        Place::Device | Place::Host => {
            (time::prepare_on_cpu(entries, rayon::current_num_threads()), None)
        }
    }
}

impl<D: Accelerator> Inner<D> {
    /// Bytes that may be used beside `held` bytes that are in use for the same graph.
    pub fn free_beside(&self, device: &D, held: u64) -> Result<u64> {
        let free = device.free_memory()?;
        Ok(self.memory_limit.map_or(free, |limit| free.min(limit.saturating_sub(held))))
    }

    pub fn too_large(&self, needed: u64, free: u64) -> Error {
        Error::DeviceMemory { needed, free, device: self.name.clone() }
    }

    /// Checks that these bytes are free beside a graph. Those that are free beside both.
    fn fits(&self, device: &D, graph: &DeviceGraph<D>, needed: u64) -> Result<u64> {
        let held = held_bytes(graph);
        let free = self.free_beside(device, held)?;
        free.checked_sub(needed).ok_or_else(|| self.too_large(held + needed, held + free))
    }

    /// The support of every edge, counted by merging where groups do not fit, with `beside` more bytes free.
    pub fn find_support(
        &self,
        device: &D,
        graph: &DeviceGraph<D>,
        beside: u64,
    ) -> Result<Buffer<u32, D>> {
        let merged = support_gpu::memory_needed_to_merge(graph.edges);
        self.fits(device, graph, merged + beside)?;
        let grouped = support_gpu::memory_needed(graph.edges, graph.rows.len() / 2);
        let support = || {
            let method = match self.fits(device, graph, grouped) {
                Ok(free) => Method::for_graph(device, graph, free.saturating_sub(beside))?,
                Err(_) => Method::Merge,
            };
            Ok(edge_support(device, graph, &method)?.per_edge)
        };
        support().map_err(|error: D::Error| error.into())
    }

    /// Prepares a graph and does something with it, as one job of the device. Where the device has no room for the whole sort,
    /// it prepares the graph in passes, or the CPU does. `beyond` gets the graph that does not fit even then.
    fn prepare_and<R: Send>(
        &self,
        graph: &Graph,
        keep_vertices: bool,
        context: &Context,
        then: impl Fn(&D, OnDevice<D>) -> Result<R> + Send + Sync,
        beyond: impl FnOnce(TooLarge) -> Result<R>,
    ) -> Result<R> {
        context.cancel().check()?;
        context.phase(Phase::Count);
        let (entries, bound) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
        let beside = |edges| if keep_vertices { beside_graph(edges, bound) } else { (0, 0) };
        let done = self.driver.run(|device| {
            device.take_peak_memory()?;
            let free = self.free_beside(device, 0)?;
            let placed = place(entries, bound, beside(entries), free);
            if placed.choice != Place::Device {
                return Ok(Err((placed, free)));
            }
            let plan = MemoryPlan::new(entries, bound);
            let early = MemoryPlan::has_early(entries, bound, free);
            let plan = if early { plan.with_early(entries, bound) } else { plan };
            device.expect_bytes(plan.peak());
            context.work().begin(if keep_vertices { 2 } else { 3 } * gpu::STEP);
            let ready = gpu::prepare_watched(device, graph, keep_vertices, free, context.work());
            let mut ready = ready.map_err(|error| -> Error { error.into() })?;
            ready.decisions.insert(0, placed.decision(WHO_PREPARES));
            then(device, ready).map(Ok)
        });
        let (placed, free) = match done? {
            Ok(done) => return Ok(done),
            Err(on_host) => on_host,
        };
        context.phase(Phase::Orient);
        let (prepared, placed) = self.prepare_on_host(graph, placed, context)?;
        let edges = prepared.figures.edges;
        // Where the results do not fit beside the graph, parts of it do.
        let (kept, results) = beside(edges);
        let needed = MemoryPlan::prepared(edges, bound).peak() + kept + results;
        if edges > MAX_ENTRIES || needed > free {
            let preparing = Preparing {
                decision: placed.decision(WHO_PREPARES),
                predicted: predicted_on_host(placed.choice, entries, edges, bound),
                peak_bytes: self.driver.run(|device| device.take_peak_memory())?,
            };
            return beyond(TooLarge { prepared, preparing, needed, free });
        }
        context.cancel().check()?;
        context.phase(Phase::Count);
        // The upload, and what follows.
        context.work().begin(if keep_vertices { 1 } else { 2 } * gpu::STEP);
        self.driver.run_with_threads(|device| {
            let ready = if keep_vertices {
                gpu::upload_prepared_keeping_vertices(device, &prepared)
            } else {
                gpu::upload_prepared(device, &prepared)
            };
            let mut ready = ready.map_err(|error| -> Error { error.into() })?;
            context.work().add(gpu::STEP);
            ready.decisions.insert(0, placed.decision(WHO_PREPARES));
            ready.place = placed.choice;
            then(device, ready)
        })
    }

    /// Prepares a graph whose rows are in host memory then: on the device in passes where that was chosen, and else on the CPU.
    fn prepare_on_host(
        &self,
        graph: &Graph,
        mut placed: Chosen<Place>,
        context: &Context,
    ) -> Result<(Prepared, Chosen<Place>)> {
        if let Place::Passes { at_a_time } = placed.choice {
            tracing::info!("{}: prepared in passes of {at_a_time} entries", graph.name());
            let prepared = self.driver.run_with_threads(|device| {
                gpu::prepare_in_passes(device, graph, at_a_time, context)
            })?;
            if let Some(prepared) = prepared {
                return Ok((prepared, placed));
            }
            let because =
                vec![Reason::new(false, "one pair of vertices has more entries than fit")];
            placed.rejected.push(Rejected { name: placed.name, because });
            placed = Chosen { choice: Place::Host, name: "the CPU", because: Vec::new(), ..placed };
        }
        for reason in placed.rejected.iter().flat_map(|rejected| &rejected.because) {
            tracing::info!("{}: prepared on the CPU: {reason}", graph.name());
        }
        let prepared = prepare::cpu::prepare_until(graph.edges(), graph.vertex_bound(), context)?;
        Ok((prepared, placed))
    }

    /// Why a graph is refused that is in host memory, and that does not fit the device.
    fn refuse(&self, graph: &Graph, too_large: &TooLarge) -> Error {
        let edges = too_large.prepared.figures.edges;
        if edges <= MAX_ENTRIES {
            return self.too_large(too_large.needed, too_large.free);
        }
        let message = Message::from(format!(
            "{edges} edges are more than the {MAX_ENTRIES} that the GPU engine takes"
        ));
        Error::Input { file: graph.name().to_owned(), message: message.with_hint(Hint::Cpu) }
    }

    /// Counts a graph in host memory that does not fit the device: a part of its rows is there at a time.
    fn count_in_parts(
        &self,
        graph: &Graph,
        too_large: TooLarge,
        options: &CountOptions,
        context: &Context,
    ) -> Result<EngineCount> {
        if !options.engine.counts_in_parts() {
            return Err(self.refuse(graph, &too_large));
        }
        let TooLarge { prepared, preparing, needed, .. } = too_large;
        tracing::info!("{}: counted in parts: {needed} bytes of device memory", graph.name());
        context.phase(Phase::Count);
        let Prepared { oriented, figures, time } = &prepared;
        let found = self.find_in_parts(oriented, Sought::Triangles, u64::MAX, context)?;
        Ok(in_parts::counted(found, *figures, *time, preparing))
    }

    /// The decisions and steps that led to a graph on the device, and the bytes that it is predicted to keep.
    fn explain_preparation(&self, ready: &OnDevice<D>) -> (Explanation, u64) {
        let decisions = ready.decisions.clone();
        let mut explanation = Explanation { decisions, ..Explanation::default() };
        let bound = ready.graph.rows.len() / 2;
        let kept = 4 * ready.graph.vertex_of_rank.len();
        let (entries, edges) = (ready.figures.entries(), ready.figures.edges);
        let seconds = &ready.seconds;
        let plan = match ready.place {
            Place::Device => {
                let plan = match ready.order {
                    Some(order) => MemoryPlan::for_order(entries, bound, order),
                    None => MemoryPlan::new(entries, bound),
                };
                let plan = if ready.early { plan.with_early(entries, bound) } else { plan };
                let bytes = |bytes: u64| Some(bytes + kept);
                let upload = (time::upload_entries(entries), bytes(plan.upload));
                explanation.step(Phase::Upload.name(), upload, seconds.upload);
                let orient = (time::orient(entries), bytes(plan.orient));
                explanation.step(Phase::Orient.name(), orient, seconds.orient);
                let clean = (time::clean(entries), bytes(plan.clean));
                explanation.step(Phase::Clean.name(), clean, seconds.clean);
                plan
            }
            place @ (Place::Passes { .. } | Place::Host) => {
                let plan = MemoryPlan::prepared(edges, bound);
                let prepare = predicted_on_host(place, entries, edges, bound);
                let took = seconds.orient + seconds.clean;
                explanation.step(Phase::Orient.name(), prepare, took);
                let upload = (time::upload(8 * edges), Some(plan.upload + kept));
                explanation.step(Phase::Upload.name(), upload, seconds.upload);
                plan
            }
        };
        (explanation, plan.count + kept)
    }

    /// Counts an oriented graph by the method that `options` name, or that the plan chooses.
    fn count(
        &self,
        device: &D,
        ready: &OnDevice<D>,
        options: &CountOptions,
    ) -> Result<EngineCount> {
        let graph = &ready.graph;
        let ranks = graph.rows.len() / 2;
        let held = held_bytes(graph);
        let free = self.free_beside(device, held)?;
        let method = options.engine.in_place(ranks);
        let beside = method.map_or(0, |method| method.bytes(graph.edges, ranks));
        if beside > free {
            return Err(self.too_large(held + beside, held + free));
        }
        let (mut explanation, held) = self.explain_preparation(ready);
        let (counted, explained) = match method {
            Some(method) => {
                hybrid::count_by(device, graph, method, options.explain.then_some(&self.tuning))
            }
            None => hybrid::count_within(device, graph, &self.tuning, free)
                .map(|(count, explained)| (count.counted(), explained)),
        }
        .map_err(|error: D::Error| error.into())?;
        explanation.extend_beside(held, explained);
        explanation.peak_bytes = device.take_peak_memory()?;
        Ok(EngineCount {
            triangles: counted.triangles,
            summary: ready.figures,
            seconds: EngineSeconds {
                upload: ready.seconds.upload,
                clean: ready.seconds.clean,
                orient: ready.seconds.orient + counted.build,
                count: counted.count,
            },
            binning: None,
            method: Some(method_name(options.engine)),
            ran_on: None,
            explanation,
        })
    }

    /// Bytes that radix binning may use.
    fn free_for_radix(&self, device: &D) -> Result<u64> {
        let free = device.free_memory()?;
        Ok(self.memory_limit.unwrap_or(free / 4 * 3).min(free))
    }

    fn count_by_radix(&self, graph: &Graph, orientation: Orientation) -> Result<EngineCount> {
        let (entries, bound) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
        let most = radix_binning::most_entries(orientation);
        if entries > most {
            return Err(Error::Input {
                file: graph.name().to_owned(),
                message: Message::from(format!(
                    "{entries} edge entries are more than the {most} that the radix engine takes"
                ))
                .with_hint(Hint::AutoEngine),
            });
        }
        let options = RadixOptions::of(orientation);
        let usable = self.driver.run(|device| self.free_for_radix(device))?;
        let plan = RadixMemory::new(entries, bound, &options);
        if plan.peak() > usable {
            return Err(self.too_large(plan.peak(), usable));
        }
        let options = RadixOptions { memory: usable - plan.graph, ..options };
        let count = |device: &D| {
            device.take_peak_memory()?;
            let metered = &Metered::new(device);
            let counted = (|| {
                let start = metered.record()?;
                let mut edges = Buffer::uninitialized(metered, entries)?;
                upload_entries(metered, graph.edges(), bound, &mut edges, |_, _| Ok(()))?;
                let uploaded = metered.record()?;
                let count = radix::count_uploaded(metered, edges, bound, &options)?;
                Ok((count, metered.seconds_between(&start, &uploaded)?))
            })();
            let (count, upload) = counted.map_err(|error: D::Error| -> Error { error.into() })?;
            Ok::<_, Error>((count, upload, device.take_peak_memory()?))
        };
        let (count, upload, peak_bytes) = self.driver.run(count)?;
        let seconds = EngineSeconds {
            upload,
            orient: count.seconds.orient,
            clean: count.seconds.clean,
            count: count.seconds.candidates + count.seconds.intersect,
        };
        let explanation = Explanation {
            peak_bytes,
            ..explain_radix(&count, &seconds, (entries, bound), &options)
        };
        Ok(EngineCount {
            triangles: count.triangles,
            summary: count.figures,
            seconds,
            binning: Some(Binning {
                candidates: count.candidates,
                launches: count.launches,
                stats: Stats { batches: count.batches, levels: count.levels },
            }),
            method: Some(method_name(EngineChoice::Radix)),
            ran_on: None,
            explanation,
        })
    }
}

/// The decision and the steps of radix binning for `entries` entries between vertices below `bound`.
fn explain_radix(
    count: &RadixCount,
    seconds: &EngineSeconds,
    (entries, bound): (u64, u64),
    options: &RadixOptions,
) -> Explanation {
    let memory = RadixMemory::new(entries, bound, options);
    let batches = RadixMemory::batches(count.edges, count.candidates, bound, options);
    let decisions = vec![batches.decision("batches of candidates")];
    let mut explanation = Explanation { decisions, ..Explanation::default() };
    let upload = (time::upload(8 * entries), Some(memory.upload));
    explanation.step(Phase::Upload.name(), upload, seconds.upload);
    explanation.step(
        Phase::Orient.name(),
        (time::orient(entries), Some(memory.orient)),
        seconds.orient,
    );
    explanation.step(
        Phase::Clean.name(),
        (time::clean(entries), Some(memory.clean)),
        seconds.clean,
    );
    let counting = time::radix(count.edges, count.candidates, count.batches);
    let bytes = memory.graph + batches.bytes;
    explanation.step(Phase::Count.name(), (counting, Some(bytes)), seconds.count);
    explanation
}

/// The method that a choice means on a GPU, as `--engine` takes it.
pub(super) fn method_name(engine: EngineChoice) -> &'static str {
    match engine {
        EngineChoice::Auto => EngineChoice::Hybrid.name(),
        other => other.name(),
    }
}

/// Bytes that a graph takes on its device.
pub(super) fn held_bytes<D: Device>(graph: &DeviceGraph<D>) -> u64 {
    4 * (graph.tails.len()
        + graph.heads.len()
        + graph.rows.len()
        + graph.degree_of_rank.len()
        + graph.vertex_of_rank.len())
}

impl<D: Accelerator> OnGpu<D> {
    /// Takes a device into use; host work of its jobs runs on `threads` threads.
    pub fn new(device: D, memory_limit: Option<u64>, threads: usize) -> Result<OnGpu<D>> {
        let (label, name, tuning) = (device.label(), device.name(), device.tuning());
        let driver = Arc::new(Driver::start(device, threads)?);
        Ok(OnGpu(Arc::new(Inner { driver, label, name, tuning, memory_limit })))
    }
}

impl<D: Accelerator> Engine for OnGpu<D> {
    fn name(&self) -> &str {
        method_name(EngineChoice::Auto)
    }

    fn device(&self) -> String {
        self.0.label.clone()
    }

    fn device_name(&self) -> String {
        self.0.name.clone()
    }

    fn count(
        &self,
        graph: &Graph,
        options: &CountOptions,
        context: &Context,
    ) -> Result<EngineCount> {
        let mut found = if options.engine == EngineChoice::Radix {
            context.cancel().check()?;
            context.phase(Phase::Count);
            self.0.count_by_radix(graph, orientation(options))?
        } else {
            let counted = |device: &D, ready| {
                context.cancel().check()?;
                let found = self.0.count(device, &ready, options);
                context.work().add(gpu::STEP);
                found
            };
            self.0.prepare_and(graph, false, context, counted, |too_large| {
                self.0.count_in_parts(graph, too_large, options, context)
            })?
        };
        prepare::directions::tell(graph.edges(), &mut found.summary);
        Ok(found)
    }

    /// Counts a graph of which the device makes the entries. Other graphs come through the host's memory.
    fn count_blocks(
        &self,
        blocks: &dyn EdgeBlocks,
        options: &CountOptions,
        context: &Context,
    ) -> Result<Option<EngineCount>> {
        let Some(formula) = blocks.formula() else { return Ok(None) };
        if options.engine == EngineChoice::Radix {
            return Ok(None);
        }
        context.cancel().check()?;
        context.phase(Phase::Count);
        let (entries, bound) = (blocks.entries(), blocks.vertices());
        let maker = maker(&MakingFacts { formula: true, entries, vertices: bound, devices: 1 });
        self.0.driver.run(|device| {
            device.take_peak_memory()?;
            let free = self.0.free_beside(device, 0)?;
            let placed = place(entries, bound, (0, 0), free);
            if placed.choice != Place::Device || maker.choice != Maker::Devices {
                return Ok(None);
            }
            device.expect_bytes(MemoryPlan::new(entries, bound).peak());
            context.work().begin(2 * gpu::STEP);
            let ready = gpu::prepare_formula(device, formula, [entries, bound]);
            let mut ready = ready.map_err(|error| -> Error { error.into() })?;
            context.work().add(gpu::STEP);
            context.cancel().check()?;
            let decided = [placed.decision(WHO_PREPARES), maker.decision(WHO_MAKES)];
            ready.decisions.splice(0..0, decided);
            let mut found = self.0.count(device, &ready, options)?;
            context.work().add(gpu::STEP);
            if found.summary.duplicates_dropped == 0 {
                found.summary.reciprocal_dropped = Some(0);
            }
            Ok(Some(found))
        })
    }

    fn prepare(&self, graph: &Graph, context: &Context) -> Result<Box<dyn Held>> {
        let start = Instant::now();
        let whole = |_: &D, ready| Ok(Ready::Whole(ready));
        let beyond = |too_large| Ok(Ready::InParts(too_large));
        let ready = self.0.prepare_and(graph, true, context, whole, beyond)?;
        let all = start.elapsed();
        let tell = |figures: &mut Summary| prepare::directions::tell(graph.edges(), figures);
        match ready {
            Ready::Whole(mut on_device) => {
                tell(&mut on_device.figures);
                let clean = Duration::from_secs_f64(on_device.seconds.clean).min(all);
                // The copy is with the rest.
                let times = PhaseTimes { clean, orient: all - clean };
                Ok(held(self.0.clone(), on_device, times))
            }
            Ready::InParts(mut too_large) => {
                tell(&mut too_large.prepared.figures);
                Ok(Box::new(HeldInParts::new(self.0.clone(), too_large)))
            }
        }
    }

    fn parts(&self) -> Option<&dyn PartsOnDevice> {
        Some(&*self.0)
    }

    fn take(&self, prepared: &dyn Held, context: &Context) -> Result<Option<Box<dyn Held>>> {
        context.cancel().check()?;
        let (oriented, figures, times) = (prepared.host()?, prepared.summary(), prepared.times());
        let (edges, bound) = (figures.edges, oriented.vertices() as u64);
        let (kept, results) = beside_graph(edges, bound);
        let needed = MemoryPlan::prepared(edges, bound).peak() + kept + results;
        if edges > MAX_ENTRIES {
            return Ok(None);
        }
        let on_device = self.0.driver.run(|device| {
            if needed > self.0.free_beside(device, 0)? {
                return Ok(None);
            }
            let uploaded = gpu::upload_oriented_keeping_vertices(device, &oriented, figures);
            uploaded.map(Some).map_err(|error| -> Error { error.into() })
        })?;
        let Some(mut on_device) = on_device else { return Ok(None) };
        on_device.seconds.orient = times.orient.as_secs_f64();
        on_device.seconds.clean = times.clean.as_secs_f64();
        Ok(Some(held(self.0.clone(), on_device, times)))
    }

    fn prepare_device_edges(
        &self,
        shares: &[DeviceEdges],
        context: &Context,
    ) -> Result<FromDevice> {
        self.take_edges(shares, context)
    }

    fn decisions(&self, entries: u64, vertices: u64) -> Result<Vec<Decision>> {
        let free = self.0.driver.run(|device| self.0.free_beside(device, 0))?;
        let mut decisions = vec![place(entries, vertices, (0, 0), free).decision(WHO_PREPARES)];
        let parts = predicted_parts(entries, vertices, free);
        decisions.extend(parts.map(|(sizes, facts)| sizes.decision(&facts, sizes.parts(&facts))));
        Ok(decisions)
    }

    fn device_memory(
        &self,
        entries: u64,
        vertices: u64,
        options: &CountOptions,
    ) -> Result<Option<DeviceMemory>> {
        let (free, phases) = if options.engine == EngineChoice::Radix {
            let radix = RadixOptions::of(orientation(options));
            let plan = RadixMemory::new(entries, vertices, &radix);
            let count = plan.graph + plan.least_batch;
            (
                self.0.driver.run(|device| self.0.free_for_radix(device))?,
                [plan.upload, plan.orient, plan.clean, count],
            )
        } else {
            let free = self.0.driver.run(|device| self.0.free_beside(device, 0))?;
            let mut plan = MemoryPlan::new(entries, vertices);
            if entries > MAX_ENTRIES || plan.peak() > free {
                plan = MemoryPlan::prepared(entries, vertices);
            } else if MemoryPlan::has_early(entries, vertices, free) {
                plan = plan.with_early(entries, vertices);
            }
            if let Some((parts, facts)) = predicted_parts(entries, vertices, free)
                && options.engine.counts_in_parts()
            {
                let phases = [0, 0, 0, parts.bytes(&facts)];
                return Ok(Some(memory_of_phases(free, phases)));
            }
            let beside = match options.engine {
                EngineChoice::Auto | EngineChoice::Hybrid => {
                    let most = crate::plan::counting::most_bytes(entries, vertices, &self.0.tuning);
                    if plan.count + most <= free { most } else { 0 }
                }
                named => {
                    named.in_place(vertices).map_or(0, |method| method.bytes(entries, vertices))
                }
            };
            (free, [plan.upload, plan.orient, plan.clean, plan.count + beside])
        };
        Ok(Some(memory_of_phases(free, phases)))
    }
}

/// Bytes of the phases upload, orient, clean and count.
fn memory_of_phases(free: u64, phases: [u64; 4]) -> DeviceMemory {
    let names = [Phase::Upload, Phase::Orient, Phase::Clean, Phase::Count];
    let phases = names.iter().zip(phases);
    let phases = phases.map(|(phase, bytes)| PhaseMemory { phase: phase.name(), bytes }).collect();
    DeviceMemory { free, phases }
}

/// Bytes beside a graph that is kept for many results: the vertices of its ranks, and what the largest result takes.
pub(super) fn beside_graph(edges: u64, bound: u64) -> (u64, u64) {
    let support = support_gpu::memory_needed_to_merge(edges);
    (4 * bound, support + local_gpu::memory_needed(bound))
}

/// In what parts a graph would be counted that does not fit the device, before it is prepared: as if all its entries
/// were edges, and its longest row as long as a row can be in the order of degrees. `None` for one that fits.
fn predicted_parts(entries: u64, vertices: u64, free: u64) -> Option<(RowParts, RowPartFacts)> {
    let whole = MemoryPlan::prepared(entries, vertices).peak();
    if entries <= MAX_ENTRIES && whole <= free {
        return None;
    }
    let longest_row = (2 * u128::from(entries)).isqrt() as u64;
    let facts = RowPartFacts {
        task: PartTask::Count,
        ranks: vertices,
        edges: entries,
        unit: (1, longest_row),
        whole,
        free,
        piece_on_host: u64::MAX,
    };
    Some((RowParts::new(&facts).ok()?, facts))
}

fn orientation(options: &CountOptions) -> Orientation {
    options.orientation.unwrap_or(Orientation::Degree)
}

impl<D: Accelerator> PartsOnDevice for Inner<D> {
    fn names(&self) -> [String; 2] {
        [self.label.clone(), self.name.clone()]
    }

    fn find_in_parts(
        &self,
        rows: &dyn RowSource,
        sought: Sought<'_>,
        piece_on_host: u64,
        context: &Context,
    ) -> Result<FoundInParts> {
        let (ranks, edges) = rows.before(rows.units());
        let whole = MemoryPlan::prepared(edges, ranks).peak();
        self.driver.run_beside_threads(|device, pool| {
            device.take_peak_memory()?;
            let free = self.free_beside(device, 0)?;
            let sizes = (whole, free, piece_on_host);
            let found = device_parts::find((device, pool), rows, sought, sizes, context);
            let mut found = found.map_err(|few| self.too_large(few.needed, few.free)).flatten()?;
            found.bytes.1 = device.take_peak_memory()?;
            Ok(found)
        })
    }
}

/// A graph in device memory, with the vertex of each rank.
pub(super) struct HeldByGpu<D: Accelerator> {
    pub on_device: OnDevice<D>,
    times: PhaseTimes,
    /// The same in host memory, once it was asked for.
    host: Mutex<Option<Arc<OrientedGraph>>>,
    /// Last, so that the memory above goes back before the device does.
    device: Arc<Inner<D>>,
}

/// A graph that a device prepared.
pub(super) fn held<D: Accelerator>(
    device: Arc<Inner<D>>,
    on_device: OnDevice<D>,
    times: PhaseTimes,
) -> Box<dyn Held> {
    Box::new(HeldByGpu::new(device, on_device, times))
}

/// Trussness, or what the device had memory for.
pub(super) enum Peeled {
    Trussness(Vec<u32>),
    /// Nothing fits that the device peels by.
    OnlySupport(Vec<u32>),
}

/// Says what was chosen, and why: `doing` has the subject, and `figures` what was looked at.
fn report_choice<T>(label: &str, doing: &str, figures: &str, chosen: &Chosen<T>) {
    let rejected = chosen.rejected.iter().map(|rejected| {
        let because: Vec<String> = rejected.because.iter().map(Reason::to_string).collect();
        format!("; not {}: {}", rejected.name, because.join(", "))
    });
    let text = format!(
        "{label}: {doing} {}, {} bytes of device memory{figures}{}",
        chosen.name,
        chosen.bytes,
        rejected.collect::<String>()
    );
    match chosen.bytes {
        // The CPU alone takes none.
        0 => tracing::warn!("{text}"),
        _ => tracing::info!("{text}"),
    }
}

impl<D: Accelerator> HeldByGpu<D> {
    pub fn new(device: Arc<Inner<D>>, on_device: OnDevice<D>, times: PhaseTimes) -> HeldByGpu<D> {
        HeldByGpu { device, on_device, times, host: Mutex::new(None) }
    }

    fn peel(&self, context: &Context) -> Result<Peeled> {
        context.cancel().check()?;
        let graph = &self.on_device.graph;
        if graph.edges == 0 {
            return Ok(Peeled::Trussness(Vec::new()));
        }
        self.device.driver.run(|device| {
            let support = self.device.find_support(device, graph, 0)?;
            self.peel_support(device, support, context)
        })
    }

    /// Peels from the support of every edge on.
    pub fn peel_support(
        &self,
        device: &D,
        support: Buffer<u32, D>,
        context: &Context,
    ) -> Result<Peeled> {
        let into = |error: D::Error| -> Error { error.into() };
        let graph = &self.on_device.graph;
        let on_host = support_gpu::download(device, &support, graph.edges).map_err(into)?;
        // Fewer than 2³² edges of less than 2³² triangles each.
        let triangles = on_host.iter().map(|&support| u64::from(support)).sum::<u64>() / 3;
        let beside = self.device.free_beside(device, held_bytes(graph))?;
        let ranks = graph.rows.len() / 2;
        let chosen = peeler(graph.edges, ranks, triangles, beside);
        let figures = format!(", {triangles} triangles");
        report_choice(&self.device.label, "trusses are peeled by", &figures, &chosen);
        if chosen.choice == Peeler::Host {
            return Ok(Peeled::OnlySupport(on_host));
        }
        context.cancel().check()?;
        let peeled =
            peel(device, graph, support, chosen.choice, PeelShape::default()).map_err(into)?;
        let trussness = support_gpu::download(device, &peeled.per_edge, graph.edges);
        Ok(Peeled::Trussness(trussness.map_err(into)?))
    }

    /// What `find` finds of the cores; `None` where the CPU has to find it.
    fn peel_cores<T: Send>(
        &self,
        context: &Context,
        find: impl Fn(&D, &DeviceGraph<D>) -> Result<Option<T>, D::Error> + Send + Sync,
    ) -> Result<Option<T>> {
        context.cancel().check()?;
        let graph = &self.on_device.graph;
        if graph.edges == 0 {
            return Ok(None);
        }
        self.device.driver.run(|device| {
            let free = self.device.free_beside(device, held_bytes(graph))?;
            let chosen = core_peeler(graph.edges, graph.rows.len() / 2, free);
            report_choice(&self.device.label, "core numbers are found by", "", &chosen);
            match chosen.choice {
                CorePeeler::Gpu => find(device, graph).map_err(|error| -> Error { error.into() }),
                CorePeeler::Host => Ok(None),
            }
        })
    }

    /// The trussness of every edge, on the CPU where the device could not peel.
    pub fn trussness_of(&self, peeled: Peeled, context: &Context) -> Result<Vec<u32>> {
        Ok(match peeled {
            Peeled::Trussness(trussness) => trussness,
            Peeled::OnlySupport(support) => {
                let graph = self.host()?;
                truss_cpu::trussness(&graph, support, context)?
            }
        })
    }

    /// Which edges are in the k-truss, on the CPU where the device could not peel.
    pub fn k_truss_of(&self, peeled: Peeled, k: u32, context: &Context) -> Result<Vec<bool>> {
        Ok(match peeled {
            Peeled::Trussness(trussness) => trussness.into_iter().map(|found| found >= k).collect(),
            Peeled::OnlySupport(support) => {
                let graph = self.host()?;
                truss_cpu::k_truss(&graph, support, k, context)?
            }
        })
    }
}

impl<D: Accelerator> Held for HeldByGpu<D> {
    fn summary(&self) -> Summary {
        self.on_device.figures
    }

    fn times(&self) -> PhaseTimes {
        self.times
    }

    fn decisions(&self) -> Vec<Decision> {
        self.on_device.decisions.clone()
    }

    fn host(&self) -> Result<Arc<OrientedGraph>> {
        let held = || self.host.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(graph) = &*held() {
            return Ok(graph.clone());
        }
        // Without the lock: two callers may both copy, and one copy is kept.
        let copy = |device: &D| download(device, &self.on_device.graph);
        let copied = self.device.driver.run(copy).map_err(|error| error.into())?;
        Ok(held().get_or_insert_with(|| Arc::new(copied)).clone())
    }

    fn count(&self, context: &Context) -> Result<EngineCount> {
        context.cancel().check()?;
        let run = |device: &D| self.device.count(device, &self.on_device, &CountOptions::default());
        self.device.driver.run(run)
    }

    fn support(&self, context: &Context) -> Result<Vec<u32>> {
        context.cancel().check()?;
        let graph = &self.on_device.graph;
        if graph.edges == 0 {
            return Ok(Vec::new());
        }
        self.device.driver.run(|device| {
            let support = self.device.find_support(device, graph, 0)?;
            support_gpu::download(device, &support, graph.edges).map_err(Into::into)
        })
    }

    fn local(&self, context: &Context) -> Result<Local> {
        context.cancel().check()?;
        let graph = &self.on_device.graph;
        let ranks = graph.rows.len() / 2;
        if graph.edges == 0 {
            return Ok(Local::without_edges(ranks as usize));
        }
        let found = self.device.driver.run(|device| {
            let beside = local_gpu::memory_needed(ranks);
            let support = self.device.find_support(device, graph, beside)?;
            local_counts(device, graph, &support).map_err(|error| -> Error { error.into() })
        })?;
        Ok(Local::of_vertices(found.degrees, found.triangles))
    }

    fn directed_triangles(
        &self,
        directions: &[u8],
        context: &Context,
    ) -> Result<Option<Vec<[u64; 4]>>> {
        context.cancel().check()?;
        let graph = &self.on_device.graph;
        let found = self.device.driver.run(|device| {
            let into = |error: D::Error| -> Error { error.into() };
            let longest = directed_gpu::LONGEST_NARROW;
            let wide = directed_gpu::is_wide(device, graph, longest).map_err(into)?;
            let ranks = graph.rows.len() / 2;
            let needed = directed_gpu::memory_for_kinds(graph.edges, ranks, wide);
            self.device.fits(device, graph, needed)?;
            directed_gpu::kinds(device, graph, directions, wide).map_err(into)
        });
        found.map(Some)
    }

    fn triangles_by_directions(
        &self,
        directions: &[u8],
        context: &Context,
    ) -> Result<Option<[u64; 64]>> {
        context.cancel().check()?;
        let graph = &self.on_device.graph;
        let found = self.device.driver.run(|device| {
            self.device.fits(device, graph, directed_gpu::memory_for_codes(graph.edges))?;
            let codes = directed_gpu::codes(device, graph, directions);
            codes.map_err(|error| -> Error { error.into() })
        });
        found.map(Some)
    }

    fn products_of_triangles(
        &self,
        numbers: &[f64],
        context: &Context,
    ) -> Result<Option<Vec<f64>>> {
        context.cancel().check()?;
        let graph = &self.on_device.graph;
        let found = self.device.driver.run(|device| {
            self.device.fits(device, graph, weighted_gpu::memory_needed(graph.edges))?;
            let sums = weighted_gpu::by_edge(device, graph, numbers);
            sums.map_err(|error| -> Error { error.into() })
        });
        found.map(Some)
    }

    fn triangles(&self, context: &Context) -> Result<Option<Box<dyn TriangleSource + '_>>> {
        context.cancel().check()?;
        let graph = &self.on_device.graph;
        let listing = self.device.driver.run(|device| {
            let free = self.device.free_beside(device, held_bytes(graph))?;
            let chosen = lister(graph.edges, free);
            report_choice(&self.device.label, "triangles are listed by", "", &chosen);
            let Lister::Gpu { at_a_time } = chosen.choice else { return Ok(None) };
            let listing = Listing::new(device, graph, at_a_time);
            listing.map(Some).map_err(|error: D::Error| -> Error { error.into() })
        })?;
        Ok(listing.map(|listing| -> Box<dyn TriangleSource + '_> {
            let triangles = listing.triangles();
            Box::new(ListedByGpu { held: self, triangles, listing: Mutex::new(listing) })
        }))
    }

    fn core_numbers(&self, context: &Context) -> Result<Option<Vec<u32>>> {
        self.peel_cores(context, cores_gpu::core_numbers)
    }

    fn degeneracy(&self, local: &Local, context: &Context) -> Result<Option<u32>> {
        let most = h_index(local.degrees());
        self.peel_cores(context, |device, graph| cores_gpu::degeneracy(device, graph, most))
    }

    fn trussness(&self, context: &Context) -> Result<Vec<u32>> {
        self.trussness_of(self.peel(context)?, context)
    }

    fn k_truss(&self, k: u32, context: &Context) -> Result<Vec<bool>> {
        self.k_truss_of(self.peel(context)?, k, context)
    }
}

/// The triangles of a graph on a device, with their places there.
struct ListedByGpu<'g, D: Accelerator> {
    held: &'g HeldByGpu<D>,
    triangles: u64,
    /// The device does one job at a time: nobody waits here for longer than there.
    listing: Mutex<Listing<D>>,
}

impl<D: Accelerator> TriangleSource for ListedByGpu<'_, D> {
    fn triangles(&self) -> u64 {
        self.triangles
    }

    fn read(&self, from: u64, to: &mut [[u32; 3]]) -> Result<()> {
        let HeldByGpu { device, on_device, .. } = self.held;
        device.driver.run(|device| {
            let mut listing = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
            listing.read(device, &on_device.graph, from, to).map_err(|error| error.into())
        })
    }
}
