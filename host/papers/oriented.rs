//! What engines share that count the triangles of an oriented graph, where its edges lie on a GPU.

use std::sync::Arc;

use tribin_base::{Context, Result};
use tribin_count::{CountOptions, EngineCount, On};
use tribin_gpu::counting::hybrid;
use tribin_gpu::methods::Method;
use tribin_gpu::plan::Task;
use tribin_gpu::plan::method_time::Rates;
use tribin_gpu::prepare::directions;
use tribin_graph::Graph;
use tribin_session::gpu::{Accelerator, DrivenDevice, PreparedPlace, first_decisions};
use tribin_session::{Engine, Foreseen};

/// A method, and what is predicted of it.
pub(super) trait Predicted: Method {
    /// The rates that predict the time of the method.
    const RATES: Rates;

    /// Bytes of device memory that it takes beside a graph of these sizes, at most.
    fn bytes(&self, edges: u64, ranks: u64) -> u64;
}

/// An engine that prepares a graph as the engine `hybrid` does, and counts it by one method.
pub(super) struct OnOriented<D: Accelerator, M> {
    gpu: Arc<DrivenDevice<D>>,
    name: &'static str,
    /// The method for a graph with this many ranks.
    method: fn(u64) -> M,
}

impl<D: Accelerator, M: Predicted> OnOriented<D, M> {
    /// The engine `name`, which counts by what `method` makes for a number of ranks.
    pub fn new(gpu: Arc<DrivenDevice<D>>, name: &'static str, method: fn(u64) -> M) -> Self {
        OnOriented { gpu, name, method }
    }
}

impl<D: Accelerator, M: Predicted> Engine for OnOriented<D, M> {
    fn name(&self) -> &str {
        self.name
    }

    fn device(&self) -> String {
        self.gpu.label.clone()
    }

    fn device_name(&self) -> String {
        self.gpu.name.clone()
    }

    fn on(&self) -> On {
        On::Gpu
    }

    fn count(
        &self,
        graph: &Graph,
        options: &CountOptions,
        context: &Context,
    ) -> Result<EngineCount> {
        let gpu = &self.gpu;
        let mut found = gpu.driver.run_beside_threads(|device, pool| {
            let ready = match gpu.prepare((device, pool), graph, Task::Count, context)? {
                PreparedPlace::OnDevice(ready) => ready,
                PreparedPlace::OnHost(too_large) => return Err(gpu.refuse(graph, &too_large)),
            };
            let ranks = ready.graph.rows.len() / 2;
            let method = (self.method)(ranks);
            let bytes = method.bytes(ready.graph.edges, ranks);
            gpu.fits(device, &ready.graph, bytes)?;
            let explained = options.explain.then_some((M::RATES, bytes));
            gpu.counted((device, &ready), self.name, context, |graph, _| {
                hybrid::count_by(device, graph, &method, explained).map_err(Into::into)
            })
        })?;
        directions::tell(graph.edges(), &mut found.summary);
        Ok(found)
    }

    fn foresee(&self, entries: u64, vertices: u64, _: &CountOptions) -> Result<Foreseen> {
        let beside = (self.method)(vertices).bytes(entries, vertices);
        let memory = self.gpu.memory_beside(entries, vertices, |_, _| beside)?;
        let decisions = first_decisions(entries, vertices, memory.free);
        Ok(Foreseen { decisions, memory: Some(memory) })
    }
}
