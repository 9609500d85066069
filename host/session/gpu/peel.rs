//! Trusses and cores of a graph on a device, peeled there.

use warpwise_device::launch::Buffer;

use super::{Accelerator, GpuGraph, held_bytes, report_choice};
use crate::control::Context;
use crate::plan::peeling::{Peeler, core_peeler, truss_peeler};
use crate::{Error, Result};
use tribin_gpu::analytics::cores as cores_gpu;
use tribin_gpu::analytics::support as support_gpu;
use tribin_gpu::analytics::truss::{PeelShape, peel};
use tribin_gpu::device_graph::DeviceGraph;

impl<D: Accelerator> GpuGraph<D> {
    /// Peels from the support of every edge on: the trussness, or that support where nothing fits that the device peels by.
    pub(super) fn peel(
        &self,
        device: &D,
        support: Buffer<u32, D>,
        context: &Context,
    ) -> Result<Result<Vec<u32>, Vec<u32>>> {
        let into = |error: D::Error| -> Error { error.into() };
        let graph = &self.on_device.graph;
        let beside = self.device.free_beside(device, held_bytes(graph))?;
        let chosen = truss_peeler(graph.edges, graph.rows.len() / 2, beside);
        report_choice(&self.device.label, "trusses are peeled by", &chosen);
        if chosen.choice == Peeler::Host {
            return support_gpu::download(device, &support, graph.edges).map(Err).map_err(into);
        }
        context.cancel().check()?;
        let peeled = peel(device, graph, support, PeelShape::default()).map_err(into)?;
        support_gpu::download(device, &peeled.per_edge, graph.edges).map(Ok).map_err(into)
    }

    /// What `find` finds of the cores; `None` where the CPU has to find it.
    pub(super) fn peel_cores<T: Send>(
        &self,
        find: impl Fn(&D, &DeviceGraph<D>) -> Result<Option<T>, D::Error> + Send + Sync,
    ) -> Result<Option<T>> {
        let graph = &self.on_device.graph;
        if graph.edges == 0 {
            return Ok(None);
        }
        self.device.driver.run(|device| {
            let free = self.device.free_beside(device, held_bytes(graph))?;
            let needed = cores_gpu::memory_needed(graph.edges, graph.rows.len() / 2);
            let chosen = core_peeler(needed, free);
            report_choice(&self.device.label, "core numbers are found by", &chosen);
            match chosen.choice {
                Peeler::Gpu => find(device, graph).map_err(|error| -> Error { error.into() }),
                Peeler::Host => Ok(None),
            }
        })
    }
}
