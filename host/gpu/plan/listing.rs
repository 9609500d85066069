//! How many triangles a GPU lists at a time, or that the CPU lists them, where there is no memory for it.

use tribin_kernels::triangle_chunks::{CORNERS, TILE};
use tribin_plan::bytes::ROUNDING;
use tribin_plan::reason::{Chosen, Reason, Rules};

/// Triangles that are written at a time, at most: 50 MB. As many are handed over at once.
pub const MOST_AT_A_TIME: u64 = 1 << 22;

/// Triangles that are written at a time, at least: fewer keep no GPU busy.
pub const LEAST_AT_A_TIME: u64 = 1 << 14;

/// Bytes of a triangle.
const TRIANGLE_BYTES: u64 = CORNERS * 4;

/// The lister of the triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lister {
    /// The GPU, a chunk at a time.
    Gpu {
        /// Triangles of a chunk.
        at_a_time: u64,
    },
    /// The CPU, which needs no memory of the GPU.
    Host,
}

/// Bytes that listing takes beside a graph of `edges` edges, with `at_a_time` triangles in a chunk.
pub fn listing_bytes(edges: u64, at_a_time: u64) -> u64 {
    beside_chunk(edges) + TRIANGLE_BYTES * at_a_time
}

/// The count of each tile, where its triangles begin, and the scan.
fn beside_chunk(edges: u64) -> u64 {
    let tiles = edges.div_ceil(u64::from(TILE));
    12 * tiles + tiles / 128 + ROUNDING
}

/// Chooses who lists the triangles of a graph with `free` bytes of device memory beside it. O(1).
pub fn lister(edges: u64, free: u64) -> Chosen<Lister> {
    let fit = free.saturating_sub(beside_chunk(edges)) / TRIANGLE_BYTES;
    let enough = Reason::whole_at_least(fit, "triangles at a time fit", LEAST_AT_A_TIME);
    let at_a_time = fit.clamp(LEAST_AT_A_TIME, MOST_AT_A_TIME);
    Rules::within(free)
        .rule("the GPU", Lister::Gpu { at_a_time }, listing_bytes(edges, at_a_time), vec![enough])
        .or("the CPU", Lister::Host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_as_large_as_memory_lets_them_be() {
        let edges = 1_000_000;
        let most = listing_bytes(edges, MOST_AT_A_TIME);
        let least = listing_bytes(edges, LEAST_AT_A_TIME);
        for (free, expected) in [
            (u64::MAX, Lister::Gpu { at_a_time: MOST_AT_A_TIME }),
            (most, Lister::Gpu { at_a_time: MOST_AT_A_TIME }),
            (most - 1, Lister::Gpu { at_a_time: MOST_AT_A_TIME - 1 }),
            (least, Lister::Gpu { at_a_time: LEAST_AT_A_TIME }),
            (least - 1, Lister::Host),
            (0, Lister::Host),
        ] {
            let chosen = lister(edges, free);
            assert_eq!(chosen.choice, expected, "{free}");
            assert!(chosen.bytes <= free, "{free}");
        }
    }

    #[test]
    fn a_choice_says_what_spoke_against_others() {
        let chosen = lister(32, 0);
        assert_eq!(chosen.name, "the CPU");
        let because = &chosen.rejected[0].because[0];
        assert_eq!(because.to_string(), "0 triangles at a time fit, at least 16384");
    }
}
