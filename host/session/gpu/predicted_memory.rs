//! Bytes of device memory that work is predicted to take, before the graph is known.

use super::{Accelerator, DrivenDevice};
use crate::Result;
use crate::control::Phase;
use crate::count::{CountOptions, EngineChoice};
use crate::plan::Task;
use crate::plan::counting::{CountingSettings, most_bytes};
use crate::plan::memory::{MAX_ENTRIES, MemoryPlan};
use crate::plan::row_parts::{RowCounts, RowPartFacts, RowParts};
use crate::plan::{BesideGraph, Decision, DeviceMemory, PhaseMemory, WHO_PREPARES, preparer};
use tribin_gpu::analytics::local as local_gpu;
use tribin_gpu::analytics::support as support_gpu;

/// Bytes beside a graph that is kept for many results: the vertices of its ranks, and what the largest result takes.
pub fn beside_graph(edges: u64, bound: u64) -> BesideGraph {
    let support = support_gpu::memory_needed_to_merge(edges);
    BesideGraph { kept: 4 * bound, results: support + local_gpu::memory_needed(bound) }
}

/// The parts that a graph would be counted in, foreseen before it is prepared. `None` for one that fits the device.
///
/// All its entries are taken for edges, and its longest row is as long as a row can be in the order of degrees.
fn predicted_parts(entries: u64, vertices: u64, free: u64) -> Option<RowParts> {
    let whole = MemoryPlan::prepared(entries, vertices).peak();
    if entries <= MAX_ENTRIES && whole <= free {
        return None;
    }
    let longest_row = (2 * u128::from(entries)).isqrt() as u64;
    let facts = RowPartFacts {
        task: Task::Count,
        ranks: vertices,
        edges: entries,
        unit: RowCounts { rows: 1, edges: longest_row },
        whole,
        free,
        piece_on_host: u64::MAX,
    };
    RowParts::new(&facts).ok()
}

/// The decisions that are made before a graph of this size is prepared on one device with `free` bytes.
pub fn first_decisions(entries: u64, vertices: u64, free: u64) -> Vec<Decision> {
    let placed = preparer(entries, vertices, BesideGraph::default(), free);
    let parts = predicted_parts(entries, vertices, free);
    let parts = parts.map(|sizes| sizes.decision(sizes.parts()));
    [placed.decision(WHO_PREPARES)].into_iter().chain(parts).collect()
}

impl<D: Accelerator> DrivenDevice<D> {
    /// Bytes that may be used, and those that each phase of a count takes.
    pub(crate) fn predicted_memory(
        &self,
        entries: u64,
        vertices: u64,
        options: &CountOptions,
    ) -> Result<DeviceMemory> {
        let free = self.driver.run(|device| self.free_beside(device, 0))?;
        if let Some(parts) = predicted_parts(entries, vertices, free) {
            return Ok(memory_of_phases(free, [0, 0, 0, parts.bytes()]));
        }
        self.memory_beside(entries, vertices, |graph, free| {
            let most = most_bytes(entries, vertices, &CountingSettings::MEASURED);
            let is_taken = options.engine != EngineChoice::Forward && graph + most <= free;
            if is_taken { most } else { 0 }
        })
    }

    /// Bytes that may be used, and those that each phase of a count of a whole graph takes. `beside` says what a method takes beside the
    /// graph, of its bytes and the free ones.
    pub fn memory_beside(
        &self,
        entries: u64,
        vertices: u64,
        beside: impl FnOnce(u64, u64) -> u64,
    ) -> Result<DeviceMemory> {
        let free = self.driver.run(|device| self.free_beside(device, 0))?;
        let at_once = MemoryPlan::new(entries, vertices);
        let plan = match entries <= MAX_ENTRIES && at_once.peak() <= free {
            true => at_once,
            false => MemoryPlan::prepared(entries, vertices),
        };
        let count = plan.count + beside(plan.count, free);
        Ok(memory_of_phases(free, [plan.upload, plan.orient, plan.clean, count]))
    }
}

/// Bytes of the phases upload, orient, clean and count.
pub fn memory_of_phases(free: u64, phases: [u64; 4]) -> DeviceMemory {
    let names = [Phase::Upload, Phase::Orient, Phase::Clean, Phase::Count];
    let phases = names.iter().zip(phases);
    let phases = phases.map(|(phase, bytes)| PhaseMemory { phase: phase.name(), bytes }).collect();
    DeviceMemory { free, phases }
}
