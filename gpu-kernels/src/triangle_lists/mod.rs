//! Every edge's triangles, as the places of the two other edges of each.
//!
//! A triangle is in three lists. That is 24 bytes a triangle, for which a peeling reads every triangle
//! three times in all and intersects no rows.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

use crate::primitives::{Lists, Oriented, lower_bound, warp_append};

/// Threads in a block of [`place_lists`].
pub const PLACE_BLOCK: u32 = 256;

/// Threads in a block of [`list_triangles`].
pub const LIST_BLOCK: u32 = 64;

/// Entries of a work item of a list, at most: one a lane.
pub const CHUNK: u32 = warp::SIZE;

/// Where the lengths keep the number of entries of all lists.
pub const ENTRIES: u64 = 0;
/// Where they keep the number of work items of all lists.
pub const ITEMS: u64 = 1;
/// How many lengths there are.
pub const LENGTHS: u64 = 2;

kernel!(
    /// Gives every edge a list as long as its support: `ends[i]` becomes one past the list's last place,
    /// and `lens[i]` its length. Adds to `lengths` ([`ENTRIES`], [`ITEMS`]).
    ///
    /// A warp's lists lie side by side; warps take places as they come. Launch with whole warps.
    #[requires(support.len() >= m, ends.len() >= m, lens.len() >= m, lengths.len() >= LENGTHS)]
    pub unsafe fn place_lists(
        support: In<u32>,
        ends: InOut<u64>,
        lens: InOut<u32>,
        lengths: InOut<u64>,
        m: u64,
    ) {
        let lane = u64::from(warp::lane_id());
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        // The warp goes round together: its lanes speak to one another.
        while i - lane < m {
            let len = if i < m { support.get(i) } else { 0 };
            let first = warp_append(lengths, ENTRIES, u64::from(len));
            warp_append(lengths, ITEMS, u64::from(len.div_ceil(CHUNK)));
            if i < m {
                ends.set(i, first + u64::from(len));
                lens.set(i, len);
            }
            i += stride;
        }
    }
);

kernel!(
    /// Writes every triangle into the lists of its three edges, the smaller of the two other places in
    /// the low half of the entry.
    ///
    /// `ends`, `lens` and the length of
    /// `entries` are from [`place_lists`]. A warp takes an edge, looks the shorter row up in the longer
    /// and fills the edge's list from the front. Triangles that other edges' warps find on it come from
    /// the back, where `taken`, zero before, counts them. The order within a list is that in which
    /// threads came.
    ///
    /// The lists of one row's edges are written at about the same time, and a warp an edge keeps the
    /// rows under way few: what is written side by side meets in the cache. Launch with whole warps.
    #[requires(
        graph.tails.len() >= m, graph.heads.len() >= m, m < 1 << 32, ends.len() >= m, lens.len() >= m, taken.len() >= m,
    )]
    pub unsafe fn list_triangles(
        graph: Oriented,
        ends: In<u64>,
        lens: In<u32>,
        taken: InOut<u32>,
        entries: InOut<u64>,
        m: u64,
    ) {
        let lane = warp::lane_id();
        let stride = thread::grid_size() / u64::from(warp::SIZE);
        for i in thread::strided(thread::index_1d() / u64::from(warp::SIZE)..m, stride) {
            let len = lens.get(i);
            if len > 0 {
                let edge = i as u32;
                let [short, long] = Lists::at_once(graph, edge).shorter_first();
                let heads = graph.heads;
                let mut front = ends.get(i) - u64::from(len);
                let mut other = long.start;
                // The warp goes round together: its lanes speak to one another.
                for first in thread::strided(short.start..short.end, warp::SIZE) {
                    let at = first + lane;
                    let mut found = false;
                    if at < short.end {
                        let vertex = heads.get(u64::from(at));
                        other = lower_bound(heads, other, long.end, vertex);
                        found = other < long.end && heads.get(u64::from(other)) == vertex;
                    }
                    let finders = warp::warp_vote_ballot(warp::ALL, found);
                    if found {
                        let before = (finders & warp::lane_mask_lt()).count_ones();
                        entries.set(front + u64::from(before), entry(at, other));
                        give(ends, taken, entries, at, entry(edge, other));
                        give(ends, taken, entries, other, entry(edge, at));
                    }
                    front += u64::from(finders.count_ones());
                }
            }
        }
    }
);

/// Two places in one word.
#[inline(always)]
fn entry(a: u32, b: u32) -> u64 {
    u64::from(a.max(b)) << 32 | u64::from(a.min(b))
}

/// Appends to another edge's list, from the back.
#[inline(always)]
fn give(ends: In<u64>, taken: InOut<u32>, entries: InOut<u64>, edge: u32, entry: u64) {
    let before = taken.atomic_add(u64::from(edge), 1);
    entries.set(ends.get(u64::from(edge)) - 1 - u64::from(before), entry);
}
