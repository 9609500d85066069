//! How many bytes of device memory the preparation takes.

use serde::Serialize;
use tribin_kernels::radix_sort::{DIGITS, TILE};

use super::preparation::Order;

/// Bytes of device memory that a sort of `n` 64-bit keys takes for itself, beside the two buffers of keys.
pub fn sort_scratch_bytes(n: u64) -> u64 {
    n.div_ceil(u64::from(TILE)) * u64::from(DIGITS) * 8
}

/// Most edge entries that a GPU prepares: places are 32-bit numbers.
pub const MAX_ENTRIES: u64 = u32::MAX as u64;

/// Bytes for counts, words and tickets of a few kilobytes each.
const REST: u64 = 1 << 20;

/// Bytes of device memory that each phase takes at its peak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryPlan {
    /// The entries as they come, and degrees.
    pub upload: u64,
    /// Entries and keys; degrees, ranks, and the sort of the vertices.
    pub orient: u64,
    /// Two buffers of keys and the sort's words, then one of keys and the graph.
    pub clean: u64,
    /// The graph.
    pub count: u64,
}

impl MemoryPlan {
    /// The plan for `entries` edge entries between vertices below `bound`.
    pub fn new(entries: u64, bound: u64) -> Self {
        let sort = sort_scratch_bytes;
        MemoryPlan {
            upload: 8 * entries + 4 * bound + REST,
            orient: 8 * entries + (8 * entries + 20 * bound).max(20 * bound + sort(bound)) + REST,
            clean: (16 * entries + sort(entries) + 4 * bound).max(16 * entries + 12 * bound) + REST,
            count: 8 * entries + 12 * bound + REST,
        }
    }

    /// The plan for entries whose vertices are ranked in this order: less than [`new`](Self::new) where no vertex
    /// has to be looked up.
    pub fn for_order(entries: u64, bound: u64, order: Order) -> Self {
        let plan = MemoryPlan::new(entries, bound);
        match order {
            Order::Degrees | Order::Neighbourhoods => plan,
            // Entries, keys and degrees.
            Order::Ids => MemoryPlan { orient: 16 * entries + 4 * bound + REST, ..plan },
            // Entries, rows, and degrees twice; no keys.
            Order::AsTheyAre => {
                let clean = 16 * entries + 16 * bound + REST;
                MemoryPlan { orient: plan.upload, clean, ..plan }
            }
        }
    }

    /// The plan for a graph that the CPU prepared, of at most `edges` edges: the graph alone.
    pub fn prepared(edges: u64, bound: u64) -> Self {
        let graph = MemoryPlan::new(edges, bound).count;
        MemoryPlan { upload: graph, orient: 0, clean: 0, count: graph }
    }

    /// What the largest phase takes.
    pub fn peak(&self) -> u64 {
        self.upload.max(self.orient).max(self.clean).max(self.count)
    }
}

/// Bytes of host memory at the peak of a count on the CPU, predicted.
///
/// The peak is where entries, grouped words and sorted rows are there together: 20 bytes an entry, or 16 where
/// all are duplicates. Numbering ids of 64 bits takes more for a while.
pub fn on_host(entries: u64, vertices: u64, is_numbered: bool, threads: usize) -> HostMemory {
    let beside = HOST_REST + threads as u64 * HOST_THREAD;
    let prepare = |entry: u64| entry * entries + 28 * vertices;
    let numbered = if is_numbered { 32 * entries + 24 * vertices } else { 0 };
    HostMemory {
        least: prepare(16).max(numbered / 4 * 3) + beside / 2,
        most: prepare(20).max(numbered) + beside,
    }
}

/// Bytes of the program, and of the buffers that reading shares.
const HOST_REST: u64 = 16 << 20;

/// Bytes of a thread's stack, buffers and bitmaps.
const HOST_THREAD: u64 = 4 << 20;

/// Predicted host memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct HostMemory {
    /// Bytes that it takes at least.
    pub least: u64,
    /// Bytes that it takes at most.
    pub most: u64,
}

impl HostMemory {
    /// The same if the entries may be a share of `error` fewer or more.
    pub(crate) fn widened(self, error: f64) -> HostMemory {
        HostMemory {
            least: (self.least as f64 * (1.0 - error).max(0.0)) as u64,
            most: (self.most as f64 * (1.0 + error)) as u64,
        }
    }
}

/// Predicted device memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeviceMemory {
    /// Bytes that may be used: what is free, or the limit that the user set.
    pub free: u64,
    /// What each phase takes, in the order of the phases.
    pub phases: Vec<PhaseMemory>,
}

/// Device memory of one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PhaseMemory {
    /// The phase, as [`Phase::name`](crate::Phase::name) has it.
    pub phase: &'static str,
    /// Bytes at its peak.
    pub bytes: u64,
}

impl DeviceMemory {
    /// Whether every phase fits.
    pub fn fits(&self) -> bool {
        self.phases.iter().all(|phase| phase.bytes <= self.free)
    }
}
