//! A queue in device memory: entries, each of which owns a number of parts (tiles of a segment, parts
//! of a task of the tail), and the number of parts before each.
//!
//! One 64-bit counter holds the number of entries above that of parts. A block adds both at once, so
//! the entries are in the same order as their parts, and whoever has a part finds its entry by binary
//! search, without a scan over the queue.

use core::ops::Range;

use warpwise_device::memory::{In, InOut, U64x2};
use warpwise_device::shared::{self, Shared};
use warpwise_device::thread;

use super::segment::{Segment, TILE};
use crate::primitives::{Scanned, block_scan_exclusive, partition_point};

/// A counter with `entries` entries and `parts` parts.
#[inline(always)]
pub const fn counter(entries: u32, parts: u32) -> u64 {
    (entries as u64) << 32 | parts as u64
}

/// How many tiles each side of a segment has.
pub struct SegmentTiles {
    pub edges: u32,
    pub candidates: u32,
}

/// Tiles of a segment.
#[inline(always)]
pub const fn tiles_of(segment: Segment) -> SegmentTiles {
    let (edges, candidates) = (segment.edges.div_ceil(TILE), segment.candidates.div_ceil(TILE));
    SegmentTiles { edges, candidates }
}

/// The entries of a queue, to read.
#[derive(Clone, Copy)]
pub struct Queue {
    pub parts_before: In<u32>,
    pub segments: In<U64x2>,
    pub entries: u32,
    pub parts: u32,
}

/// An entry and the parts it owns.
#[derive(Clone, Copy)]
pub struct Entry {
    pub index: u32,
    pub segment: Segment,
    /// Its first part.
    pub first_part: u32,
    /// One past its last part.
    pub end_part: u32,
}

impl Queue {
    #[inline(always)]
    pub fn new(parts_before: In<u32>, segments: In<U64x2>, counter: u64) -> Queue {
        Queue { parts_before, segments, entries: (counter >> 32) as u32, parts: counter as u32 }
    }

    /// This block's share of the parts: neighbours, so that most parts are of the entry before.
    #[inline(always)]
    pub fn share(self) -> Range<u32> {
        self.share_of(thread::block_idx_x(), thread::grid_dim_x())
    }

    /// The same for worker `index` of `workers`.
    #[inline(always)]
    pub fn share_of(self, index: u32, workers: u32) -> Range<u32> {
        let (parts, index, workers) =
            (u64::from(self.parts), u64::from(index), u64::from(workers.max(1)));
        (parts * index / workers) as u32..(parts * (index + 1) / workers) as u32
    }

    /// The entry that owns `part`: the last with no more parts before it.
    #[inline(always)]
    pub fn entry_of(self, part: u32) -> Entry {
        let is_before = |at: u32| self.parts_before.get(u64::from(at)) <= part;
        self.entry(partition_point(1, self.entries, is_before) - 1)
    }

    /// The entry that owns `part`, which is in `entry` or the one after.
    #[inline(always)]
    pub fn advance(self, entry: Entry, part: u32) -> Entry {
        if part < entry.end_part { entry } else { self.entry(entry.index + 1) }
    }

    #[inline(always)]
    fn entry(self, index: u32) -> Entry {
        let next = index + 1;
        Entry {
            index,
            segment: Segment::unpack(self.segments.get(u64::from(index))),
            first_part: self.parts_before.get(u64::from(index)),
            end_part: if next < self.entries {
                self.parts_before.get(u64::from(next))
            } else {
                self.parts
            },
        }
    }
}

/// The entries of a queue, to append to.
#[derive(Clone, Copy)]
pub struct Pusher {
    pub parts_before: InOut<u32>,
    pub segments: InOut<U64x2>,
    pub counters: InOut<u64>,
    pub counter: u64,
}

impl Pusher {
    /// Appends the `segment` of every thread that has `parts` > 0. The whole block calls it; `scan`
    /// has a word a warp, and `base` one word.
    #[inline(always)]
    pub fn push(self, scan: Shared<u64>, base: Shared<u64>, segment: Segment, parts: u32) {
        let own = if parts > 0 { counter(1, parts) } else { 0 };
        let Scanned { before, all } = block_scan_exclusive(scan, own);
        if thread::thread_idx_x() == 0 && all > 0 {
            base.set(0, self.counters.atomic_add(self.counter, all));
        }
        thread::sync_threads();
        if parts > 0 {
            let at = base.get(0) + before;
            self.parts_before.set(at >> 32, at as u32);
            self.segments.set(at >> 32, segment.pack());
        }
        // `base` is free again for the next call.
        thread::sync_threads();
    }
}

/// A tile of a level: part of one side of one segment.
#[derive(Clone, Copy)]
pub struct Tile {
    /// The segment's index.
    pub segment: u32,
    /// Its first key.
    pub start: u64,
    /// Its keys.
    pub live: u32,
    /// Where bucket 0's count of this tile stands in the matrix.
    pub column: u64,
    /// How far apart two buckets' counts stand: the tiles of this side of the segment.
    pub stride: u32,
}

impl Tile {
    /// Tile `part` of the level, in `entry`, with `buckets` buckets.
    #[inline(always)]
    pub fn of(entry: Entry, part: u32, buckets: u32) -> Tile {
        let Entry { index, segment, first_part, .. } = entry;
        let SegmentTiles { edges: edge_tiles, candidates: candidate_tiles } = tiles_of(segment);
        let local = part - first_part;
        // A segment's counts: buckets by edge tiles, then buckets by candidate tiles.
        let matrix = u64::from(first_part) * u64::from(buckets);
        let (at, len, tile, column, stride) = if local < edge_tiles {
            (segment.edges_at, segment.edges, local, matrix, edge_tiles)
        } else {
            let after_edges = matrix + u64::from(edge_tiles) * u64::from(buckets);
            let tile = local - edge_tiles;
            (segment.candidates_at, segment.candidates, tile, after_edges, candidate_tiles)
        };
        Tile {
            segment: index,
            start: u64::from(at) + u64::from(tile) * u64::from(TILE),
            live: (len - tile * TILE).min(TILE),
            column: column + u64::from(tile),
            stride,
        }
    }
}

/// Shared arrays that [`Pusher::push`] needs, from byte `at` on.
#[inline(always)]
pub fn push_arrays(at: u32, warps: u32) -> (Shared<u64>, Shared<u64>) {
    (shared::array::<u64>(at, warps), shared::array::<u64>(at + warps * 8, 1))
}
