//! How large a window of a graph with 64-bit places is.
//!
//! A window has the rows of neighbouring ranks, and is counted by the methods of smaller graphs. The larger it is, the more edges
//! of it have the same head.

use super::memory::{MAX_ENTRIES, REST};

/// Heads that can have a group, at most. A head of a higher rank has few edges.
pub const MOST_HEADS: u64 = 1 << 26;

/// Bytes for each place of a window: its tails, its heads in 16 bits, and as many heads with a group in 16 bits.
const BYTES_A_PLACE: u64 = 4 + 2 + 2;

/// Bytes of each edge that a device counts: a slot of a group, or a place in a list.
const BYTES_AN_EDGE: u64 = 8;

/// Bytes for each head that can have a group: where its row is, its edges, its cursor, and an item.
const BYTES_A_HEAD: u64 = 8 + 4 + 4 + 8;

/// Places of a window for which there has to be room, where a graph has more edges.
pub const LEAST_PLACES: u64 = 1 << 28;

/// Bytes of a graph with 64-bit places: its heads, and where its rows begin.
pub const fn wide_bytes(edges: u64, ranks: u64) -> u64 {
    4 * edges + 8 * (ranks + 1)
}

/// The facts that the size of a window goes by.
#[derive(Debug, Clone, Copy)]
pub struct WindowFacts {
    /// Edges of the graph.
    pub edges: u64,
    /// Ranks of the graph.
    pub ranks: u64,
    /// Devices that share the edges.
    pub devices: u64,
}

impl WindowFacts {
    /// Bytes of device memory beside the graph, with windows of `places` places.
    pub fn bytes(&self, places: u64) -> u64 {
        // A share is cut into ranges of whole blocks.
        let own = places / self.devices.max(1) + (1 << 16).min(places);
        let heads = self.ranks.min(MOST_HEADS);
        8 * self.ranks + BYTES_A_HEAD * heads + BYTES_A_PLACE * places + BYTES_AN_EDGE * own + REST
    }

    /// The most places of a window in `free` bytes beside the graph; `None` where there is room for none. O(1).
    pub fn places(&self, free: u64) -> Option<u64> {
        let most = self.edges.clamp(1, MAX_ENTRIES);
        // Of the sizes that halve, the largest that fits.
        std::iter::successors(Some(most), |&places| (places > 1).then_some(places / 2))
            .find(|&places| self.bytes(places) <= free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_as_many_places_as_memory_allows() {
        let facts = WindowFacts { edges: 1 << 33, ranks: 1 << 29, devices: 4 };
        assert_eq!(facts.places(u64::MAX), Some(MAX_ENTRIES));
        let half = facts.bytes(MAX_ENTRIES / 2);
        assert_eq!(facts.places(half), Some(MAX_ENTRIES / 2));
        assert_eq!(facts.places(half - 1), Some(MAX_ENTRIES / 4));
        assert_eq!(facts.places(8 << 29), None);
        // One device has all edges.
        assert!(WindowFacts { devices: 1, ..facts }.bytes(1 << 30) > facts.bytes(1 << 30));
        assert_eq!(WindowFacts { edges: 70, ..facts }.places(u64::MAX), Some(70));
    }
}
