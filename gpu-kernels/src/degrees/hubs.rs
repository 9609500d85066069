//! Vertices that many of the edges have, counted in a block's own memory.

use warpwise_device::memory::{In, InOut};
use warpwise_device::shared::{Layout, Place, Shared};
use warpwise_device::thread;

/// Edges that a block looks at before it counts, to find vertices that many edges have.
const SAMPLE: u32 = 1_024;

/// Fewest edges with which it does.
const LEAST_SAMPLED: u64 = 4 * SAMPLE as u64;

/// Such vertices are at this many of the 2,048 ends of the sampled edges, at least.
const LEAST_ENDS: u32 = 8;

/// Counters that a block has for such vertices.
const SLOTS: u32 = 1_024;

/// What stands for no vertex.
const NONE: u32 = u32::MAX;

/// Where a block has its counters.
#[derive(Clone, Copy)]
pub(super) struct Hubs {
    vertices: Place<u32>,
    counts: Place<u32>,
    found: Place<u32>,
}

impl Hubs {
    /// The layout with the counters behind what it has.
    pub const fn behind(layout: Layout) -> (Layout, Hubs) {
        let (layout, vertices) = layout.array(SLOTS);
        let (layout, counts) = layout.array(SLOTS);
        let (layout, found) = layout.array(1);
        (layout, Hubs { vertices, counts, found })
    }

    /// Which of the edges from place `first` to before `m` have hubs. The whole block calls it. Contains barriers.
    #[inline(always)]
    pub fn find(self, edges: In<u64>, first: u64, m: u64) -> HubCounts {
        let (vertices, counts, found) =
            (self.vertices.here(), self.counts.here(), self.found.here());
        let thread = thread::thread_idx_x();
        let threads = thread::block_dim_x();
        for slot in thread::strided(thread..SLOTS, threads) {
            vertices.set(slot, NONE);
            counts.set(slot, 0);
        }
        if thread == 0 {
            found.set(0, 0);
        }
        thread::sync_threads();
        let own = m - first;
        let begin = if own >= LEAST_SAMPLED { thread } else { SAMPLE };
        for sampled in thread::strided(begin..SAMPLE, threads) {
            // Below 2⁴² for m < 2³².
            let edge = edges.get(first + u64::from(sampled) * own / u64::from(SAMPLE));
            for end in 0..2 {
                let vertex = (edge >> (32 * end)) as u32;
                let slot = slot_of(vertex);
                let before = vertices.atomic_compare_exchange(slot, NONE, vertex);
                if before == NONE || before == vertex {
                    counts.atomic_add(slot, 1);
                }
            }
        }
        thread::sync_threads();
        for slot in thread::strided(thread..SLOTS, threads) {
            if counts.get(slot) < LEAST_ENDS {
                vertices.set(slot, NONE);
            } else {
                found.atomic_or(0, 1);
            }
            counts.set(slot, 0);
        }
        thread::sync_threads();
        HubCounts { vertices, counts, found: found.get(0) != 0 }
    }
}

/// Counters for vertices that many edges have. A vertex has one slot where it may be, and the first that comes takes it.
#[derive(Clone, Copy)]
pub(super) struct HubCounts {
    vertices: Shared<u32>,
    counts: Shared<u32>,
    /// Whether there are any.
    found: bool,
}

#[inline(always)]
fn slot_of(vertex: u32) -> u32 {
    // The high bits of a product depend on all bits of the vertex.
    vertex.wrapping_mul(0x9e37_79b1) >> (u32::BITS - SLOTS.trailing_zeros())
}

impl HubCounts {
    /// Counts an end at `vertex` if it `counts` and the vertex is one of the hubs; tells whether it was.
    #[inline(always)]
    pub fn count(self, vertex: u32, counts: bool) -> bool {
        if !(self.found && counts) {
            return false;
        }
        let slot = slot_of(vertex);
        let is_hub = self.vertices.get(slot) == vertex;
        if is_hub {
            self.counts.atomic_add(slot, 1);
        }
        is_hub
    }

    /// Adds what was counted to `degrees`. The whole block calls it. Contains a barrier.
    #[inline(always)]
    pub fn add_to(self, degrees: InOut<u32>) {
        thread::sync_threads();
        for slot in thread::strided(thread::thread_idx_x()..SLOTS, thread::block_dim_x()) {
            let count = self.counts.get(slot);
            if count > 0 {
                degrees.atomic_add(u64::from(self.vertices.get(slot)), count);
            }
        }
    }
}
