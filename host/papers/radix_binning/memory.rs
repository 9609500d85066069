//! How much device memory a graph takes, beside what the budget gives to the batches.

use super::{Orientation, RadixOptions, RadixPlan};
use tribin_gpu::plan::{Chosen, Reason, countable, memory};
use tribin_graph::rank_bits;

/// Bytes of device memory that each phase takes at its peak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RadixMemory {
    /// Bytes of the entries as they come.
    pub upload: u64,
    /// Bytes of entries and keys.
    pub orient: u64,
    /// Two buffers of keys and the sort's words, then one of keys and the graph.
    pub clean: u64,
    /// The graph and its wedges, while candidates are made and intersected.
    pub graph: u64,
    /// The least that a batch takes beside the graph.
    pub least_batch: u64,
}

impl RadixMemory {
    /// The plan for `entries` edge entries between vertices below `bound`; `options.memory` is not
    /// looked at.
    pub fn new(entries: u64, bound: u64, options: &RadixOptions) -> Self {
        let (entries, bound) = (countable(entries), countable(bound));
        let edges = match options.orientation {
            Orientation::Degree => entries,
            Orientation::None => 2 * entries,
        };
        let pipeline = memory::MemoryPlan::new(edges, bound);
        RadixMemory {
            upload: memory::MemoryPlan::new(entries, bound).upload,
            // Without orientation, the entries stand beside twice as many keys.
            orient: pipeline.orient,
            clean: pipeline.clean,
            graph: pipeline.count + 8 * bound,
            least_batch: RadixPlan::least(edges, rank_bits(bound) * 2, options).bytes,
        }
    }

    /// How the candidates are cut into batches in `free` bytes beside the graph, and what a batch takes.
    pub fn batches(
        edges: u64,
        candidates: u64,
        bound: u64,
        options: &RadixOptions,
    ) -> Chosen<Option<RadixPlan>> {
        let free = options.memory;
        let plan = (candidates > 0)
            .then(|| RadixPlan::new(edges, candidates, rank_bits(bound) * 2, options));
        let (name, because) = match &plan {
            None => ("no batch", vec![Reason::whole_at_most(candidates, "candidates", 0)]),
            Some(plan) if plan.batch < candidates => {
                let all = RadixPlan::new(
                    edges,
                    candidates,
                    rank_bits(bound) * 2,
                    &RadixOptions { memory: u64::MAX, ..*options },
                );
                let reason =
                    Reason::whole_at_most(all.bytes, "bytes for all candidates at once", free);
                ("several batches", vec![reason.decided()])
            }
            Some(plan) => {
                let what = "bytes for all candidates at once";
                ("one batch", vec![Reason::whole_at_most(plan.bytes, what, free)])
            }
        };
        let bytes = plan.as_ref().map_or(0, |plan| plan.bytes);
        Chosen { choice: plan, name, because, rejected: vec![], bytes }
    }

    /// Bytes that the largest phase takes with the smallest batches.
    pub fn peak(&self) -> u64 {
        self.upload.max(self.orient).max(self.clean).max(self.graph + self.least_batch)
    }
}
