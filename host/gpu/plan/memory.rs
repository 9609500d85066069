//! How many bytes of device memory the preparation takes.

use super::preparation::{Order, counted_at_once, counting_bytes};
use super::upload::bytes_beside;
use tribin_plan::bytes::countable;
use warpwise_primitives::radix_sort::{DIGIT_BITS, WIDE_DIGIT_BITS, scratch_bytes};

/// Bytes of device memory that a sort of `n` 64-bit keys takes for itself, beside the two buffers of keys.
pub fn sort_scratch_bytes(n: u64) -> u64 {
    scratch_bytes(n, DIGIT_BITS)
}

/// Bytes of device memory that a sort of `n` keys of edges takes for itself; these may be sorted by wide digits.
pub fn key_sort_scratch_bytes(n: u64) -> u64 {
    scratch_bytes(n, WIDE_DIGIT_BITS)
}

/// Most edge entries that a GPU prepares: places are 32-bit numbers, and so are those that the threads of a block look for past
/// the end of a row.
pub const MAX_ENTRIES: u64 = (1 << 32) - (1 << 16);

/// Bytes for counts, words and tickets of a few kilobytes each.
pub const REST: u64 = 1 << 20;

/// Bytes beside entries, and degrees of vertices below `bound`, where entries arrive or are made on the device.
fn beside(entries: u64, bound: u64) -> u64 {
    let arriving = bytes_beside(entries) + counting_bytes(bound, arriving_at_once(entries));
    arriving.max(counting_bytes(bound, entries))
}

/// Most entries that are counted at a time while others arrive: a part of them, and what comes with its last.
fn arriving_at_once(entries: u64) -> u64 {
    entries.min(2 * counted_at_once(entries))
}

/// Bytes of device memory that each phase takes at its peak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryPlan {
    /// The entries as they come, what they come by way of, and degrees.
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
        let (entries, bound) = (countable(entries), countable(bound));
        MemoryPlan {
            upload: 8 * entries + beside(entries, bound) + 4 * bound + REST,
            orient: 8 * entries + (8 * entries + 8 * bound).max(20 * bound + sort(bound)) + REST,
            clean: (16 * entries + key_sort_scratch_bytes(entries) + 4 * bound)
                .max(16 * entries + 12 * bound)
                + REST,
            count: 8 * entries + 12 * bound + REST,
        }
    }

    /// The plan for entries whose vertices are ranked in this order: less than [`new`](Self::new) where no vertex
    /// has to be looked up.
    pub fn for_order(entries: u64, bound: u64, order: Order) -> Self {
        let plan = MemoryPlan::new(entries, bound);
        let (entries, bound) = (countable(entries), countable(bound));
        match order {
            Order::Degrees | Order::MinHash | Order::HubsFirst { .. } => plan,
            // Entries, keys and degrees.
            Order::Ids => MemoryPlan { orient: 16 * entries + 4 * bound + REST, ..plan },
            // Entries, rows, and degrees twice; no keys.
            Order::AsTheyAre => {
                let clean = 16 * entries + 16 * bound + REST;
                MemoryPlan { orient: 8 * entries + 4 * bound + REST, clean, ..plan }
            }
        }
    }

    /// The plan for a graph that the CPU prepared, of at most `edges` edges: the graph alone.
    pub fn prepared(edges: u64, bound: u64) -> Self {
        let graph = MemoryPlan::new(edges, bound).count;
        MemoryPlan { upload: graph, orient: 0, clean: 0, count: graph }
    }

    /// Bytes that the largest phase takes.
    pub fn peak(&self) -> u64 {
        self.upload.max(self.orient).max(self.clean).max(self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a header says may be any number.
    #[test]
    fn no_number_of_entries_or_vertices_is_too_large() {
        const MOST: u64 = 1 << 54;
        for (entries, bound, count) in
            [(u64::MAX, 0, 8 * MOST), (0, u64::MAX, 12 * MOST), (u64::MAX, u64::MAX, 20 * MOST)]
        {
            let plan = MemoryPlan::new(entries, bound);
            assert_eq!(plan.count, count + REST);
            assert_eq!(MemoryPlan::prepared(entries, bound).upload, count + REST);
            for order in [Order::Degrees, Order::Ids, Order::AsTheyAre] {
                assert!(MemoryPlan::for_order(entries, bound, order).peak() > count);
            }
        }
    }
}
