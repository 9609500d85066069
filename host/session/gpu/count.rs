//! A count of a graph on the device.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;

use super::{Accelerator, DrivenDevice, held_bytes, method_name};
use crate::Result;
use crate::count::{CountOptions, EngineChoice, EngineCount, EngineSeconds};
use crate::engine::{SharedCount, SharedRows};
use crate::graph::Summary;
use crate::plan::Explanation;
use crate::plan::counting::{CountShape, CountingSettings};
use tribin_gpu::counting::hybrid;
use tribin_gpu::device_graph::{DeviceGraph, EdgeShare};
use tribin_gpu::methods::MethodCount;
use tribin_gpu::prepare::{GpuSeconds, OnDevice};

/// Pieces of the rows that are compared with those of other processes: the first is at the begin, and the last at the end.
const SAMPLES: u64 = 16;

/// Edges of such a piece, at most.
const SAMPLE_LENGTH: u64 = 1 << 12;

impl<D: Accelerator> DrivenDevice<D> {
    /// Counts an oriented graph by the method that `options` name, or that the plan chooses. It chooses by the bytes of
    /// memory that were `agreed` with others, where they count shares of the same graph.
    pub(super) fn count(
        &self,
        device: &D,
        ready: &OnDevice<D>,
        options: &CountOptions,
        agreed: Option<u64>,
    ) -> Result<EngineCount> {
        let name = method_name(options.engine);
        self.counted(device, ready, name, |graph, free| {
            let wanted = (options.engine, options.explain);
            count_narrow(device, graph, wanted, agreed.unwrap_or(free))
        })
    }

    /// Counts a share of a graph that other processes have too, if all have the same rows.
    pub(super) fn count_own_share(
        &self,
        device: &D,
        mut ready: OnDevice<D>,
        shared: &SharedCount<'_>,
        options: &CountOptions,
    ) -> Result<Option<EngineCount>> {
        let free = self.free_beside(device, held_bytes(&ready.graph))?;
        let hash = hash_of_rows(device, &ready).map_err(|error: D::Error| error.into())?;
        let Some(agreed) = (shared.agree)(Some(SharedRows { hash, free }))? else {
            return Ok(None);
        };
        ready.graph.share = EdgeShare { number: shared.number, of: shared.of };
        self.count(device, &ready, options, Some(agreed)).map(Some)
    }

    /// The count of an oriented graph by the method that `name` calls, with all around it. `count` counts in the bytes that are free beside
    /// the graph.
    pub fn counted(
        &self,
        device: &D,
        ready: &OnDevice<D>,
        name: &'static str,
        count: impl FnOnce(&DeviceGraph<D>, u64) -> Result<(MethodCount, Explanation)>,
    ) -> Result<EngineCount> {
        let free = self.free_beside(device, held_bytes(&ready.graph))?;
        let (mut explanation, held) = self.explain_preparation(ready);
        let (counted, explained) = count(&ready.graph, free)?;
        explanation.extend_beside(held, explained);
        explanation.peak_bytes = device.take_peak_memory()?;
        let found =
            engine_count(&counted, ready.figures, &ready.seconds, explanation, EngineChoice::Auto);
        Ok(EngineCount { method: Some(name), ..found })
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
            .map(|(count, explained)| (count.counted(), explained)),
    };
    counted.map_err(|error: D::Error| error.into())
}

/// The count of a graph that was prepared in these seconds.
pub(crate) fn engine_count(
    counted: &MethodCount,
    summary: Summary,
    seconds: &GpuSeconds,
    explanation: Explanation,
    engine: EngineChoice,
) -> EngineCount {
    EngineCount {
        triangles: counted.triangles,
        summary,
        seconds: EngineSeconds {
            upload: seconds.upload,
            clean: seconds.clean,
            orient: seconds.orient + counted.build,
            count: counted.count,
        },
        method: Some(method_name(engine)),
        explanation,
        ..EngineCount::default()
    }
}

/// A hash of what the rows of a prepared graph follow from, and of a sample of them.
///
/// Every order of the vertices ends with their ids, and rows are sorted, so that the rows follow from the entries, the order,
/// and who prepared them. The sample is for entries that differ although their figures are the same.
fn hash_of_rows<D: Accelerator>(device: &D, ready: &OnDevice<D>) -> Result<u64, D::Error> {
    let mut hasher = DefaultHasher::new();
    let Summary { edges, wedges, max_degree, .. } = ready.figures;
    (edges, wedges, max_degree).hash(&mut hasher);
    (ready.order, discriminant(&ready.preparer), ready.early).hash(&mut hasher);
    let length = edges.min(SAMPLE_LENGTH);
    let mut sample = vec![0; length as usize];
    for number in 0..SAMPLES {
        // Below 2⁶⁴: there are fewer than 2³² edges.
        let first = (edges - length) * number / (SAMPLES - 1);
        ready.graph.heads.download(device, first, &mut sample)?;
        sample.hash(&mut hasher);
    }
    Ok(hasher.finish())
}
