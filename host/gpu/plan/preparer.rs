//! Who prepares a graph that a GPU is to count. The CPU does where the GPU has no room for the sort.

use super::memory::{MAX_ENTRIES, MemoryPlan};
use tribin_plan::reason::{Chosen, Reason, Rules};

/// The question that [`preparer`] answers.
pub const WHO_PREPARES: &str = "who prepares the graph";

/// Who prepares a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preparer {
    /// The GPU, from the entries as they came.
    Device,
    /// The CPU: the GPU gets the oriented graph alone, which takes half the memory (paper 004, section
    /// III-D6, which leaves the sort to the GPU).
    Host,
}

/// Bytes of device memory beside a graph.
#[derive(Debug, Clone, Copy, Default)]
pub struct BesideGraph {
    /// The vertices of the ranks, which stay.
    pub kept: u64,
    /// What is found.
    pub results: u64,
}

/// Chooses who prepares `entries` entries between vertices below `vertices`, with `free` bytes of device memory. O(1).
pub fn preparer(entries: u64, vertices: u64, beside: BesideGraph, free: u64) -> Chosen<Preparer> {
    let BesideGraph { kept, results } = beside;
    let plan = MemoryPlan::new(entries, vertices);
    let needed = plan.peak().max(plan.count + results) + kept;
    let because = vec![
        Reason::whole_at_most(entries, "entries", MAX_ENTRIES),
        Reason::whole_at_most(needed, "bytes of device memory", free),
    ];
    Rules::unbounded().rule("the GPU", Preparer::Device, 0, because).or("the CPU", Preparer::Host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_prepares_what_fits_it() {
        let needed = MemoryPlan::new(1_000, 100).peak();
        // All entries at once, for which the vertices of the ranks have no room.
        for (entries, kept, free, expected) in [
            (1_000, 0, needed, Preparer::Device),
            (1_000, 0, needed - 1, Preparer::Host),
            (1_000, 400, needed + 400, Preparer::Device),
            (1_000, 400, needed + 399, Preparer::Host),
            (MAX_ENTRIES, 0, u64::MAX, Preparer::Device),
            (MAX_ENTRIES + 1, 0, u64::MAX, Preparer::Host),
        ] {
            let chosen = preparer(entries, 100, BesideGraph { kept, results: 0 }, free).choice;
            assert_eq!(chosen, expected, "{entries} {kept} {free}");
        }
        // The graph and what is found beside it, where that is more than the sort takes.
        let graph = MemoryPlan::new(1_000, 100).count;
        let beside = |results| BesideGraph { kept: 400, results };
        let chosen = |results, free| preparer(1_000, 100, beside(results), free).choice;
        assert_eq!(chosen(needed - graph, needed + 400), Preparer::Device);
        assert_eq!(chosen(needed - graph + 1, needed + 400), Preparer::Host);
        assert_eq!(chosen(needed - graph + 1, needed + 401), Preparer::Device);
        let why = preparer(1_000, 100, BesideGraph::default(), 7).rejected;
        let why: Vec<_> = why.iter().map(|rejected| rejected.because[0].to_string()).collect();
        assert_eq!(why[0], format!("{needed} bytes of device memory, at most 7"));
    }
}
