use core::ops::Range;
use warpwise_device::memory::{In, InOut, U64x2};

use warpwise_device::registers::pin_32;
use warpwise_device::shared::{self, Shared};
use warpwise_device::{kernel, thread, warp};

use super::MOST_BUCKETS;
use super::digit::DigitAt;
use super::queue::{Queue, Tile};
use crate::primitives::{Scanned, block_scan_exclusive, rank_in_warp, starts_of_warps};

/// Threads in a block of [`bin_scatter`]: at least one for every bucket.
pub const SCATTER_BLOCK: u32 = 256;

/// Keys of a thread at a time.
const ITEMS: usize = 16;

/// Keys that a block moves at a time: a tile is several such slices.
const SLICE: u32 = SCATTER_BLOCK * ITEMS as u32;

const WARPS: u32 = SCATTER_BLOCK / warp::SIZE;

const KEYS_AT: u32 = 0;
const COUNTS_AT: u32 = KEYS_AT + SLICE * 8;
const STARTS_AT: u32 = COUNTS_AT + WARPS * MOST_BUCKETS * 4;
const TARGETS_AT: u32 = STARTS_AT + MOST_BUCKETS * 4;
const SCAN_AT: u32 = TARGETS_AT + MOST_BUCKETS * 4;
const PLACES_AT: u32 = SCAN_AT + WARPS * 4;
const ALIVE_AT: u32 = PLACES_AT + MOST_BUCKETS * 4;

/// Bytes of shared memory of a block.
pub const SCATTER_SHARED_BYTES: u32 = ALIVE_AT + MOST_BUCKETS / 8;

kernel!(
    /// Moves the keys of level `level` to where `bin_scan` says, stable, except those of buckets that
    /// do not go on.
    ///
    /// Queue and `matrix` are the level's, `alive` is of its `bin_emit`. A key's bucket is its `bits`
    /// bits from bit `shift` on.
    #[requires(
        |shape| counters.len() > u64::from(level), (1..=8).contains(&bits), shift < 64, binned.len() >= keys.len(),
        shape.block.x == SCATTER_BLOCK, shape.shared_bytes >= SCATTER_SHARED_BYTES,
    )]
    // Keys and ranks of a thread are 40 registers: 64 in all would spill.
    #[launch_bounds(SCATTER_BLOCK, 3)]
    pub unsafe fn bin_scatter(
        keys: In<u64>,
        binned: InOut<u64>,
        parts_before: In<u32>,
        segments: In<U64x2>,
        counters: In<u64>,
        matrix: In<u32>,
        alive: In<u32>,
        level: u32,
        shift: u32,
        bits: u32,
    ) {
        let digit = DigitAt { shift, mask: (1 << bits) - 1 };
        let queue = Queue::new(parts_before, segments, counters.get(u64::from(level)));
        let Range { start: mut part, end } = queue.share();
        if part < end {
            let kept = shared::array::<u32>(ALIVE_AT, MOST_BUCKETS / 32);
            let mut entry = queue.entry_of(part);
            while part < end {
                entry = queue.advance(entry, part);
                let tile = Tile::of(entry, part, 1 << bits);
                load_alive(alive, kept, tile, bits);
                thread::sync_threads();
                if any_alive(kept) {
                    let places = shared::array::<u32>(PLACES_AT, MOST_BUCKETS);
                    places.set(thread::thread_idx_x(), first_place(matrix, tile, bits));
                    for first in thread::strided(0..tile.live, SLICE) {
                        let slice = Slice {
                            start: tile.start + u64::from(first),
                            live: (tile.live - first).min(SLICE),
                        };
                        move_slice(keys, binned, kept, slice, digit);
                    }
                }
                thread::sync_threads();
                part += 1;
            }
        }
    }
);

/// Copies the bits of the segment's buckets, each thread that of one.
#[inline(always)]
fn load_alive(alive: In<u32>, kept: Shared<u32>, tile: Tile, bits: u32) {
    let bucket = thread::thread_idx_x();
    let at = (u64::from(tile.segment) << bits) + u64::from(bucket);
    let is_alive = bucket < 1 << bits && alive.get(at / 32) >> (at % 32) & 1 == 1;
    let word = warp::warp_vote_ballot(warp::ALL, is_alive);
    if warp::lane_id() == 0 {
        kept.set(bucket / warp::SIZE, word);
    }
}

#[inline(always)]
fn any_alive(kept: Shared<u32>) -> bool {
    let mut all = 0;
    for word in 0..MOST_BUCKETS / 32 {
        all |= kept.get(word);
    }
    all != 0
}

/// Where the tile's first key of this thread's bucket goes: the matrix is inclusive, so that is what
/// stands before its count.
#[inline(always)]
fn first_place(matrix: In<u32>, tile: Tile, bits: u32) -> u32 {
    let bucket = thread::thread_idx_x();
    let at = tile.column + u64::from(bucket) * u64::from(tile.stride);
    if bucket < 1 << bits && at > 0 { matrix.get(at - 1) } else { 0 }
}

/// At most [`SLICE`] keys of a tile.
#[derive(Clone, Copy)]
struct Slice {
    start: u64,
    live: u32,
}

/// Moves the keys of a slice to the places of the buckets, and these on. A
/// barrier is behind all that was done with shared memory before, but for the writes of a slice.
#[inline(always)]
fn move_slice(keys: In<u64>, binned: InOut<u64>, kept: Shared<u32>, slice: Slice, digit: DigitAt) {
    let thread = thread::thread_idx_x();
    // A warp owns a contiguous stretch, its lanes side by side: coalesced, and in order.
    let first = thread / warp::SIZE * (warp::SIZE * ITEMS as u32) + warp::lane_id();
    let first_key = slice.start + u64::from(first);
    let mut key = [0u64; ITEMS];
    for i in 0..ITEMS {
        if first + (i as u32) * warp::SIZE < slice.live {
            key[i] = keys.get(first_key + i as u64 * u64::from(warp::SIZE));
        }
    }

    let counts = shared::array::<u32>(COUNTS_AT, WARPS * MOST_BUCKETS);
    for slot in thread::strided(thread..WARPS * MOST_BUCKETS, SCATTER_BLOCK) {
        counts.set(slot, 0);
    }
    thread::sync_threads();
    let own_counts = thread / warp::SIZE * MOST_BUCKETS;
    // Two to a register: a rank in a warp's stretch is below 512.
    let mut ranks = [0u32; ITEMS / 2];
    for i in 0..ITEMS {
        let own = digit.of(key[i]);
        let exists = first + (i as u32) * warp::SIZE < slice.live;
        // No `&&`: a branch before the match would split the warp.
        let goes = exists & (kept.get(own / 32) >> (own % 32) & 1 == 1);
        let rank = rank_in_warp(counts, own_counts, own, MOST_BUCKETS, goes);
        ranks[i / 2] = pin_32(ranks[i / 2] | rank << (i % 2 * 16));
    }
    thread::sync_threads();

    // One thread a bucket: where each warp's keys of it start within the slice's.
    let in_slice = starts_of_warps(counts, WARPS, MOST_BUCKETS, thread);
    let starts = shared::array::<u32>(STARTS_AT, MOST_BUCKETS);
    let Scanned { before: start, all } =
        block_scan_exclusive(shared::array::<u32>(SCAN_AT, WARPS), in_slice);
    starts.set(thread, start);
    // Where the slice's first key would go if it were in this bucket; wraps, and wraps back below.
    let targets = shared::array::<u32>(TARGETS_AT, MOST_BUCKETS);
    // A thread's own word: in a register it would be one too many.
    let places = shared::array::<u32>(PLACES_AT, MOST_BUCKETS);
    let place = places.get(thread);
    places.set(thread, place + in_slice);
    targets.set(thread, place.wrapping_sub(start));
    thread::sync_threads();

    // Digits, and who moves, are taken from the keys again: seventeen registers less.
    let digit = DigitAt { shift: pin_32(digit.shift), mask: digit.mask };
    let ordered = shared::array::<u64>(KEYS_AT, SLICE);
    for i in 0..ITEMS {
        let own = digit.of(key[i]);
        if first + (i as u32) * warp::SIZE < slice.live && kept.get(own / 32) >> (own % 32) & 1 == 1
        {
            let rank = ranks[i / 2] >> (i % 2 * 16) & 0xffff;
            ordered.set(starts.get(own) + counts.get(own_counts + own) + rank, key[i]);
        }
    }
    thread::sync_threads();

    for at in thread::strided(thread..all, SCATTER_BLOCK) {
        let key = ordered.get(at);
        binned.set(u64::from(targets.get(digit.of(key)).wrapping_add(at)), key);
    }
}
