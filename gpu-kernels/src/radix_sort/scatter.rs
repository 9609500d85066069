use tribin_device::memory::{In, InOut};
use tribin_device::registers::pin_32;
use tribin_device::{kernel, shared, thread, warp};

use super::DIGITS;
use crate::primitives::{
    LookbackState, TileWords, block_scan_exclusive, rank_in_warp, starts_of_warps,
};

/// Threads in a block: at least one for every digit.
pub const SCATTER_BLOCK: u32 = 256;

/// Keys of a thread.
const ITEMS: usize = 16;

/// Keys of a tile, which a block sorts at a time.
pub const TILE: u32 = SCATTER_BLOCK * ITEMS as u32;

const WARPS: u32 = SCATTER_BLOCK / warp::SIZE;

/// Tiles that are looked back at together.
const LOOKS: usize = 8;

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
        let place = Place { words, tile, state: LookbackState::of_pass(pass) };
        // All tiles but the last are full: their code asks for no key whether it is there.
        if n - tile * u64::from(TILE) >= u64::from(TILE) {
            scatter_tile::<true>(keys, sorted, offsets, n, shift, place);
        } else {
            scatter_tile::<false>(keys, sorted, offsets, n, shift, place);
        }
    }
}

/// Which tile a block has, and where its words are.
#[derive(Clone, Copy)]
struct Place {
    words: InOut<u64>,
    tile: u64,
    state: LookbackState,
}

#[inline(always)]
fn scatter_tile<const FULL: bool>(
    keys: In<u64>,
    sorted: InOut<u64>,
    offsets: In<u32>,
    n: u64,
    shift: u32,
    place: Place,
) {
    let thread = thread::thread_idx_x();
    let counts = shared::array::<u32>(COUNTS_AT, WARPS * DIGITS);
    let tile_start = place.tile * u64::from(TILE);
    let live = if FULL { TILE } else { (n - tile_start) as u32 };

    // A warp owns a contiguous stretch, its lanes side by side: coalesced, and in order.
    let first = thread / warp::SIZE * (warp::SIZE * ITEMS as u32) + warp::lane_id();
    // In 64 bits, where no sum wraps, one address register serves all items.
    let first_key = tile_start + u64::from(first);
    let mut key = [u64::MAX; ITEMS];
    let mut i = 0;
    while i < ITEMS {
        let at = first_key + i as u64 * u64::from(warp::SIZE);
        if FULL || at < n {
            key[i] = keys.get(at);
        }
        i += 1;
    }

    let own_counts = thread / warp::SIZE * DIGITS;
    // Two to a register: a rank in a warp's stretch is below 512.
    let mut ranks = [0u32; ITEMS / 2];
    let mut i = 0;
    while i < ITEMS {
        let exists = FULL || first + (i as u32) * warp::SIZE < live;
        let rank = rank_in_warp(counts, own_counts, digit_of(key[i], shift), DIGITS, exists);
        ranks[i / 2] = pin_32(ranks[i / 2] | rank << (i % 2 * 16));
        i += 1;
    }
    thread::sync_threads();

    // One thread a digit: where each warp's keys of it start within the tile's.
    let in_tile = starts_of_warps(counts, WARPS, DIGITS, thread);
    place.publish_first(in_tile);
    let starts = shared::array::<u32>(STARTS_AT, DIGITS);
    let (start, _) = block_scan_exclusive(shared::array::<u32>(SCAN_AT, WARPS), in_tile);
    starts.set(thread, start);
    thread::sync_threads();

    // The digits are taken from the keys again: sixteen registers less.
    let shift = pin_32(shift);
    let ordered = shared::array::<u64>(KEYS_AT, TILE);
    let mut i = 0;
    while i < ITEMS {
        if FULL || first + (i as u32) * warp::SIZE < live {
            let digit = digit_of(key[i], shift);
            let rank = ranks[i / 2] >> (i % 2 * 16) & 0xffff;
            ordered.set(starts.get(digit) + counts.get(own_counts + digit) + rank, key[i]);
        }
        i += 1;
    }

    let before = place.digits_before(in_tile);
    // Where the tile's first key would go if it had this digit; wraps, and wraps back below.
    let target = offsets.get(u64::from(thread)).wrapping_add(before).wrapping_sub(start);
    let targets = shared::array::<u32>(TARGETS_AT, DIGITS);
    targets.set(thread, target);
    thread::sync_threads();

    let mut i = 0;
    while i < ITEMS {
        let at = thread + i as u32 * SCATTER_BLOCK;
        if FULL || at < live {
            let key = ordered.get(at);
            let target = targets.get(digit_of(key, shift)).wrapping_add(at);
            sorted.set(u64::from(target), key);
        }
        i += 1;
    }
}

#[inline(always)]
fn digit_of(key: u64, shift: u32) -> u32 {
    (key >> shift) as u32 & (DIGITS - 1)
}

impl Place {
    #[inline(always)]
    fn word(self, tile: u64) -> u64 {
        tile * u64::from(DIGITS) + u64::from(thread::thread_idx_x())
    }

    /// Publishes how many keys of the tile have this thread's digit.
    #[inline(always)]
    fn publish_first(self, in_tile: u32) {
        let Place { words, tile, state } = self;
        let word = if tile == 0 { state.prefix(in_tile) } else { state.aggregate(in_tile) };
        words.atomic_store(self.word(tile), word);
    }

    /// How many keys in the tiles before have this thread's digit; publishes the tile's prefix.
    #[inline(always)]
    fn digits_before(self, in_tile: u32) -> u32 {
        let Place { words, tile, state } = self;
        let mut before = 0;
        // The tiles before this one are not known yet.
        let mut look = tile;
        while look > 0 {
            // All are on their way before the first is waited for.
            let mut word = [0; LOOKS];
            let mut back = 0;
            while back < LOOKS {
                if (back as u64) < look {
                    word[back] = words.atomic_load(self.word(look - 1 - back as u64));
                }
                back += 1;
            }
            let mut known = 0;
            let mut found = false;
            let mut back = 0;
            while back < LOOKS {
                let is_prefix = state.is_prefix(word[back]);
                if !found & (known == back as u64) & (is_prefix | state.is_aggregate(word[back])) {
                    before += word[back] as u32;
                    known += 1;
                    found = is_prefix;
                }
                back += 1;
            }
            if found {
                break;
            }
            look -= known;
            if known == 0 {
                thread::nanosleep(20);
            }
        }
        if tile > 0 {
            words.atomic_store(self.word(tile), state.prefix(before + in_tile));
        }
        before
    }
}
