//! Trusses and cores of a graph on a device, peeled there or on the CPU.

use tribin_device::launch::Buffer;

use super::{Accelerator, GpuGraph, held_bytes, report_choice};
use crate::control::Context;
use crate::plan::cores::{CorePeeler, core_peeler};
use crate::plan::truss::{Peeler, peeler};
use crate::resident::ResidentGraph;
use crate::{Error, Result};
use tribin_analytics::cpu::truss as truss_cpu;
use tribin_gpu::analytics::support as support_gpu;
use tribin_gpu::analytics::truss::{PeelShape, peel};
use tribin_gpu::device_graph::DeviceGraph;

/// Trussness, or what the device had memory for.
pub enum TrussnessOrSupport {
    Trussness(Vec<u32>),
    /// Nothing fits that the device peels by.
    OnlySupport(Vec<u32>),
}

impl<D: Accelerator> GpuGraph<D> {
    pub(super) fn peel(&self, context: &Context) -> Result<TrussnessOrSupport> {
        context.cancel().check()?;
        let graph = &self.on_device.graph;
        if graph.edges == 0 {
            return Ok(TrussnessOrSupport::Trussness(Vec::new()));
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
    ) -> Result<TrussnessOrSupport> {
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
            return Ok(TrussnessOrSupport::OnlySupport(on_host));
        }
        context.cancel().check()?;
        let peeled =
            peel(device, graph, support, chosen.choice, PeelShape::default()).map_err(into)?;
        let trussness = support_gpu::download(device, &peeled.per_edge, graph.edges);
        Ok(TrussnessOrSupport::Trussness(trussness.map_err(into)?))
    }

    /// What `find` finds of the cores; `None` where the CPU has to find it.
    pub(super) fn peel_cores<T: Send>(
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
    pub fn trussness_of(&self, peeled: TrussnessOrSupport, context: &Context) -> Result<Vec<u32>> {
        Ok(match peeled {
            TrussnessOrSupport::Trussness(trussness) => trussness,
            TrussnessOrSupport::OnlySupport(support) => {
                let graph = self.host()?;
                truss_cpu::trussness(&graph, support, context)?
            }
        })
    }

    /// Which edges are in the k-truss, on the CPU where the device could not peel.
    pub fn k_truss_of(
        &self,
        peeled: TrussnessOrSupport,
        k: u32,
        context: &Context,
    ) -> Result<Vec<bool>> {
        Ok(match peeled {
            TrussnessOrSupport::Trussness(trussness) => {
                trussness.into_iter().map(|found| found >= k).collect()
            }
            TrussnessOrSupport::OnlySupport(support) => {
                let graph = self.host()?;
                truss_cpu::k_truss(&graph, support, k, context)?
            }
        })
    }
}
