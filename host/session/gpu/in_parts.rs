//! What is found of a graph in host memory with a part of its rows on the device at a time.

use super::prepare::TooLarge;
use super::{Accelerator, DrivenDevice};
use crate::control::Context;
use crate::plan::Task;
use crate::plan::memory::{MAX_ENTRIES, MemoryPlan};
use crate::plan::row_parts::{RowCounts, RowPartFacts, RowParts};
use crate::{Error, Graph, Message, Result, hint};
use tribin_gpu::parts;
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
        let RowCounts { rows: ranks, edges } = rows.before(rows.units());
        let whole = MemoryPlan::prepared(edges, ranks).peak();
        self.driver.run_beside_threads(|device, pool| {
            device.take_peak_memory()?;
            let free = self.free_beside(device, 0)?;
            let unit = pool.install(|| rows.largest_unit());
            let facts = RowPartFacts { task, ranks, edges, unit, whole, free, piece_on_host };
            let sizes = RowParts::new(&facts).map_err(|needed| self.too_large(needed, free))?;
            let mut found = parts::find((device, pool), rows, on_edges, &sizes, context)?;
            found.peak_bytes = device.take_peak_memory()?;
            Ok(found)
        })
    }
}

impl<D: Accelerator> DrivenDevice<D> {
    /// The error for a graph in host memory that does not fit the device.
    pub fn refuse(&self, graph: &Graph, too_large: &TooLarge) -> Error {
        let edges = too_large.prepared.figures.edges;
        if edges <= MAX_ENTRIES {
            return self.too_large(too_large.needed, too_large.free);
        }
        let message = Message::from(format!(
            "{edges} edges are more than the {MAX_ENTRIES} that the GPU engine takes"
        ));
        Error::Input { file: graph.name().to_owned(), message: message.with_hint(hint::CPU) }
    }
}
