//! A count of a graph on the device.

use super::{Accelerator, DrivenDevice, held_bytes, method_name};
use crate::Result;
use crate::count::{CountOptions, EngineChoice, EngineCount, EngineSeconds};
use crate::plan::Explanation;
use crate::plan::counting::{CountShape, CountingSettings};
use tribin_gpu::counting::hybrid;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::MethodCount;
use tribin_gpu::prepare::OnDevice;

impl<D: Accelerator> DrivenDevice<D> {
    /// Counts an oriented graph by the method that `options` name, or that the plan chooses.
    pub(super) fn count(
        &self,
        device: &D,
        ready: &OnDevice<D>,
        options: &CountOptions,
    ) -> Result<EngineCount> {
        let explained = options.explain.then_some((CountShape::RATES, 0));
        let name = method_name(options.engine);
        self.counted(device, ready, name, |graph, free| match options.engine {
            EngineChoice::Forward => {
                hybrid::count_by(device, graph, &CountShape::default(), explained)
            }
            _ => hybrid::count_within(device, graph, &CountingSettings::MEASURED, free)
                .map(|(count, explained)| (count.counted(), explained)),
        })
    }

    /// The count of an oriented graph by the method that `name` calls, with all around it. `count` counts in the bytes that are free beside
    /// the graph.
    pub fn counted(
        &self,
        device: &D,
        ready: &OnDevice<D>,
        name: &'static str,
        count: impl FnOnce(&DeviceGraph<D>, u64) -> Result<(MethodCount, Explanation), D::Error>,
    ) -> Result<EngineCount> {
        let free = self.free_beside(device, held_bytes(&ready.graph))?;
        let (mut explanation, held) = self.explain_preparation(ready);
        let (counted, explained) =
            count(&ready.graph, free).map_err(|error: D::Error| error.into())?;
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
            method: Some(name),
            explanation,
            ..EngineCount::default()
        })
    }
}
