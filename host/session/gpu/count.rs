//! A count of a graph on the device.

use super::{Accelerator, DrivenDevice, held_bytes, method_name};
use crate::Result;
use crate::count::{CountOptions, EngineCount, EngineSeconds};
use crate::plan::counting::CountingSettings;
use tribin_gpu::counting::hybrid;
use tribin_gpu::prepare::OnDevice;

impl<D: Accelerator> DrivenDevice<D> {
    /// Counts an oriented graph by the method that `options` name, or that the plan chooses.
    pub(super) fn count(
        &self,
        device: &D,
        ready: &OnDevice<D>,
        options: &CountOptions,
    ) -> Result<EngineCount> {
        let graph = &ready.graph;
        let ranks = graph.rows.len() / 2;
        let held = held_bytes(graph);
        let free = self.free_beside(device, held)?;
        let method = tribin_gpu::counting::in_place(options.engine, ranks);
        let beside = method.map_or(0, |method| method.bytes(graph.edges, ranks));
        if beside > free {
            return Err(self.too_large(held + beside, held + free));
        }
        let (mut explanation, held) = self.explain_preparation(ready);
        let (counted, explained) = match method {
            Some(method) => hybrid::count_by(device, graph, method, options.explain),
            None => hybrid::count_within(device, graph, &CountingSettings::MEASURED, free)
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
            figures: Vec::new(),
            method: Some(method_name(options.engine)),
            ran_on: None,
            explanation,
        })
    }
}
