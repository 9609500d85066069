//! A count by radix binning, from the entries on.

use tribin_device::launch::{Buffer, Device, Metered};

use super::{Accelerator, DrivenDevice, method_name};
use crate::control::Phase;
use crate::count::{CountOptions, EngineChoice, EngineCount, EngineSeconds};
use crate::plan::{Explanation, time};
use crate::{Error, Graph, Hint, Message, Result};
use tribin_gpu::counting::radix;
use tribin_gpu::methods::radix_binning::{
    self, Options as RadixOptions, Orientation, RadixCount, RadixMemory,
};
use tribin_gpu::prepare::upload::upload_entries;

pub(super) fn orientation(options: &CountOptions) -> Orientation {
    options.orientation.unwrap_or(Orientation::Degree)
}

impl<D: Accelerator> DrivenDevice<D> {
    /// Bytes that radix binning may use.
    pub(super) fn free_for_radix(&self, device: &D) -> Result<u64> {
        let free = device.free_memory()?;
        Ok(self.memory_limit.unwrap_or(free / 4 * 3).min(free))
    }

    pub(super) fn count_by_radix(
        &self,
        graph: &Graph,
        orientation: Orientation,
    ) -> Result<EngineCount> {
        let (entries, bound) = (graph.edges().len() as u64, graph.vertex_bound() as u64);
        let most = radix_binning::most_entries(orientation);
        if entries > most {
            return Err(Error::Input {
                file: graph.name().to_owned(),
                message: Message::from(format!(
                    "{entries} edge entries are more than the {most} that the radix engine takes"
                ))
                .with_hint(Hint::AutoEngine),
            });
        }
        let options = RadixOptions::of(orientation);
        let usable = self.driver.run(|device| self.free_for_radix(device))?;
        let plan = RadixMemory::new(entries, bound, &options);
        if plan.peak() > usable {
            return Err(self.too_large(plan.peak(), usable));
        }
        let options = RadixOptions { memory: usable - plan.graph, ..options };
        let count = |device: &D| {
            device.take_peak_memory()?;
            let metered = &Metered::new(device);
            let counted = (|| {
                let start = metered.record()?;
                let mut edges = Buffer::uninitialized(metered, entries)?;
                upload_entries(metered, graph.edges(), bound, &mut edges, |_, _| Ok(()))?;
                let uploaded = metered.record()?;
                let count = radix::count_uploaded(metered, edges, bound, &options)?;
                Ok((count, metered.seconds_between(&start, &uploaded)?))
            })();
            let (count, upload) = counted.map_err(|error: D::Error| -> Error { error.into() })?;
            Ok::<_, Error>((count, upload, device.take_peak_memory()?))
        };
        let (count, upload, peak_bytes) = self.driver.run(count)?;
        let seconds = EngineSeconds {
            upload,
            orient: count.seconds.orient,
            clean: count.seconds.clean,
            count: count.seconds.candidates + count.seconds.intersect,
        };
        let explanation = Explanation {
            peak_bytes,
            ..explain_radix(&count, &seconds, (entries, bound), &options)
        };
        Ok(EngineCount {
            triangles: count.triangles,
            summary: count.figures,
            seconds,
            figures: count.reported(),
            method: Some(method_name(EngineChoice::Radix)),
            ran_on: None,
            explanation,
        })
    }
}

/// The decision and the steps of radix binning for `entries` entries between vertices below `bound`.
fn explain_radix(
    count: &RadixCount,
    seconds: &EngineSeconds,
    (entries, bound): (u64, u64),
    options: &RadixOptions,
) -> Explanation {
    let memory = RadixMemory::new(entries, bound, options);
    let batches = RadixMemory::batches(count.edges, count.candidates, bound, options);
    let decisions = vec![batches.decision("batches of candidates")];
    let mut explanation = Explanation { decisions, ..Explanation::default() };
    let upload = (time::upload(8 * entries), Some(memory.upload));
    explanation.step(Phase::Upload.name(), upload, seconds.upload);
    explanation.step(
        Phase::Orient.name(),
        (time::orient(entries), Some(memory.orient)),
        seconds.orient,
    );
    explanation.step(
        Phase::Clean.name(),
        (time::clean(entries), Some(memory.clean)),
        seconds.clean,
    );
    let counting = time::radix(count.edges, count.candidates, count.batches);
    let bytes = memory.graph + batches.bytes;
    explanation.step(Phase::Count.name(), (counting, Some(bytes)), seconds.count);
    explanation
}
