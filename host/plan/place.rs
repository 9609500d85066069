//! Where a graph is prepared that a GPU is to count: on the GPU, or on the CPU where the GPU has no room for
//! the sort.

use super::memory::{MAX_ENTRIES, MemoryPlan};
use super::reason::{Chosen, Reason, Rule, first};

/// Where a graph is prepared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// On the GPU, from the entries as they came.
    Device,
    /// On the CPU: the GPU gets the oriented graph alone, which takes half the memory (paper 004, section
    /// III-D6, which leaves the sort to the GPU).
    Host,
}

struct Sizes {
    entries: u64,
    vertices: u64,
    kept: u64,
    results: u64,
    free: u64,
}

impl Sizes {
    fn needed(&self) -> u64 {
        let plan = MemoryPlan::new(self.entries, self.vertices);
        plan.peak().max(plan.count + self.results) + self.kept
    }
}

const RULES: [Rule<Sizes, Place>; 2] = [
    Rule {
        name: "the GPU",
        choice: |_| Place::Device,
        checks: |sizes| {
            let needed = sizes.needed();
            vec![
                Reason::whole_at_most(sizes.entries, "entries", MAX_ENTRIES),
                Reason::whole_at_most(needed, "bytes of device memory", sizes.free),
            ]
        },
        bytes: |_| 0,
    },
    Rule { name: "the CPU", choice: |_| Place::Host, checks: |_| Vec::new(), bytes: |_| 0 },
];

/// Where `entries` entries between vertices below `vertices` are prepared, with `kept` bytes for the vertices
/// of the ranks, `results` bytes for what is found beside the graph, and `free` bytes of device memory. O(1).
pub fn place(entries: u64, vertices: u64, (kept, results): (u64, u64), free: u64) -> Chosen<Place> {
    first(&RULES, &Sizes { entries, vertices, kept, results, free }, u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_prepares_what_fits_it() {
        let needed = MemoryPlan::new(1_000, 100).peak();
        for (entries, kept, free, expected) in [
            (1_000, 0, needed, Place::Device),
            (1_000, 0, needed - 1, Place::Host),
            (1_000, 400, needed + 400, Place::Device),
            (1_000, 400, needed + 399, Place::Host),
            (MAX_ENTRIES, 0, u64::MAX, Place::Device),
            (MAX_ENTRIES + 1, 0, u64::MAX, Place::Host),
        ] {
            let chosen = place(entries, 100, (kept, 0), free).choice;
            assert_eq!(chosen, expected, "{entries} {kept} {free}");
        }
        // The graph and what is found beside it, where that is more than the sort takes.
        let graph = MemoryPlan::new(1_000, 100).count;
        let chosen = |results, free| place(1_000, 100, (400, results), free).choice;
        assert_eq!(chosen(needed - graph, needed + 400), Place::Device);
        assert_eq!(chosen(needed - graph + 1, needed + 400), Place::Host);
        assert_eq!(chosen(needed - graph + 1, needed + 401), Place::Device);
        let why = &place(1_000, 100, (0, 0), 7).rejected[0].because[0];
        assert_eq!(why.to_string(), format!("{needed} bytes of device memory, at most 7"));
    }
}
