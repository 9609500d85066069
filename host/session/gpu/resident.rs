//! A graph that a device prepared and keeps, and what is found of it there.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Accelerator, DrivenDevice, held_bytes, listed, similar};
use crate::analytics::{Local, TriangleSource};
use crate::control::Context;
use crate::count::{CountOptions, EngineCount};
use crate::graph::{OrientedGraph, Summary};
use crate::plan::Decision;
use crate::resident::ResidentGraph;
use crate::{Error, Result};
use tribin_analytics::cpu::degeneracy::h_index;
use tribin_analytics::cpu::similar::{TakePairs, TwoSteps, WantedPairs};
use tribin_cpu::cliques as cliques_cpu;
use tribin_cpu::prepare::PhaseTimes;
use tribin_gpu::analytics::cliques as cliques_gpu;
use tribin_gpu::analytics::cores as cores_gpu;
use tribin_gpu::analytics::directed as directed_gpu;
use tribin_gpu::analytics::local::{self as local_gpu, local_counts};
use tribin_gpu::analytics::support as support_gpu;
use tribin_gpu::analytics::weighted as weighted_gpu;
use tribin_gpu::device_graph::download;
use tribin_gpu::prepare::OnDevice;
use tribin_results::Similarity;

/// A graph in device memory, with the vertex of each rank.
pub struct GpuGraph<D: Accelerator> {
    pub on_device: OnDevice<D>,
    times: PhaseTimes,
    /// The graph in host memory, once it was asked for.
    host: Mutex<Option<Arc<OrientedGraph>>>,
    /// Last, so that the memory above goes back before the device does.
    pub(super) device: Arc<DrivenDevice<D>>,
}

/// A graph that a device prepared.
pub fn held<D: Accelerator>(
    device: Arc<DrivenDevice<D>>,
    on_device: OnDevice<D>,
    times: PhaseTimes,
) -> Box<dyn ResidentGraph> {
    Box::new(GpuGraph::new(device, on_device, times))
}

impl<D: Accelerator> GpuGraph<D> {
    pub fn new(
        device: Arc<DrivenDevice<D>>,
        on_device: OnDevice<D>,
        times: PhaseTimes,
    ) -> GpuGraph<D> {
        GpuGraph { device, on_device, times, host: Mutex::new(None) }
    }

    /// What a search for the numbers of single vertices or edges finds; `None` where there is no room, or where 2⁶⁰ cliques or more
    /// might not fit the sums on the way.
    fn numbers_of_cliques(
        &self,
        k: u32,
        context: &Context,
        find: impl FnOnce(&D, u64) -> Result<Option<Vec<u64>>, D::Error> + Send,
    ) -> Result<Option<Vec<u64>>> {
        context.cancel().check()?;
        let graph = &self.on_device.graph;
        self.device.driver.run(|device| {
            let into = |error: D::Error| -> Error { error.into() };
            let free = self.device.free_beside(device, held_bytes(graph))?;
            let Some(all) = cliques_gpu::count(device, graph, k, free).map_err(into)? else {
                return Ok(None);
            };
            cliques_cpu::check(all, k)?;
            context.cancel().check()?;
            if all >> 60 == 0 { find(device, free).map_err(into) } else { Ok(None) }
        })
    }
}

impl<D: Accelerator> ResidentGraph for GpuGraph<D> {
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
        let run =
            |device: &D| self.device.count(device, &self.on_device, &CountOptions::default(), None);
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

    fn cliques(&self, k: u32, context: &Context) -> Result<Option<u128>> {
        context.cancel().check()?;
        let graph = &self.on_device.graph;
        self.device.driver.run(|device| {
            let free = self.device.free_beside(device, held_bytes(graph))?;
            let found = cliques_gpu::count(device, graph, k, free);
            found.map_err(|error| -> Error { error.into() })
        })
    }

    fn cliques_at_ranks(&self, k: u32, context: &Context) -> Result<Option<Vec<u64>>> {
        let graph = &self.on_device.graph;
        self.numbers_of_cliques(k, context, |device, free| {
            cliques_gpu::at_ranks(device, graph, k, free)
        })
    }

    fn cliques_on_edges(&self, k: u32, context: &Context) -> Result<Option<Vec<u64>>> {
        let graph = &self.on_device.graph;
        self.numbers_of_cliques(k, context, |device, free| {
            cliques_gpu::on_edges(device, graph, k, free)
        })
    }

    fn similar_pairs(
        &self,
        graph: &TwoSteps,
        by: &Similarity,
        wanted: WantedPairs,
        context: &Context,
        take: &mut TakePairs<'_>,
    ) -> Result<bool> {
        similar::similar_pairs(self, graph, by, wanted, context, take)
    }

    fn triangles(&self, context: &Context) -> Result<Option<Box<dyn TriangleSource + '_>>> {
        listed::triangles(self, context)
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
