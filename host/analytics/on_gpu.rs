//! Preparation and all results but the listing on a GPU.

use std::time::{Duration, Instant};

use tribin_device::launch::{Buffer, Device};

use super::engine::Engine;
use crate::clean::Figures;
use crate::clean::gpu::{DeviceGraph, download, upload_rows};
use crate::device::cuda::Gpu;
use crate::engine::forward_gpu::{self, MOST_ENTRIES, MemoryPlan, prepare_keeping_vertices};
use crate::engine::local_gpu::{self, local_counts};
use crate::engine::support_gpu::{self, Method, edge_support};
use crate::engine::truss_cpu;
use crate::engine::truss_gpu::{self, PeelShape, peel};
use crate::orient::cpu::{PhaseTimes, Prepared};
use crate::orient::{self, Oriented};
use crate::{Error, Graph, Result};

/// What the engine asks of a device besides running kernels.
pub(super) trait Accelerator: Device<Error: Into<Error>> + Send + Sync {
    /// As `--device` takes it.
    fn id(&self) -> String;

    /// For people.
    fn name(&self) -> String;

    /// Bytes of memory that can be allocated now.
    fn free_memory(&self) -> Result<u64>;
}

impl Accelerator for Gpu {
    fn id(&self) -> String {
        format!("gpu:{}", self.info().ordinal)
    }

    fn name(&self) -> String {
        self.info().name.clone()
    }

    fn free_memory(&self) -> Result<u64> {
        Ok(Gpu::free_memory(self)?)
    }
}

/// The kernels as an [`Engine`].
///
/// The graph is copied to the device for every result: that takes 8 bytes an edge over the bus, and being
/// sure that what is there already is the same graph would take as many in host memory.
pub(super) struct OnGpu<A> {
    device: A,
    memory_limit: Option<u64>,
}

/// Device memory for a graph and what is made of it.
struct Room {
    /// Bytes that the graph takes.
    graph: u64,
    /// Bytes that may be used.
    free: u64,
}

impl Room {
    /// Whether these bytes fit beside the graph.
    fn has(&self, beside: u64) -> bool {
        self.graph.saturating_add(beside) <= self.free
    }
}

/// What the device had memory for.
enum Peeled {
    Trussness(Vec<u32>),
    /// The lists of triangles do not fit.
    OnlySupport(Vec<u32>),
}

impl<A: Accelerator> OnGpu<A> {
    pub fn new(device: A, memory_limit: Option<u64>) -> Self {
        OnGpu { device, memory_limit }
    }

    /// Bytes that may be used.
    fn free(&self) -> Result<u64> {
        Ok(self.device.free_memory()?.min(self.memory_limit.unwrap_or(u64::MAX)))
    }

    /// The room for a graph, if `least` bytes fit beside it.
    fn room(&self, graph: &Oriented, least: u64) -> Result<Room> {
        let edges = graph.edges();
        if edges > MOST_ENTRIES {
            return Err(Error::Device(format!(
                "{edges} edges are more than the {MOST_ENTRIES} that a GPU takes: use `--device cpu`"
            )));
        }
        let bytes = MemoryPlan::prepared(edges, graph.vertices() as u64).peak();
        let room = Room { graph: bytes, free: self.free()? };
        if room.has(least) {
            return Ok(room);
        }
        let needed = room.graph.saturating_add(least);
        Err(Error::DeviceMemory { needed, free: room.free, device: self.device.name() })
    }

    /// Trussness if there is memory for it.
    fn peel(&self, graph: &Oriented) -> Result<Peeled> {
        if graph.heads.is_empty() {
            return Ok(Peeled::Trussness(Vec::new()));
        }
        let (edges, ranks) = (graph.edges(), graph.vertices() as u64);
        let room = self.room(graph, support_gpu::memory_needed_to_merge(edges))?;
        let fits = |triangles| {
            let needed = truss_gpu::memory_needed(edges, ranks, triangles);
            let fits = room.has(needed);
            if !fits {
                tracing::warn!(
                    "{} finds the support only, and the CPU peels: the lists of {triangles} \
                     triangles take {} bytes of device memory, and {} are free",
                    Accelerator::id(&self.device),
                    room.graph.saturating_add(needed),
                    room.free
                );
            }
            fits
        };
        let may_group = room.has(support_gpu::memory_needed(edges, ranks));
        peel_on(&self.device, graph, may_group, fits).map_err(Into::into)
    }
}

impl<A: Accelerator> Engine for OnGpu<A> {
    fn name(&self) -> &str {
        "hybrid"
    }

    fn device(&self) -> String {
        Accelerator::id(&self.device)
    }

    fn device_name(&self) -> String {
        self.device.name()
    }

    /// On the CPU, what does not fit the device.
    fn prepare(&self, graph: &Graph) -> Result<Prepared> {
        let (entries, bound) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
        // The plan is without the vertices of the ranks.
        let needed = MemoryPlan::new(entries, bound).peak() + 4 * bound;
        let free = self.free()?;
        if entries > MOST_ENTRIES || needed > free {
            tracing::info!(
                "{}: prepared on the CPU: {entries} entries would take {needed} bytes of device \
                 memory, and {free} are free",
                graph.name()
            );
            return Ok(orient::cpu::prepare(graph.edges(), graph.vertex_bound()));
        }
        let start = Instant::now();
        let (oriented, figures, clean) = prepare_on(&self.device, graph).map_err(Into::into)?;
        let all = start.elapsed();
        let clean = Duration::from_secs_f64(clean).min(all);
        // Both copies are with the rest.
        Ok(Prepared { oriented, figures, time: PhaseTimes { clean, orient: all - clean } })
    }

    fn support(&self, graph: &Oriented) -> Result<Vec<u32>> {
        if graph.heads.is_empty() {
            return Ok(Vec::new());
        }
        let (edges, ranks) = (graph.edges(), graph.vertices() as u64);
        let room = self.room(graph, support_gpu::memory_needed_to_merge(edges))?;
        let may_group = room.has(support_gpu::memory_needed(edges, ranks));
        support_on(&self.device, graph, may_group).map_err(Into::into)
    }

    fn triangles(&self, graph: &Oriented) -> Result<Vec<u64>> {
        if graph.heads.is_empty() {
            return Ok(vec![0; graph.vertices()]);
        }
        let (edges, ranks) = (graph.edges(), graph.vertices() as u64);
        let sums = support_gpu::memory_needed_to_merge(edges) + local_gpu::memory_needed(ranks);
        let room = self.room(graph, sums)?;
        let may_group = room.has(support_gpu::memory_needed(edges, ranks));
        triangles_on(&self.device, graph, may_group).map_err(Into::into)
    }

    fn trussness(&self, graph: &Oriented) -> Result<Vec<u32>> {
        Ok(match self.peel(graph)? {
            Peeled::Trussness(trussness) => trussness,
            Peeled::OnlySupport(support) => truss_cpu::trussness(graph, support),
        })
    }

    fn k_truss(&self, graph: &Oriented, k: u32) -> Result<Vec<bool>> {
        Ok(match self.peel(graph)? {
            Peeled::Trussness(trussness) => trussness.into_iter().map(|found| found >= k).collect(),
            Peeled::OnlySupport(support) => truss_cpu::k_truss(graph, support, k),
        })
    }
}

/// The cleaned and oriented graph, its figures, and the seconds that cleaning took.
fn prepare_on<D: Device>(device: &D, graph: &Graph) -> Result<(Oriented, Figures, f64), D::Error> {
    let (entries, _) = forward_gpu::upload(device, graph)?;
    let ready = prepare_keeping_vertices(device, entries, graph.vertex_bound() as u64)?;
    Ok((download(device, &ready.graph)?, ready.figures, ready.seconds.clean))
}

/// Each edge's support, on the device.
fn find_support<D: Device>(
    device: &D,
    graph: &DeviceGraph<D>,
    may_group: bool,
) -> Result<Buffer<u32, D>, D::Error> {
    let method = if may_group { Method::for_graph(device, graph)? } else { Method::Merge };
    Ok(edge_support(device, graph, &method)?.per_edge)
}

fn support_on<D: Device>(
    device: &D,
    graph: &Oriented,
    may_group: bool,
) -> Result<Vec<u32>, D::Error> {
    let graph = upload_rows(device, graph)?;
    let support = find_support(device, &graph, may_group)?;
    support_gpu::download(device, &support, graph.edges)
}

fn triangles_on<D: Device>(
    device: &D,
    graph: &Oriented,
    may_group: bool,
) -> Result<Vec<u64>, D::Error> {
    // Results are wanted by rank: each rank is its own vertex. A rank has 32 bits.
    let ranks: Vec<u32> = (0..graph.vertices() as u32).collect();
    let mut graph = upload_rows(device, graph)?;
    graph.vertex_of_rank = Buffer::from_host(device, &ranks)?;
    let support = find_support(device, &graph, may_group)?;
    Ok(local_counts(device, &graph, &support)?.triangles)
}

fn peel_on<D: Device>(
    device: &D,
    graph: &Oriented,
    may_group: bool,
    fits: impl Fn(u64) -> bool,
) -> Result<Peeled, D::Error> {
    let graph = upload_rows(device, graph)?;
    let support = find_support(device, &graph, may_group)?;
    let on_host = support_gpu::download(device, &support, graph.edges)?;
    // Fewer than 2³² edges of less than 2³² triangles each.
    let triangles = on_host.iter().map(|&support| u64::from(support)).sum::<u64>() / 3;
    if !fits(triangles) {
        return Ok(Peeled::OnlySupport(on_host));
    }
    let peeled = peel(device, &graph, support, PeelShape::default())?;
    Ok(Peeled::Trussness(support_gpu::download(device, &peeled.per_edge, graph.edges)?))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use proptest::prelude::*;
    use tribin_device::emulated::{Config, Emulator, EmulatorError};

    use super::super::on_cpu::OnCpu;
    use super::super::{Analyzer, Options};
    use super::*;

    impl From<EmulatorError> for Error {
        fn from(error: EmulatorError) -> Error {
            Error::Device(error.to_string())
        }
    }

    impl Accelerator for Emulator {
        fn id(&self) -> String {
            "emulator".into()
        }

        fn name(&self) -> String {
            "the emulator".into()
        }

        fn free_memory(&self) -> Result<u64> {
            Ok(1 << 30)
        }
    }

    /// One multiprocessor: the emulator has all blocks of the peeling under way together.
    fn emulated(memory_limit: Option<u64>) -> OnGpu<Emulator> {
        let config = Config { multiprocessors: 1, ..Config::seeded(1) };
        OnGpu::new(Emulator::with(config), memory_limit)
    }

    fn analyzer(engine: impl Engine + 'static) -> Analyzer {
        let options = Options { threads: NonZeroUsize::new(1), ..Options::default() };
        Analyzer::with_engine(Box::new(engine), options).unwrap()
    }

    /// Every result of the engine is the CPU's, whichever of the two prepared the graph.
    fn check(memory_limit: Option<u64>, edges: Vec<[u32; 2]>) {
        let graph = Graph::from_edges(edges);
        let (emulated, cpu) = (analyzer(emulated(memory_limit)), analyzer(OnCpu));
        let known = cpu.prepare(&graph).unwrap();
        let (local, support) = (cpu.local(&known).unwrap(), cpu.support(&known).unwrap());
        let trussness = cpu.trussness(&known).unwrap();
        let largest = trussness.values().iter().max().copied().unwrap_or(2);
        let found = emulated.prepare(&graph).unwrap();
        assert_eq!(found.figures(), known.figures());
        assert_eq!(cpu.support(&found).unwrap(), support);
        assert_eq!(cpu.trussness(&found).unwrap(), trussness);
        for prepared in [&found, &known] {
            assert_eq!(emulated.local(prepared).unwrap(), local);
            assert_eq!(emulated.support(prepared).unwrap(), support);
            assert_eq!(emulated.trussness(prepared).unwrap(), trussness);
        }
        for k in [2, largest, largest + 1] {
            assert_eq!(emulated.k_truss(&found, k).unwrap(), cpu.k_truss(&known, k).unwrap());
        }
        let (stats, expected) = (emulated.stats(&found).unwrap(), cpu.stats(&known).unwrap());
        assert_eq!(stats.triangles, expected.triangles);
        assert_eq!(stats.average_clustering, expected.average_clustering);
        assert_eq!(stats.degeneracy, expected.degeneracy);
        assert_eq!((&*stats.engine, &*stats.device), ("hybrid", "emulator"));
    }

    fn clique(vertices: std::ops::Range<u32>) -> Vec<[u32; 2]> {
        let end = vertices.end;
        vertices.flat_map(|u| (u + 1..end).map(move |v| [v, u])).collect()
    }

    /// Two cliques that share an edge, a tail, a vertex alone, a self-loop and a repeated edge.
    fn cliques() -> Vec<[u32; 2]> {
        let more = vec![[13, 14], [16, 16], [16, 13], [0, 1]];
        [clique(0..9), clique(7..14), more].concat()
    }

    #[test]
    fn results_are_the_cpu_s() {
        check(None, cliques());
    }

    #[test]
    fn graphs_without_edges_have_results() {
        check(None, vec![]);
        check(None, vec![[3, 3]]);
    }

    /// 100 vertices have enough wedges for each edge.
    #[test]
    fn grouped_support_is_the_cpu_s() {
        let graph = Graph::from_edges(clique(0..100));
        let (emulated, cpu) = (analyzer(emulated(None)), analyzer(OnCpu));
        let prepared = emulated.prepare(&graph).unwrap();
        let device = Emulator::new();
        let uploaded = upload_rows(&device, prepared.oriented()).unwrap();
        assert_eq!(Method::for_graph(&device, &uploaded).unwrap(), Method::GROUPS);
        let support = emulated.support(&prepared).unwrap();
        assert_eq!(support.values(), [98; 4950]);
        assert_eq!(support, cpu.support(&prepared).unwrap());
    }

    /// Bytes that the graph takes on the device, and its edges and vertices.
    fn sizes(edges: Vec<[u32; 2]>) -> (u64, u64, u64) {
        let graph = Graph::from_edges(edges);
        let prepared = OnCpu.prepare(&graph).unwrap();
        let (edges, ranks) = (prepared.figures.edges, prepared.oriented.vertices() as u64);
        (MemoryPlan::prepared(edges, ranks).peak(), edges, ranks)
    }

    #[test]
    fn what_does_not_fit_is_done_otherwise() {
        let (graph, edges, ranks) = sizes(cliques());
        let least = support_gpu::memory_needed_to_merge(edges) + local_gpu::memory_needed(ranks);
        let grouped = support_gpu::memory_needed(edges, ranks);
        assert!(least < grouped);
        // Everything but the lists of triangles; and merging only.
        for beside in [grouped, least] {
            let engine = emulated(Some(graph + beside));
            let oriented = OnCpu.prepare(&Graph::from_edges(cliques())).unwrap().oriented;
            let peeled = engine.peel(&oriented).unwrap();
            assert!(matches!(peeled, Peeled::OnlySupport(_)));
            check(Some(graph + beside), cliques());
        }
        let oriented = OnCpu.prepare(&Graph::from_edges(cliques())).unwrap().oriented;
        let peeled = emulated(None).peel(&oriented).unwrap();
        assert!(matches!(peeled, Peeled::Trussness(_)));
    }

    #[test]
    fn what_does_not_fit_at_all_is_an_error() {
        let (graph, edges, _) = sizes(cliques());
        let limit = graph + support_gpu::memory_needed_to_merge(edges) - 1;
        let engine = emulated(Some(limit));
        let prepared = engine.prepare(&Graph::from_edges(cliques())).unwrap();
        let refused = |error: Error| match error {
            Error::DeviceMemory { needed, free, .. } => {
                assert!(needed > free && free == limit, "{needed} {free}");
            }
            other => panic!("{other}"),
        };
        refused(engine.support(&prepared.oriented).unwrap_err());
        refused(engine.triangles(&prepared.oriented).unwrap_err());
        refused(engine.trussness(&prepared.oriented).unwrap_err());
        refused(engine.k_truss(&prepared.oriented, 4).unwrap_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6))]

        #[test]
        fn results_of_any_multigraph_are_the_cpu_s(
            edges in prop::collection::vec(prop::array::uniform2(0u32..16), 0..90),
        ) {
            check(None, edges);
        }
    }
}
