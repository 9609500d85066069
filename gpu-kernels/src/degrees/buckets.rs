use warpwise_device::memory::{In, InOut};
use warpwise_device::registers::pin_32;
use warpwise_device::shared::{self, Layout, Place};
use warpwise_device::{kernel, thread};

use super::hubs::{HubCounts, Hubs};
use super::seen::{Seen, raise_label};
use crate::primitives::TileSplitPlaces;

/// Threads in a block of [`bucket_ends`].
pub const BUCKET_BLOCK: u32 = 512;

/// Blocks of [`bucket_ends`] that a multiprocessor has room for.
pub const BUCKET_BLOCKS: u32 = 2;

/// Edges of a thread.
const ITEMS: usize = 10;

/// Edges of a tile, which a block takes at a time.
pub const EDGE_TILE: u32 = BUCKET_BLOCK * ITEMS as u32;

/// Most buckets of a window: what a block has counters for.
pub const MOST_BUCKETS: u32 = 4_096;

/// Most bits of a vertex within its bucket.
pub const MOST_BITS: u32 = 15;

/// Most edges of a launch: the places that a bucket's ends ask for are numbers of 32 bits.
pub const MOST_EDGES: u64 = 1 << 30;

/// The rank of an end that is not written.
const NO_RANK: u32 = 0xffff;

struct Tile {
    ends: Place<u32>,
    split: TileSplitPlaces,
    hubs: Hubs,
    bytes: u32,
}

const TILE: Tile = {
    let (layout, ends) = Layout::new().array(2 * EDGE_TILE);
    let (layout, split) = TileSplitPlaces::behind(layout, MOST_BUCKETS, BUCKET_BLOCK);
    let (layout, hubs) = Hubs::behind(layout);
    Tile { ends, split, hubs, bytes: layout.bytes() }
};

/// Bytes of shared memory of a block of [`bucket_ends`].
pub const BUCKET_SHARED_BYTES: u32 = TILE.bytes;

kernel!(
    /// Writes the ends of the edges from place `first` to before `m` to `ends`, where they are vertices of a window: those from
    /// `from` to before `below`. An end is written as its place in its bucket. Those of bucket b come in any order, from place
    /// `b · room` on. `next[b]` counts them, and is 0 before. Where a bucket has more than `room`, the others are added to `degrees`,
    /// and so are the ends of vertices that many edges have.
    ///
    /// If `looks` is not 0, looks at the order of the edges and counts self-loops. Both this and the labels of the vertices are
    /// as [`count_degrees`](super::count_degrees) has them.
    ///
    /// Launch with any number of blocks; [`BUCKET_BLOCKS`] fill a multiprocessor.
    #[requires(
        |shape| edges.len() >= m, first <= m, m - first <= MOST_EDGES, from <= below, bits <= MOST_BITS,
        u64::from(below - from).div_ceil(1 << bits) <= u64::from(MOST_BUCKETS).min(next.len()),
        ends.len() >= u64::from(below - from).div_ceil(1 << bits) * u64::from(room),
        u64::from(below) <= degrees.len(), !loops.is_empty(), !order.is_empty(),
        floor == u32::MAX || labels.len() >= degrees.len(),
        shape.block.x == BUCKET_BLOCK, shape.shared_bytes >= BUCKET_SHARED_BYTES,
    )]
    #[launch_bounds(BUCKET_BLOCK, BUCKET_BLOCKS)]
    pub unsafe fn bucket_ends(
        edges: In<u64>,
        ends: InOut<u16>,
        next: InOut<u32>,
        degrees: InOut<u32>,
        labels: InOut<u32>,
        loops: InOut<u64>,
        order: InOut<u32>,
        first: u64,
        m: u64,
        from: u32,
        below: u32,
        bits: u32,
        room: u32,
        floor: u32,
        looks: u32,
    ) {
        let hubs = TILE.hubs.find(edges, first, m);
        let buckets = Buckets { ends, next, degrees, labels, from, below, bits, room, floor };
        let mut seen = Seen::nothing(looks != 0);
        let stride = u64::from(thread::grid_dim_x()) * u64::from(EDGE_TILE);
        let begin = first + u64::from(thread::block_idx_x()) * u64::from(EDGE_TILE);
        for tile in thread::strided(begin..m, stride) {
            // All tiles but the last are full: their code asks for no edge whether it is there.
            if m - tile >= u64::from(EDGE_TILE) {
                buckets.take::<true>(edges, tile, EDGE_TILE, hubs, &mut seen);
            } else {
                buckets.take::<false>(edges, tile, (m - tile) as u32, hubs, &mut seen);
            }
        }
        hubs.add_to(degrees);
        if looks != 0 {
            seen.add_to(loops, order);
        }
    }
);

#[derive(Clone, Copy)]
struct Buckets {
    ends: InOut<u16>,
    next: InOut<u32>,
    degrees: InOut<u32>,
    labels: InOut<u32>,
    from: u32,
    below: u32,
    bits: u32,
    room: u32,
    floor: u32,
}

impl Buckets {
    /// Takes the `live` edges of the tile that begins at place `start`. The whole block calls it. Contains barriers.
    #[inline(always)]
    fn take<const FULL: bool>(
        self,
        edges: In<u64>,
        start: u64,
        live: u32,
        hubs: HubCounts,
        seen: &mut Seen,
    ) {
        let thread = thread::thread_idx_x();
        let window = self.below - self.from;
        let buckets = u64::from(window).div_ceil(1 << self.bits) as u32;
        let (ordered, split) = (TILE.ends.here(), TILE.split.here());
        split.clear(buckets);
        let exists = |item: usize| FULL || thread + item as u32 * BUCKET_BLOCK < live;
        let own = start + u64::from(thread);
        let place = |item: usize| own + item as u64 * u64::from(BUCKET_BLOCK);
        let mut edge = [0; ITEMS];
        for item in 0..ITEMS {
            if exists(item) {
                edge[item] = edges.get(place(item));
            }
        }
        thread::sync_threads();
        // The ranks of both ends, each below 2^15.
        let mut ranks = [0u32; ITEMS];
        for item in 0..ITEMS {
            let (u, v) = (edge[item] as u32, (edge[item] >> 32) as u32);
            if exists(item) {
                seen.look(edges, place(item), edge[item]);
            }
            let mut both = 0;
            for end in 0..2 {
                let (vertex, other) = if end == 0 { (u, v) } else { (v, u) };
                let at = vertex.wrapping_sub(self.from);
                let is_end = exists(item) & (u != v) & (at < window);
                if self.floor != u32::MAX && is_end {
                    raise_label(self.labels, vertex, other, self.floor);
                }
                let is_written = is_end && !hubs.count(vertex, is_end);
                // Not worked out again: fewer registers.
                let bucket = pin_32(at >> self.bits);
                let rank = split.rank(bucket, is_written);
                both |= (if is_written { rank } else { NO_RANK }) << (16 * end);
            }
            ranks[item] = pin_32(both);
        }
        let all = split.close(buckets);
        split.take(buckets, all, |bucket, ends| self.next.atomic_add(u64::from(bucket), ends));
        // The buckets are taken from the edges again: fewer registers.
        let bits = pin_32(self.bits);
        for item in 0..ITEMS {
            for end in 0..2 {
                let rank = ranks[item] >> (16 * end) & 0xffff;
                let at = ((edge[item] >> (32 * end)) as u32).wrapping_sub(self.from);
                if rank != NO_RANK {
                    ordered.set(split.slot(at >> bits, rank), at);
                }
            }
        }
        thread::sync_threads();
        for i in thread::strided(thread..all, BUCKET_BLOCK) {
            let at = ordered.get(i);
            let bucket = at >> self.bits;
            let place = split.target(bucket, i);
            if place < self.room {
                let in_bucket = at & ((1 << self.bits) - 1);
                let place = u64::from(bucket) * u64::from(self.room) + u64::from(place);
                self.ends.set(place, in_bucket as u16);
            } else {
                self.degrees.atomic_add(u64::from(self.from + at), 1);
            }
        }
        // The next tile's ends take the place of these.
        thread::sync_threads();
    }
}

/// Threads in a block of [`count_ends`].
pub const COUNT_BLOCK: u32 = 1_024;

/// Words of four ends that a thread asks for at a time.
const WORDS: usize = 4;

/// Bytes of shared memory of a block of [`count_ends`]: a counter for each vertex of a bucket of 2^`bits`.
pub const fn count_shared_bytes(bits: u32) -> u32 {
    4 << bits
}

kernel!(
    /// Adds to `degrees[v]`, for the vertices of a window, the ends at v that [`bucket_ends`] wrote: `next[b]` of them for bucket
    /// b, or `room` if it has more. `quads` are the same `ends`, by fours.
    ///
    /// A block a bucket.
    #[requires(
        |shape| from <= below, bits <= MOST_BITS, u64::from(below) <= degrees.len(), room.is_multiple_of(4),
        u64::from(below - from).div_ceil(1 << bits) == shape.grid.count(), next.len() >= shape.grid.count(),
        ends.len() >= shape.grid.count() * u64::from(room), quads.len() >= shape.grid.count() * u64::from(room / 4),
        shape.block.x == COUNT_BLOCK, shape.shared_bytes >= count_shared_bytes(bits),
    )]
    #[launch_bounds(COUNT_BLOCK, 2)]
    pub unsafe fn count_ends(
        ends: In<u16>,
        quads: In<u64>,
        next: In<u32>,
        degrees: InOut<u32>,
        from: u32,
        below: u32,
        bits: u32,
        room: u32,
    ) {
        let counters = shared::array::<u32>(0, 1 << bits);
        let (thread, bucket) = (thread::thread_idx_x(), thread::block_idx_x());
        for at in thread::strided(thread..1 << bits, COUNT_BLOCK) {
            counters.set(at, 0);
        }
        thread::sync_threads();
        let written = next.get(u64::from(bucket)).min(room);
        let first = u64::from(bucket) * u64::from(room);
        let whole = written / 4;
        for i in thread::strided(thread..whole, WORDS as u32 * COUNT_BLOCK) {
            let exists = |item: usize| i + (item as u32) * COUNT_BLOCK < whole;
            let mut word = [0; WORDS];
            for item in 0..WORDS {
                if exists(item) {
                    let of_thread = i + item as u32 * COUNT_BLOCK;
                    word[item] = quads.get(first / 4 + u64::from(of_thread));
                }
            }
            for item in 0..WORDS {
                if exists(item) {
                    let end = |number: u32| (word[item] >> (16 * number)) as u32 & 0xffff;
                    // Sorted edges have one vertex after another.
                    let mut equal = 1;
                    for number in 1..4 {
                        if end(number) == end(number - 1) {
                            equal += 1;
                        } else {
                            counters.atomic_add(end(number - 1), equal);
                            equal = 1;
                        }
                    }
                    counters.atomic_add(end(3), equal);
                }
            }
        }
        let rest = written - 4 * whole;
        if thread < rest {
            let end = ends.get(first + u64::from(4 * whole + thread));
            counters.atomic_add(u32::from(end), 1);
        }
        thread::sync_threads();
        let vertex = from + (bucket << bits);
        let own = (below - vertex).min(1 << bits);
        for at in thread::strided(thread..own, COUNT_BLOCK) {
            let count = counters.get(at);
            if count > 0 {
                let place = u64::from(vertex + at);
                degrees.set(place, degrees.get(place) + count);
            }
        }
    }
);
