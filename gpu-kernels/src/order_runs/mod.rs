//! Keys that agree in their high bits, and so stand side by side, brought into order.
//!
//! Where rows are short, sorting by the larger rank alone leaves little to do: half the passes of the
//! sort are one read and one write of the keys.

use core::ops::Range;

use tribin_device::memory::{In, InOut};
use tribin_device::shared::Shared;
use tribin_device::{kernel, shared, thread, warp};

/// Threads in a block.
pub const BLOCK: u32 = 256;

/// Keys of a thread.
const ITEMS: usize = 4;

/// Keys of a block.
pub const TILE: u32 = BLOCK * ITEMS as u32;

/// Keys in either direction that a thread compares its own with, at most.
pub const MOST_STEPS: u32 = 1_024;

/// Bits of a place in a tile.
const PLACE_BITS: u32 = TILE.trailing_zeros();

/// Most low bits of a key beside which a word has room for a place.
const ROOM: u32 = u32::BITS - PLACE_BITS;

const LOW_AT: u32 = 0;
const STARTS_AT: u32 = LOW_AT + TILE * 4;

/// Bytes of shared memory of a block.
pub const SHARED_BYTES: u32 = STARTS_AT + TILE / 8;

kernel!(
    /// Writes the `n` keys to `ordered`, each run of keys that agree from bit `shift` on in ascending order;
    /// the runs stay where they are. A run of more than [`MOST_STEPS`] + 1 keys is not ordered, and
    /// `too_long[0]` becomes 1.
    ///
    /// A key's place in its run is the number of keys before it, found by comparing it with each: O(length),
    /// in shared memory for runs that lie within a block's keys. Launch a block for each [`TILE`] keys.
    #[requires(
        |shape| keys.len() >= n, ordered.len() >= n, n < 1 << 32, shift <= 32, !too_long.is_empty(),
        shape.block.x == BLOCK, shape.shared_bytes >= SHARED_BYTES,
    )]
    pub unsafe fn order_runs(
        keys: In<u64>,
        ordered: InOut<u64>,
        too_long: InOut<u32>,
        n: u64,
        shift: u32,
    ) {
        let thread = thread::thread_idx_x();
        let low = shared::array::<u32>(LOW_AT, TILE);
        let starts = shared::array::<u32>(STARTS_AT, TILE / 32);
        let first = u64::from(thread::block_idx_x()) * u64::from(TILE);
        let low_of = |key: u64| (key & ((1 << shift) - 1)) as u32;
        let mut key = [0; ITEMS];
        let mut item = 0;
        while item < ITEMS {
            let at = thread + item as u32 * BLOCK;
            let i = first + u64::from(at);
            // Past the last key, a run starts that has none.
            let mut starts_run = true;
            if i < n {
                key[item] = keys.get(i);
                starts_run = i == 0 || (keys.get(i - 1) ^ key[item]) >> shift != 0;
            }
            // With the place behind it no two are equal.
            let low_bits = low_of(key[item]);
            low.set(at, if shift <= ROOM { low_bits << PLACE_BITS | at } else { low_bits });
            let lanes = warp::warp_vote_ballot(warp::ALL, starts_run);
            if warp::lane_id() == 0 {
                starts.set(at / 32, lanes);
            }
            item += 1;
        }
        thread::sync_threads();
        let has_room = shift <= ROOM;
        let mut item = 0;
        while item < ITEMS {
            let at = thread + item as u32 * BLOCK;
            let i = first + u64::from(at);
            if i < n {
                let key = key[item];
                let (start, end) = (start_of(starts, at), end_of(starts, at));
                if start < TILE && end < TILE {
                    let before = if has_room {
                        let own = low.get(at);
                        count(low, start..end, |other| other < own)
                    } else {
                        let own = low_of(key);
                        // Equal keys stay as they are.
                        count(low, start..at, |other| other <= own)
                            + count(low, at + 1..end, |other| other < own)
                    };
                    ordered.set(first + u64::from(start + before), key);
                } else if let Some(place) = place_in_long_run(keys, n, shift, i, key) {
                    ordered.set(place, key);
                } else {
                    too_long.atomic_or(0, 1);
                }
            }
            item += 1;
        }
    }
);

/// How many of the numbers at `places` are `before` the key.
#[inline(always)]
fn count(numbers: Shared<u32>, places: Range<u32>, before: impl Fn(u32) -> bool) -> u32 {
    let mut count = 0;
    let mut place = places.start;
    while place < places.end {
        count += u32::from(before(numbers.get(place)));
        place += 1;
    }
    count
}

/// Where the run of the key at `at` starts, or [`TILE`] if that is before the tile.
#[inline(always)]
fn start_of(starts: Shared<u32>, at: u32) -> u32 {
    let mut word = at / 32;
    let mut bits = starts.get(word) & u32::MAX >> (31 - at % 32);
    while bits == 0 && word > 0 {
        word -= 1;
        bits = starts.get(word);
    }
    if bits == 0 { TILE } else { word * 32 + 31 - bits.leading_zeros() }
}

/// One past the end of the run of the key at `at`, or [`TILE`] if that is not within the tile.
#[inline(always)]
fn end_of(starts: Shared<u32>, at: u32) -> u32 {
    let mut word = at / 32;
    let mut bits = starts.get(word) & !(u32::MAX >> (31 - at % 32));
    while bits == 0 && word < TILE / 32 - 1 {
        word += 1;
        bits = starts.get(word);
    }
    if bits == 0 { TILE } else { word * 32 + bits.trailing_zeros() }
}

/// Where the key at `i` belongs in a run that goes past the tile, unless there are too many keys to compare
/// it with.
#[inline(always)]
fn place_in_long_run(keys: In<u64>, n: u64, shift: u32, i: u64, key: u64) -> Option<u64> {
    let mut start = i;
    let mut before = 0;
    let mut steps = 0;
    while start > 0 && steps <= MOST_STEPS {
        let other = keys.get(start - 1);
        if (other ^ key) >> shift != 0 {
            break;
        }
        before += u32::from(other <= key);
        start -= 1;
        steps += 1;
    }
    if steps > MOST_STEPS {
        return None;
    }
    steps = 0;
    let mut end = i + 1;
    while end < n && steps <= MOST_STEPS {
        let other = keys.get(end);
        if (other ^ key) >> shift != 0 {
            break;
        }
        before += u32::from(other < key);
        end += 1;
        steps += 1;
    }
    if steps > MOST_STEPS { None } else { Some(start + u64::from(before)) }
}
