//! Whether a GPU that was left to the program finds the triangles of a graph with directions or weights, or the CPU, which
//! has them.

use super::reason::{Chosen, Reason, Rule, first};

/// Least wedges of the oriented graph for each CPU thread that a GPU is asked for: a millisecond or two of its own are to be
/// made up for. With 327,818 of them (rmat14, 16 threads) an H200 took 1.9 ms for `local`, and the CPU 6.0.
pub const LEAST_WEDGES_A_THREAD: u32 = 1 << 18;

/// Who finds the triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finder {
    /// The session's device.
    Device,
    /// The CPU.
    Host,
}

/// The facts by which the device that finds triangles is chosen.
#[derive(Debug, Clone, Copy)]
pub struct FinderFacts {
    /// Whether the device was left to the program.
    pub left_open: bool,
    /// Wedges of the oriented graph.
    pub wedges: u64,
    /// CPU threads.
    pub threads: usize,
}

const RULES: [Rule<FinderFacts, Finder>; 3] = [
    Rule {
        name: "the device that was named",
        choice: |_| Finder::Device,
        checks: |facts| {
            let text =
                if facts.left_open { "the device was left open" } else { "the device was named" };
            vec![Reason::new(!facts.left_open, text)]
        },
        bytes: |_| 0,
    },
    Rule {
        name: "the GPU",
        choice: |_| Finder::Device,
        checks: |facts| {
            let what = "wedges a CPU thread";
            let threads = facts.threads.max(1) as u64;
            vec![Reason::at_least(facts.wedges, threads, what, LEAST_WEDGES_A_THREAD)]
        },
        bytes: |_| 0,
    },
    Rule { name: "the CPU", choice: |_| Finder::Host, checks: |_| Vec::new(), bytes: |_| 0 },
];

/// Who finds the triangles in a session with a GPU. O(1).
///
/// Memory is no matter here: a device that has too little of it fails, and the session's rule for that holds.
pub fn finder(facts: &FinderFacts) -> Chosen<Finder> {
    first(&RULES, facts, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_is_asked_where_it_was_named_or_pays() {
        let least = u64::from(LEAST_WEDGES_A_THREAD);
        for (left_open, wedges, threads, expected) in [
            (false, 0, 16, Finder::Device),
            (true, 0, 1, Finder::Host),
            (true, least - 1, 1, Finder::Host),
            (true, least, 1, Finder::Device),
            (true, least, 0, Finder::Device),
            (true, 16 * least - 1, 16, Finder::Host),
            (true, 16 * least, 16, Finder::Device),
            (true, u64::MAX, 1 << 20, Finder::Device),
        ] {
            let chosen = finder(&FinderFacts { left_open, wedges, threads });
            assert_eq!(chosen.choice, expected, "{left_open} {wedges} {threads}");
        }
    }

    #[test]
    fn a_choice_says_why() {
        let chosen = finder(&FinderFacts { left_open: true, wedges: 1_000, threads: 2 });
        assert_eq!(chosen.name, "the CPU");
        let because: Vec<_> =
            chosen.rejected.iter().map(|rejected| rejected.because[0].to_string()).collect();
        assert_eq!(
            because,
            ["the device was left open", "500.0 wedges a CPU thread, at least 262144"]
        );
    }
}
