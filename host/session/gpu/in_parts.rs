//! What is found of a graph in host memory with a part of its rows on the device at a time.

use super::prepare::{Preparing, TooLarge};
use super::{Accelerator, DrivenDevice};
use crate::control::{Context, Phase};
use crate::count::{EngineChoice, EngineCount, EngineSeconds};
use crate::graph::Summary;
use crate::plan::Explanation;
use crate::plan::Task;
use crate::plan::memory::{MAX_ENTRIES, MemoryPlan};
use crate::{Error, Graph, Hint, Message, Result};
use tribin_cpu::prepare::{PhaseTimes, Prepared};
use tribin_parts::{EdgeNumbers, FoundInParts, PartsOnDevice, RowSource};

impl<D: Accelerator> PartsOnDevice for DrivenDevice<D> {
    fn names(&self) -> [String; 2] {
        [self.label.clone(), self.name.clone()]
    }

    fn find_in_parts(
        &self,
        rows: &dyn RowSource,
        task: Task,
        on_edges: &mut dyn EdgeNumbers,
        piece_on_host: u64,
        context: &Context,
    ) -> Result<FoundInParts> {
        let (ranks, edges) = rows.before(rows.units());
        let whole = MemoryPlan::prepared(edges, ranks).peak();
        self.driver.run_beside_threads(|device, pool| {
            device.take_peak_memory()?;
            let free = self.free_beside(device, 0)?;
            let sizes = (whole, free, piece_on_host);
            let found =
                tribin_gpu::parts::find((device, pool), rows, (task, on_edges), sizes, context);
            let mut found = found.map_err(|few| self.too_large(few.needed, few.free)).flatten()?;
            found.bytes.1 = device.take_peak_memory()?;
            Ok(found)
        })
    }
}

impl<D: Accelerator> DrivenDevice<D> {
    /// Why a graph is refused that is in host memory, and that does not fit the device.
    pub fn refuse(&self, graph: &Graph, too_large: &TooLarge) -> Error {
        let edges = too_large.prepared.figures.edges;
        if edges <= MAX_ENTRIES {
            return self.too_large(too_large.needed, too_large.free);
        }
        let message = Message::from(format!(
            "{edges} edges are more than the {MAX_ENTRIES} that the GPU engine takes"
        ));
        Error::Input { file: graph.name().to_owned(), message: message.with_hint(Hint::Cpu) }
    }

    /// Counts a graph in host memory that does not fit the device: a part of its rows is there at a time.
    pub(super) fn count_in_parts(
        &self,
        graph: &Graph,
        too_large: TooLarge,
        context: &Context,
    ) -> Result<EngineCount> {
        let TooLarge { prepared, preparing, needed, .. } = too_large;
        tracing::info!("{}: counted in parts: {needed} bytes of device memory", graph.name());
        context.phase(Phase::Count);
        let Prepared { oriented, figures, time } = &prepared;
        let found = self.find_in_parts(oriented, Task::Count, &mut (), u64::MAX, context)?;
        Ok(counted(found, *figures, *time, preparing))
    }
}

/// A count in parts of a graph in host memory.
pub(super) fn counted(
    found: FoundInParts,
    summary: Summary,
    times: PhaseTimes,
    preparing: Preparing,
) -> EngineCount {
    let decisions = vec![preparing.decision, found.decision];
    let mut explanation = Explanation { decisions, ..Explanation::default() };
    let (orient, clean) = (times.orient.as_secs_f64(), times.clean.as_secs_f64());
    explanation.step(Phase::Orient.name(), preparing.predicted, orient + clean);
    let (predicted, peak) = found.bytes;
    let counting = (found.predicted_seconds, Some(predicted));
    explanation.step(Phase::Count.name(), counting, found.seconds);
    explanation.peak_bytes = peak.max(preparing.peak_bytes);
    let seconds = EngineSeconds { orient, clean, count: found.seconds, ..EngineSeconds::default() };
    EngineCount {
        triangles: found.triangles,
        summary,
        seconds,
        method: Some(EngineChoice::Forward.name()),
        explanation,
        ..EngineCount::default()
    }
}
