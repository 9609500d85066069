use tribin_device::memory::{In, InOut};
use tribin_device::shared::{self, Shared};
use tribin_device::{kernel, thread, warp};

use super::DIGITS;
use crate::primitives::{block_scan_exclusive, LookbackState};

/// Threads in a block: at least one for every digit.
pub const SCATTER_BLOCK: u32 = 256;

/// Keys of a thread.
const ITEMS: usize = 16;

/// Keys of a tile, which a block sorts at a time.
pub const TILE: u32 = SCATTER_BLOCK * ITEMS as u32;

const WARPS: u32 = SCATTER_BLOCK / warp::SIZE;

// Shared memory, by byte offset. The keys overlay nothing: their place is filled while the counts
// are still read.
const KEYS_AT: u32 = 0;
const COUNTS_AT: u32 = KEYS_AT + TILE * 8;
const STARTS_AT: u32 = COUNTS_AT + WARPS * DIGITS * 4;
const PLACES_AT: u32 = STARTS_AT + DIGITS * 4;
const SCAN_AT: u32 = PLACES_AT + DIGITS * 4;
const TILE_AT: u32 = SCAN_AT + WARPS * 4;

/// Bytes of shared memory of a block.
pub const SCATTER_SHARED_BYTES: u32 = TILE_AT + 4;

kernel! {
    /// One pass: writes the keys to `sorted` in the order of the digit at bit `shift`, equal digits
    /// in the order they had.
    ///
    /// `offsets` are the digit's places from `radix_offsets`. `words` has 256 words a tile and
    /// `ticket` one, both zero before the first pass; `pass` counts from 0 and differs for every
    /// launch on the same words. A tile is taken by ticket, so whoever looks back at a tile knows
    /// that a running block has it.
    pub fn radix_scatter(
        keys: In<u64>, sorted: InOut<u64>, offsets: In<u32>, words: InOut<u64>,
        tickets: InOut<u32>, n: u64, shift: u32, pass: u32
    )
    requires {
        keys.len() >= n, sorted.len() >= n, n < 1 << 32, offsets.len() >= u64::from(DIGITS),
        words.len() >= n.div_ceil(u64::from(TILE)) * u64::from(DIGITS),
        tickets.len() > u64::from(pass),
    }
    {
        let tile_slot = shared::array::<u32>(TILE_AT, 1);
        let thread = thread::thread_idx_x();
        if thread == 0 {
            tile_slot.set(0, tickets.atomic_add(u64::from(pass), 1));
        }
        let counts = shared::array::<u32>(COUNTS_AT, WARPS * DIGITS);
        let mut slot = thread;
        while slot < WARPS * DIGITS {
            counts.set(slot, 0);
            slot += SCATTER_BLOCK;
        }
        thread::sync_threads();
        let tile = u64::from(tile_slot.get(0));
        let tile_start = tile * u64::from(TILE);
        let live = (n - tile_start).min(u64::from(TILE)) as u32;

        // A warp owns a contiguous stretch, its lanes side by side: coalesced, and in order.
        let lane = warp::lane_id();
        let first = thread / warp::SIZE * (warp::SIZE * ITEMS as u32) + lane;
        let mut key = [u64::MAX; ITEMS];
        let mut i = 0;
        while i < ITEMS {
            let at = first + i as u32 * warp::SIZE;
            if at < live {
                key[i] = keys.get(tile_start + u64::from(at));
            }
            i += 1;
        }

        let own_counts = thread / warp::SIZE * DIGITS;
        let mut rank = [0u32; ITEMS];
        let mut i = 0;
        while i < ITEMS {
            let at = first + i as u32 * warp::SIZE;
            rank[i] = rank_in_warp(counts, own_counts, digit_of(key[i], shift), at < live);
            i += 1;
        }
        thread::sync_threads();

        // One thread a digit: where each warp's keys of it start within the tile's.
        let mut in_tile = 0;
        let mut w = 0;
        while w < WARPS {
            let count = counts.get(w * DIGITS + thread);
            counts.set(w * DIGITS + thread, in_tile);
            in_tile += count;
            w += 1;
        }
        let state = LookbackState::of_pass(pass);
        let word = tile * u64::from(DIGITS) + u64::from(thread);
        words.atomic_store(
            word,
            if tile == 0 { state.prefix(in_tile) } else { state.aggregate(in_tile) },
        );
        let starts = shared::array::<u32>(STARTS_AT, DIGITS);
        let (start, _) = block_scan_exclusive(shared::array::<u32>(SCAN_AT, WARPS), in_tile);
        starts.set(thread, start);
        thread::sync_threads();

        let ordered = shared::array::<u64>(KEYS_AT, TILE);
        let mut i = 0;
        while i < ITEMS {
            if first + (i as u32) * warp::SIZE < live {
                let digit = digit_of(key[i], shift);
                let at = starts.get(digit) + counts.get(own_counts + digit) + rank[i];
                ordered.set(at, key[i]);
            }
            i += 1;
        }

        let before = digits_before(words, state, tile, in_tile);
        // Where the tile's first key would go if it had this digit; wraps, and wraps back below.
        let place = offsets.get(u64::from(thread)).wrapping_add(before).wrapping_sub(start);
        let places = shared::array::<u32>(PLACES_AT, DIGITS);
        places.set(thread, place);
        thread::sync_threads();

        let mut i = 0;
        while i < ITEMS {
            let at = thread + i as u32 * SCATTER_BLOCK;
            if at < live {
                let key = ordered.get(at);
                let place = places.get(digit_of(key, shift)).wrapping_add(at);
                sorted.set(u64::from(place), key);
            }
            i += 1;
        }
    }
}

#[inline(always)]
fn digit_of(key: u64, shift: u32) -> u32 {
    (key >> shift) as u32 & (DIGITS - 1)
}

/// How many keys before this one in the warp's stretch have its digit; counts it.
#[inline(always)]
unsafe fn rank_in_warp(counts: Shared<u32>, own_counts: u32, digit: u32, live: bool) -> u32 {
    // Keys past the end share a value that no digit has.
    let peers = warp::match_any_32(warp::ALL, if live { digit } else { DIGITS });
    let before = if live { counts.get(own_counts + digit) } else { 0 };
    warp::sync_warp(warp::ALL);
    let lower = peers & warp::lane_mask_lt();
    if live && lower == 0 {
        counts.set(own_counts + digit, before + peers.count_ones());
    }
    warp::sync_warp(warp::ALL);
    before + lower.count_ones()
}

/// How many keys in the tiles before have this thread's digit; publishes the tile's prefix.
#[inline(always)]
unsafe fn digits_before(
    words: InOut<u64>,
    state: LookbackState,
    tile: u64,
    in_tile: u32,
) -> u32 {
    let digit = u64::from(thread::thread_idx_x());
    let mut before = 0;
    let mut look = tile;
    while look > 0 {
        let word = words.atomic_load((look - 1) * u64::from(DIGITS) + digit);
        if state.is_prefix(word) {
            before += word as u32;
            break;
        }
        if state.is_aggregate(word) {
            before += word as u32;
            look -= 1;
        } else {
            thread::nanosleep(20);
        }
    }
    if tile > 0 {
        words.atomic_store(tile * u64::from(DIGITS) + digit, state.prefix(before + in_tile));
    }
    before
}
