//! Degrees from edges in any order, whether that order is one to keep, and landmarks beside vertices.

use tribin_device::memory::{In, InOut};
use tribin_device::shared::{Layout, Place, Shared};
use tribin_device::{kernel, thread, warp};

use crate::min_hash::hash;
use crate::primitives::{block_add_to, warp_add_runs};

/// Threads in a block.
pub const BLOCK: u32 = 256;

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

struct Hubs {
    vertices: Place<u32>,
    counts: Place<u32>,
    found: Place<u32>,
    bytes: u32,
}

const HUBS: Hubs = {
    let (layout, vertices) = Layout::new().array(SLOTS);
    let (layout, counts) = layout.array(SLOTS);
    let (layout, found) = layout.array(1);
    Hubs { vertices, counts, found, bytes: layout.bytes() }
};

/// Bytes of shared memory of a block.
pub const SHARED_BYTES: u32 = HUBS.bytes;

/// Set in the order of the edges: some edge is not above the one before, by first vertex, then second.
/// Then nothing else is looked at.
pub const UNSORTED: u32 = 1;
/// Set in the order of the edges: some first vertex is not below the second.
pub const NOT_UPWARD: u32 = 2;
/// Set in the order of the edges: some first vertex is not above the second.
pub const NOT_DOWNWARD: u32 = 4;

kernel! {
    /// Adds to `degrees[v]` the number of edges at `v` among those from place `first` to before `m`,
    /// duplicates counted, self-loops not, for the vertices of a window: those from `from` to before `below`. If `looks` is
    /// not 0, adds to `loops[0]` the number of self-loops, and looks at the order of the edges.
    ///
    /// Also raises `labels[v]` to the greatest hash above `floor` of v's neighbours by these edges, for the vertices of the
    /// window. Those neighbours are landmarks ([`min_hash`](crate::min_hash)). With a floor of `u32::MAX` there are none, and
    /// `labels` may be empty.
    ///
    /// Additions at random are several times as fast where the cache holds what they add to. So the degrees of many
    /// vertices are counted window by window, and the edges are read as often.
    ///
    /// Sets in `order[0]` what holds of their order, after the edge before them if there is one: [`UNSORTED`], [`NOT_UPWARD`],
    /// [`NOT_DOWNWARD`]. Edges that are sorted and all of one direction have no duplicates and no
    /// self-loops among them.
    ///
    /// An edge is two 32-bit vertices in one word, the first in its low half. Every vertex is below `degrees.len()`. With
    /// `m < 2³²` no degree overflows: an edge adds at most one to each.
    ///
    /// A block counts vertices that many of the edges have in its own memory, since additions to one word follow one
    /// another. It finds them in a sample of the edges.
    ///
    /// Launch with whole warps, any number of blocks of [`BLOCK`] threads, and [`SHARED_BYTES`].
    pub fn count_degrees(
        edges: In<u64>, degrees: InOut<u32>, labels: InOut<u32>, loops: InOut<u64>,
        order: InOut<u32>, first: u64, m: u64, from: u32, below: u32, floor: u32, looks: u32
    )
    requires {
        edges.len() >= m, first <= m, from <= below, !loops.is_empty(), !order.is_empty(),
        floor == u32::MAX || labels.len() >= degrees.len(),
    }
    {
        let hubs = find_hubs(edges, first, m);
        let lane = u64::from(warp::lane_id());
        let stride = thread::grid_size();
        let mut own_loops = 0;
        // What is unsorted already is not looked at.
        let mut own_order = if looks != 0 { 0 } else { UNSORTED };
        let mut i = first + thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while i - lane < m {
            let live = i < m;
            let edge = if live { edges.get(i) } else { 0 };
            let (u, v) = (edge as u32, (edge >> 32) as u32);
            let counts = live && u != v;
            if live && u == v {
                own_loops += 1;
            }
            if live && own_order & UNSORTED == 0 {
                // The first vertex in the high half.
                if i > 0 && edges.get(i - 1).rotate_left(32) >= edge.rotate_left(32) {
                    own_order |= UNSORTED;
                }
                own_order |= if u >= v { NOT_UPWARD } else { 0 };
                own_order |= if u <= v { NOT_DOWNWARD } else { 0 };
            }
            let window = below - from;
            let (of_u, of_v) =
                (counts && u.wrapping_sub(from) < window, counts && v.wrapping_sub(from) < window);
            warp_add_runs(degrees, u, of_u && !hubs.count(u, of_u), 1);
            warp_add_runs(degrees, v, of_v && !hubs.count(v, of_v), 1);
            if floor != u32::MAX {
                if of_u && hash(v) > floor {
                    labels.atomic_max(u64::from(u), hash(v));
                }
                if of_v && hash(u) > floor {
                    labels.atomic_max(u64::from(v), hash(u));
                }
            }
            i += stride;
        }
        hubs.add_to(degrees);
        if looks == 0 {
            return;
        }
        block_add_to(loops, 0, own_loops);
        let mut in_warp = 0;
        let mut flag = UNSORTED;
        while flag <= NOT_DOWNWARD {
            in_warp |= if warp::warp_vote_any(warp::ALL, own_order & flag != 0) { flag } else { 0 };
            flag *= 2;
        }
        if lane == 0 && in_warp != 0 {
            order.atomic_or(0, in_warp);
        }
    }
}

/// Counters for vertices that many edges have. A vertex has one slot where it may be, and the first that comes takes it.
#[derive(Clone, Copy)]
struct HubCounts {
    vertices: Shared<u32>,
    counts: Shared<u32>,
    /// Whether there are any.
    found: bool,
}

/// Which of the edges from place `first` to before `m` have hubs. The whole block calls it. Contains barriers.
#[inline(always)]
fn find_hubs(edges: In<u64>, first: u64, m: u64) -> HubCounts {
    let (vertices, counts, found) = (HUBS.vertices.here(), HUBS.counts.here(), HUBS.found.here());
    let thread = thread::thread_idx_x();
    let threads = thread::block_dim_x();
    let mut slot = thread;
    while slot < SLOTS {
        vertices.set(slot, NONE);
        counts.set(slot, 0);
        slot += threads;
    }
    if thread == 0 {
        found.set(0, 0);
    }
    thread::sync_threads();
    let own = m - first;
    let mut sampled = if own >= LEAST_SAMPLED { thread } else { SAMPLE };
    while sampled < SAMPLE {
        // Below 2⁴² for m < 2³².
        let edge = edges.get(first + u64::from(sampled) * own / u64::from(SAMPLE));
        let mut end = 0;
        while end < 2 {
            let vertex = (edge >> (32 * end)) as u32;
            let slot = slot_of(vertex);
            let before = vertices.atomic_compare_exchange(slot, NONE, vertex);
            if before == NONE || before == vertex {
                counts.atomic_add(slot, 1);
            }
            end += 1;
        }
        sampled += threads;
    }
    thread::sync_threads();
    let mut slot = thread;
    while slot < SLOTS {
        if counts.get(slot) < LEAST_ENDS {
            vertices.set(slot, NONE);
        } else {
            found.atomic_or(0, 1);
        }
        counts.set(slot, 0);
        slot += threads;
    }
    thread::sync_threads();
    HubCounts { vertices, counts, found: found.get(0) != 0 }
}

#[inline(always)]
fn slot_of(vertex: u32) -> u32 {
    // The high bits of a product depend on all bits of the vertex.
    vertex.wrapping_mul(0x9e37_79b1) >> (u32::BITS - SLOTS.trailing_zeros())
}

impl HubCounts {
    /// Counts an end at `vertex` if it `counts` and the vertex is one of the hubs; tells whether it was.
    #[inline(always)]
    fn count(self, vertex: u32, counts: bool) -> bool {
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
    fn add_to(self, degrees: InOut<u32>) {
        thread::sync_threads();
        let mut slot = thread::thread_idx_x();
        while slot < SLOTS {
            let count = self.counts.get(slot);
            if count > 0 {
                degrees.atomic_add(u64::from(self.vertices.get(slot)), count);
            }
            slot += thread::block_dim_x();
        }
    }
}
