//! A graph that devices prepared and keep, and what is found of it there.

use std::sync::{Arc, OnceLock};

use warpwise_device::launch::Buffer;

use super::count::{count_narrow, engine_count};
use super::{Accelerator, DrivenDevice, held_bytes, method_name, report_choice, similar};
use crate::analytics::{Local, WantedTruss};
use crate::control::{Context, EngineSeconds, Phase};
use crate::count::{CountOptions, EngineCount};
use crate::graph::{Directions, OrientedGraph, Summary};
use crate::plan::Explanation;
use crate::plan::listing::{Lister, MOST_AT_A_TIME, lister};
use crate::resident::ResidentGraph;
use crate::results::{Similarity, TakeEdges};
use crate::team::Shared;
use crate::{Error, Result};
use tribin_analytics::cpu::degeneracy::h_index;
use tribin_analytics::cpu::similar::{TakePairs, TwoSteps, WantedPairs};
use tribin_analytics::cpu::truss as truss_cpu;
use tribin_base::par::{self, Pool};
use tribin_gpu::analytics::cliques as cliques_gpu;
use tribin_gpu::analytics::cores as cores_gpu;
use tribin_gpu::analytics::directed as directed_gpu;
use tribin_gpu::analytics::list::TriangleListing;
use tribin_gpu::analytics::local::{self as local_gpu, local_counts};
use tribin_gpu::analytics::similar::SimilarSearch;
use tribin_gpu::analytics::support as support_gpu;
use tribin_gpu::analytics::weighted as weighted_gpu;
use tribin_gpu::device_graph::{DeviceGraph, download};
use tribin_gpu::exchange::Reduction;
use tribin_gpu::prepare::OnDevice;

/// Triangles of a block that is handed over.
const LISTED: usize = 1 << 18;

/// A graph in the memory of a device, or of each of several, with the vertex of each rank.
pub struct GpuGraph<D: Accelerator> {
    /// The graph on the first device, which finds what the devices do not find together.
    pub on_device: OnDevice<D>,
    seconds: EngineSeconds,
    /// The graph in host memory, once it was asked for.
    host: OnceLock<Arc<OrientedGraph>>,
    pub(super) device: Arc<DrivenDevice<D>>,
    /// The other devices that have the graph.
    pub(super) others: Option<OtherDevices<D>>,
}

/// The devices beside the first that have a graph.
pub(crate) struct OtherDevices<D: Accelerator> {
    pub graphs: Vec<DeviceGraph<D>>,
    /// All devices as `--device` takes them.
    pub label: String,
    /// The decisions and steps by which they prepared the graph, and the bytes that each is predicted to keep.
    pub preparation: (Explanation, u64),
    /// Last, so that the memory above goes back before the devices do.
    pub shared: Arc<Shared<D>>,
}

impl<D: Accelerator> GpuGraph<D> {
    /// A graph that these devices prepared. `took` is how long that took with the copy, in seconds.
    pub fn held(
        device: Arc<DrivenDevice<D>>,
        on_device: OnDevice<D>,
        others: Option<OtherDevices<D>>,
        took: f64,
    ) -> Box<dyn ResidentGraph> {
        let clean = on_device.seconds.clean.clamp(0.0, took);
        let seconds = EngineSeconds { clean, orient: took - clean, ..EngineSeconds::default() };
        Box::new(GpuGraph { device, on_device, others, seconds, host: OnceLock::new() })
    }

    fn graphs<'g>(&'g self, others: &'g OtherDevices<D>) -> Vec<&'g DeviceGraph<D>> {
        std::iter::once(&self.on_device.graph).chain(&others.graphs).collect()
    }

    /// The support of every edge on the first device, where several have the graph: each counts its share of the triangles, and the
    /// shares are added. The first has `beside` more bytes free.
    fn support_by_all(&self, beside: u64) -> Result<Option<Buffer<u32, D>>> {
        let Some(others) = &self.others else { return Ok(None) };
        let opened = others.shared.opened()?;
        let graphs = self.graphs(others);
        opened.run(|exchange| {
            let mut words = opened.each(exchange, |number, device| {
                let beside = if number == 0 { beside } else { 0 };
                opened.gpus()[number].find_support(device, graphs[number], beside)
            })?;
            let summed = exchange.all_reduce(words.iter_mut().collect(), Reduction::Sum);
            summed.map_err(|failed| opened.named(failed))?;
            Ok(words.into_iter().next())
        })
    }

    /// Runs work with the support of every edge on the first device. Where several devices have the graph, all of them count it. The first
    /// device keeps `beside` more bytes free.
    pub(super) fn with_support<R: Send>(
        &self,
        beside: u64,
        run: impl FnOnce(&D, Buffer<u32, D>) -> Result<R> + Send,
    ) -> Result<R> {
        let by_all = self.support_by_all(beside)?;
        self.device.driver.run(|device| {
            let alone = || self.device.find_support(device, &self.on_device.graph, beside);
            run(device, by_all.map_or_else(alone, Ok)?)
        })
    }

    /// What each device that has the graph finds, given how many bytes are free there beside it.
    fn by_each<R: Send>(
        &self,
        find: impl Fn(&D, &DeviceGraph<D>, u64) -> Result<R, D::Error> + Send + Sync,
    ) -> Result<Vec<R>> {
        let find = |own: &DrivenDevice<D>, device: &D, graph: &DeviceGraph<D>| {
            let free = own.free_beside(device, held_bytes(graph))?;
            find(device, graph, free).map_err(|error| -> Error { error.into() })
        };
        let (own, graph) = (&self.device, &self.on_device.graph);
        let Some(others) = &self.others else {
            return Ok(vec![own.driver.run(|device| find(own, device, graph))?]);
        };
        let (opened, graphs) = (others.shared.opened()?, self.graphs(others));
        opened.run(|exchange| {
            let each =
                |number: usize, device: &D| find(&opened.gpus()[number], device, graphs[number]);
            opened.each(exchange, each)
        })
    }

    /// What the first device finds beside the graph, in memory of which `needed` bytes are taken.
    fn beside_graph<R: Send>(
        &self,
        needed: u64,
        find: impl FnOnce(&D, &DeviceGraph<D>) -> Result<R, D::Error> + Send,
    ) -> Result<R> {
        let graph = &self.on_device.graph;
        self.device.driver.run(|device| {
            self.device.fits(device, graph, needed)?;
            find(device, graph).map_err(|error| -> Error { error.into() })
        })
    }
}

impl<D: Accelerator> ResidentGraph for GpuGraph<D> {
    fn summary(&self) -> Summary {
        self.on_device.figures
    }

    fn seconds(&self) -> EngineSeconds {
        self.seconds
    }

    fn host(&self) -> Result<Arc<OrientedGraph>> {
        if let Some(graph) = self.host.get() {
            return Ok(graph.clone());
        }
        // Without the lock: two callers may both copy, and one copy is kept.
        let copy = |device: &D| download(device, &self.on_device.graph);
        let copied = self.device.driver.run(copy).map_err(|error| error.into())?;
        Ok(self.host.get_or_init(|| Arc::new(copied)).clone())
    }

    fn count(&self, options: &CountOptions, context: &Context) -> Result<EngineCount> {
        let (own, name) = (&self.device, method_name(options.engine));
        let Some(others) = &self.others else {
            let found = own.driver.run(|device| {
                own.counted((device, &self.on_device), name, context, |graph, free| {
                    count_narrow(device, graph, (options.engine, options.explain), free)
                })
            })?;
            return Ok(EngineCount {
                ran_on: Some([own.label.clone(), own.name.clone()]),
                ..found
            });
        };
        context.cancel().check()?;
        let (opened, graphs) = (others.shared.opened()?, self.graphs(others));
        let (counted, explained) =
            opened.run(|exchange| opened.count(exchange, &graphs, options))?;
        let (mut explanation, kept) = others.preparation.clone();
        explanation.peak_bytes = explained.peak_bytes;
        explanation.extend_beside(kept, explained);
        let OnDevice { figures, seconds, .. } = &self.on_device;
        let found = engine_count(&counted, *figures, *seconds, explanation, name);
        Ok(EngineCount { ran_on: Some(opened.ran_on(others.label.clone())), ..found })
    }

    fn local(&self, _: &Context) -> Result<Local> {
        let graph = &self.on_device.graph;
        let ranks = graph.rows.len() / 2;
        if graph.edges == 0 {
            return Ok(Local::without_edges(ranks as usize));
        }
        self.with_support(local_gpu::memory_needed(ranks), |device, support| {
            local_counts(device, graph, &support).map_err(Into::into)
        })
    }

    fn cores(&self, _: &Context) -> Result<Option<Vec<u32>>> {
        self.peel_cores(cores_gpu::core_numbers)
    }

    fn degeneracy(&self, local: &Local, _: &Context) -> Result<Option<u32>> {
        let most = h_index(local.degrees());
        self.peel_cores(|device, graph| cores_gpu::degeneracy(device, graph, most))
    }

    /// Each device finds those of its share; `None` where one has no room.
    fn cliques(&self, k: u32, _: &Context) -> Result<Option<u128>> {
        let found =
            self.by_each(|device, graph, free| cliques_gpu::count(device, graph, k, free))?;
        Ok(found.into_iter().sum())
    }

    fn support(&self, _: &Context) -> Result<Option<Vec<u32>>> {
        let graph = &self.on_device.graph;
        if graph.edges == 0 {
            return Ok(Some(Vec::new()));
        }
        let on_edges = self.with_support(0, |device, support| {
            support_gpu::download(device, &support, graph.edges).map_err(Into::into)
        });
        on_edges.map(Some)
    }

    /// The CPU peels where the device has no memory to do so.
    fn trussness(&self, wanted: WantedTruss, context: &Context) -> Result<Option<Vec<u32>>> {
        if self.others.is_some() {
            let label = &self.device.label;
            tracing::info!("all GPUs count the support, and {label} alone peels");
        }
        let peeled = match self.on_device.graph.edges {
            0 => Ok(Vec::new()),
            _ => self.with_support(0, |device, support| self.peel(device, support, context))?,
        };
        let on_cpu = |support| truss_cpu::trussness(&*self.host()?, support, wanted, context);
        peeled.or_else(on_cpu).map(Some)
    }

    fn directed(&self, directions: &Directions, _: &Context) -> Result<Option<Vec<[u64; 4]>>> {
        let longest = directed_gpu::LONGEST_NARROW;
        let is_wide =
            self.beside_graph(0, |device, graph| directed_gpu::is_wide(device, graph, longest))?;
        let OnDevice { graph, .. } = &self.on_device;
        let ranks = graph.rows.len() / 2;
        let needed = directed_gpu::memory_for_kinds(graph.edges, ranks, is_wide);
        let kinds = self.beside_graph(needed, |device, graph| {
            directed_gpu::kinds(device, graph, &directions.bits, is_wide)
        });
        kinds.map(Some)
    }

    fn codes(&self, directions: &Directions, _: &Context) -> Result<Option<[u64; 64]>> {
        let needed = directed_gpu::memory_for_codes(self.on_device.graph.edges);
        let codes = self.beside_graph(needed, |device, graph| {
            directed_gpu::codes(device, graph, &directions.bits)
        });
        codes.map(Some)
    }

    fn products(&self, numbers: &[f64], _: &Context) -> Result<Option<Vec<f64>>> {
        let needed = weighted_gpu::memory_needed(self.on_device.graph.edges);
        let find = |device: &D, graph: &_| weighted_gpu::by_edge(device, graph, numbers);
        self.beside_graph(needed, find).map(Some)
    }

    /// The CPU finds them where the device has no room, or no formula.
    fn similar_pairs(
        &self,
        graph: &TwoSteps,
        by: &Similarity,
        wanted: WantedPairs,
        context: &Context,
        take: &mut TakePairs<'_>,
    ) -> Result<bool> {
        let Some(formula) = similar::formula(by) else { return Ok(false) };
        context.cancel().check()?;
        context.phase(Phase::Count);
        let GpuGraph { device: own, on_device, .. } = self;
        let search = own.driver.run_beside_threads(|device, pool| {
            let free = own.free_beside(device, held_bytes(&on_device.graph))?;
            let search = pool.install(|| SimilarSearch::new(device, graph, formula, &wanted, free));
            search.map_err(|error| -> Error { error.into() })
        })?;
        let Some(mut search) = search else {
            tracing::info!("{}: the CPU finds what is wanted of similar pairs", own.label);
            return Ok(false);
        };
        context.work().begin(search.batches().map(|batch| search.paths_of(batch)).sum());
        for batch in search.batches() {
            context.cancel().check()?;
            let find =
                |device: &D, pool: &Pool| pool.install(|| search.find(device, batch.clone()));
            let found = own.driver.run_beside_threads(find);
            context.work().add(search.paths_of(batch));
            if !take(found.map_err(|error: D::Error| -> Error { error.into() })?)? {
                break;
            }
        }
        Ok(true)
    }

    /// The CPU lists them where the device has no memory to do so. They come in the order in which the device lists them.
    fn each_triangle(&self, context: &Context, take: &mut TakeEdges<'_>) -> Result<bool> {
        context.cancel().check()?;
        let GpuGraph { device: own, on_device, .. } = self;
        let graph = &on_device.graph;
        let into = |error: D::Error| -> Error { error.into() };
        let listing = own.driver.run(|device| {
            let free = own.free_beside(device, held_bytes(graph))?;
            let chosen = lister(graph.edges, free);
            report_choice(&own.label, "triangles are listed by", &chosen);
            let Lister::Gpu { at_a_time } = chosen.choice else { return Ok(None) };
            TriangleListing::new(device, graph, at_a_time).map(Some).map_err(into)
        })?;
        let Some(mut listing) = listing else { return Ok(false) };
        let (triangles, mut from) = (listing.triangles(), 0);
        while from < triangles {
            context.cancel().check()?;
            let mut found = vec![[0; 3]; (triangles - from).min(MOST_AT_A_TIME) as usize];
            own.driver.run(|device| listing.read(device, graph, from, &mut found)).map_err(into)?;
            from += found.len() as u64;
            if !take(par::map(found.chunks(LISTED), <[[u32; 3]]>::to_vec))? {
                break;
            }
        }
        Ok(true)
    }
}
