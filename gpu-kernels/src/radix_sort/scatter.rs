use tribin_device::memory::{In, InOut};
use tribin_device::registers::pin_32;
use tribin_device::shared::{self, Shared};
use tribin_device::{kernel, thread, warp};

use super::DIGITS;
use crate::primitives::{LookbackState, TileWords, block_scan_exclusive};

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
const TARGETS_AT: u32 = STARTS_AT + DIGITS * 4;
const SCAN_AT: u32 = TARGETS_AT + DIGITS * 4;
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
    launch_bounds(SCATTER_BLOCK, 4)
    {
        let tile_slot = shared::array::<u32>(TILE_AT, 1);
        if thread::thread_idx_x() == 0 {
            tile_slot.set(0, tickets.atomic_add(u64::from(pass), 1));
        }
        clear_counts();
        thread::sync_threads();
        let tile = tile_slot.get(0);
        let places = Lookback { words, tile, state: LookbackState::of_pass(pass), offsets };
        let start = u64::from(tile) * u64::from(TILE);
        let digit = DigitAt { shift, mask: DIGITS - 1 };
        // All tiles but the last are full: their code asks for no key whether it is there.
        if n - start >= u64::from(TILE) {
            scatter_tile::<true, _>(keys, start, n, sorted, digit, places);
        } else {
            scatter_tile::<false, _>(keys, start, n, sorted, digit, places);
        }
    }
}

/// Which bits of a key are its digit.
#[derive(Clone, Copy)]
pub struct DigitAt {
    /// Its lowest bit.
    pub shift: u32,
    /// The largest digit, at most 255: one less than a power of two.
    pub mask: u32,
}

impl DigitAt {
    /// The key's digit.
    #[inline(always)]
    pub fn of(self, key: u64) -> u32 {
        (key >> self.shift) as u32 & self.mask
    }
}

/// Where the keys of a tile go. Thread `t` of the block speaks for digit `t`.
///
/// # Safety
/// The functions are called by whole blocks, from [`scatter_tile`].
pub trait Places: Copy {
    /// Whether some digits are not scattered at all.
    const PRUNES: bool;

    /// Whether keys with this digit are scattered.
    unsafe fn keeps(self, digit: u32) -> bool;

    /// Learns how many keys of the tile have this thread's digit.
    unsafe fn publish(self, in_tile: u32);

    /// The place of the tile's first key with this thread's digit, of which it has `in_tile`. Any
    /// number where the digit is not scattered.
    unsafe fn first(self, in_tile: u32) -> u32;
}

/// Clears what [`scatter_tile`] counts in. A barrier follows before the call of that.
#[inline(always)]
pub unsafe fn clear_counts() {
    let counts = shared::array::<u32>(COUNTS_AT, WARPS * DIGITS);
    let mut slot = thread::thread_idx_x();
    while slot < WARPS * DIGITS {
        counts.set(slot, 0);
        slot += SCATTER_BLOCK;
    }
}

/// Writes the keys from `start` to `end`, at most [`TILE`], to `sorted`, those with equal digits side
/// by side in the order that they had. With `FULL` it takes [`TILE`] of them, whatever `end` says.
///
/// A block of [`SCATTER_BLOCK`] threads calls it with [`SCATTER_SHARED_BYTES`] of shared memory, all
/// in use until the next barrier.
#[inline(always)]
pub unsafe fn scatter_tile<const FULL: bool, P: Places>(
    keys: In<u64>,
    start: u64,
    end: u64,
    sorted: InOut<u64>,
    digit: DigitAt,
    places: P,
) {
    let thread = thread::thread_idx_x();
    let counts = shared::array::<u32>(COUNTS_AT, WARPS * DIGITS);
    let live = if FULL { TILE } else { (end - start) as u32 };

    // A warp owns a contiguous stretch, its lanes side by side: coalesced, and in order.
    let first = thread / warp::SIZE * (warp::SIZE * ITEMS as u32) + warp::lane_id();
    // In 64 bits, where no sum wraps, one address register serves all items.
    let first_key = start + u64::from(first);
    let mut key = [u64::MAX; ITEMS];
    let mut i = 0;
    while i < ITEMS {
        let at = first_key + i as u64 * u64::from(warp::SIZE);
        if FULL || at < end {
            key[i] = keys.get(at);
        }
        i += 1;
    }

    let own_counts = thread / warp::SIZE * DIGITS;
    // Two to a register: a rank in a warp's stretch is below 512.
    let mut ranks = [0u32; ITEMS / 2];
    let mut kept = 0u32;
    let mut i = 0;
    while i < ITEMS {
        let own = digit.of(key[i]);
        let exists =
            (FULL || first + (i as u32) * warp::SIZE < live) && (!P::PRUNES || places.keeps(own));
        if P::PRUNES {
            kept |= u32::from(exists) << i;
        }
        let rank = rank_in_warp(counts, own_counts, own, exists);
        ranks[i / 2] = pin_32(ranks[i / 2] | rank << (i % 2 * 16));
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
    places.publish(in_tile);
    let starts = shared::array::<u32>(STARTS_AT, DIGITS);
    let (start, all) = block_scan_exclusive(shared::array::<u32>(SCAN_AT, WARPS), in_tile);
    starts.set(thread, start);
    thread::sync_threads();

    // The digits are taken from the keys again: sixteen registers less.
    let digit = DigitAt { shift: pin_32(digit.shift), mask: digit.mask };
    let ordered = shared::array::<u64>(KEYS_AT, TILE);
    let mut i = 0;
    while i < ITEMS {
        let exists = if P::PRUNES {
            kept >> i & 1 == 1
        } else {
            FULL || first + (i as u32) * warp::SIZE < live
        };
        if exists {
            let digit = digit.of(key[i]);
            let rank = ranks[i / 2] >> (i % 2 * 16) & 0xffff;
            ordered.set(starts.get(digit) + counts.get(own_counts + digit) + rank, key[i]);
        }
        i += 1;
    }

    // Where the tile's first key would go if it had this digit; wraps, and wraps back below.
    let target = places.first(in_tile).wrapping_sub(start);
    let targets = shared::array::<u32>(TARGETS_AT, DIGITS);
    targets.set(thread, target);
    thread::sync_threads();

    let live = if P::PRUNES { all } else { live };
    let mut i = 0;
    while i < ITEMS {
        let at = thread + i as u32 * SCATTER_BLOCK;
        if FULL || at < live {
            let key = ordered.get(at);
            let target = targets.get(digit.of(key)).wrapping_add(at);
            sorted.set(u64::from(target), key);
        }
        i += 1;
    }
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

/// The places of a tile of a sort pass: those of the digit, behind the tiles before.
#[derive(Clone, Copy)]
struct Lookback {
    words: InOut<u64>,
    tile: u32,
    state: LookbackState,
    offsets: In<u32>,
}

impl Lookback {
    #[inline(always)]
    unsafe fn word(self, tile: u32) -> u64 {
        u64::from(tile) * u64::from(DIGITS) + u64::from(thread::thread_idx_x())
    }
}

impl Places for Lookback {
    const PRUNES: bool = false;

    #[inline(always)]
    unsafe fn keeps(self, _digit: u32) -> bool {
        true
    }

    #[inline(always)]
    unsafe fn publish(self, in_tile: u32) {
        let Lookback { words, tile, state, .. } = self;
        let word = if tile == 0 { state.prefix(in_tile) } else { state.aggregate(in_tile) };
        words.atomic_store(self.word(tile), word);
    }

    /// Adds up the tiles before, and publishes the tile's prefix.
    #[inline(always)]
    unsafe fn first(self, in_tile: u32) -> u32 {
        let Lookback { words, tile, state, offsets } = self;
        let mut before = 0;
        let mut look = tile;
        while look > 0 {
            let word = words.atomic_load(self.word(look - 1));
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
            words.atomic_store(self.word(tile), state.prefix(before + in_tile));
        }
        offsets.get(u64::from(thread::thread_idx_x())).wrapping_add(before)
    }
}
