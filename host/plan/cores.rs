//! Whether a GPU finds core numbers, or the CPU, where there is no memory for it.

use super::reason::{Chosen, Rules};

/// The finder of core numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CorePeeler {
    /// The GPU.
    Gpu,
    /// The CPU, which needs no memory of the GPU.
    Host,
}

/// Chooses who finds the core numbers of a graph where a GPU takes `needed` bytes for that, and has `free` bytes of device memory beside
/// the graph. O(1).
pub fn core_peeler(needed: u64, free: u64) -> Chosen<CorePeeler> {
    Rules::within(free)
        .rule("the GPU", CorePeeler::Gpu, needed, Vec::new())
        .or("the CPU", CorePeeler::Host)
}
