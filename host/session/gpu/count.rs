//! A count of a graph on the device.

use super::{Accelerator, DrivenDevice, held_bytes};
use crate::Result;
use crate::control::Context;
use crate::count::{EngineChoice, EngineCount, EngineSeconds};
use crate::graph::Summary;
use crate::plan::Explanation;
use crate::plan::counting::{CountShape, CountingSettings};
use tribin_gpu::counting::hybrid;
use tribin_gpu::device_graph::DeviceGraph;
use tribin_gpu::methods::MethodCount;
use tribin_gpu::prepare::{OnDevice, STEP};

impl<D: Accelerator> DrivenDevice<D> {
    /// The count of an oriented graph by the method that `name` calls, with all around it. `count` counts in the bytes that are free beside
    /// the graph.
    pub fn counted(
        &self,
        (device, ready): (&D, &OnDevice<D>),
        name: &'static str,
        context: &Context,
        count: impl FnOnce(&DeviceGraph<D>, u64) -> Result<(MethodCount, Explanation)>,
    ) -> Result<EngineCount> {
        context.cancel().check()?;
        let free = self.free_beside(device, held_bytes(&ready.graph))?;
        let (mut explanation, held) = self.explain_preparation(ready);
        let (counted, explained) = count(&ready.graph, free)?;
        context.work().add(STEP);
        explanation.extend_beside(held, explained);
        explanation.peak_bytes = device.take_peak_memory()?;
        Ok(engine_count(&counted, ready.figures, ready.seconds, explanation, name))
    }
}

/// Counts by the method that an engine names, or that the plan chooses within `free` bytes beside the graph. What the named one takes
/// is explained where that is wanted.
pub(crate) fn count_narrow<D: Accelerator>(
    device: &D,
    graph: &DeviceGraph<D>,
    (engine, explains): (EngineChoice, bool),
    free: u64,
) -> Result<(MethodCount, Explanation)> {
    let counted = match engine {
        EngineChoice::Forward => {
            let explained = explains.then_some((CountShape::RATES, 0));
            hybrid::count_by(device, graph, &CountShape::default(), explained)
        }
        _ => hybrid::count_within(device, graph, &CountingSettings::MEASURED, free)
            .map(|(count, explained)| (count.counted, explained)),
    };
    counted.map_err(|error: D::Error| error.into())
}

/// The count of a graph that was prepared in these seconds.
pub(crate) fn engine_count(
    counted: &MethodCount,
    summary: Summary,
    seconds: EngineSeconds,
    explanation: Explanation,
    method: &'static str,
) -> EngineCount {
    EngineCount {
        triangles: counted.triangles,
        summary,
        seconds: EngineSeconds {
            orient: seconds.orient + counted.build,
            count: counted.count,
            ..seconds
        },
        method: Some(method),
        explanation,
        ..EngineCount::default()
    }
}
