//! Decoupled look-back (Merrill and Garland, 2016): a scan over tiles in one launch. Every tile
//! publishes its own sum at once and its prefix when it knows it; a tile adds up what stands before
//! it until it meets a prefix. State and value share one 64-bit word, so no fence is needed.

use warpwise_device::memory::InOut;
use warpwise_device::shared::Shared;
use warpwise_device::{thread, warp};

use crate::Summand;

/// How a tile's state and its sum share one word.
pub trait TileWords: Copy {
    /// What is summed.
    type Sum: Summand;

    /// The word that says: this tile's own sum.
    fn aggregate(self, value: Self::Sum) -> u64;

    /// The word that says: the sum up to and with this tile.
    fn prefix(self, value: Self::Sum) -> u64;

    /// Whether a word holds an own sum.
    fn is_aggregate(self, word: u64) -> bool;

    /// Whether a word holds a prefix.
    fn is_prefix(self, word: u64) -> bool;

    /// The sum of what the words of the lanes that `count` hold, on every lane of a whole warp.
    fn warp_sum(self, word: u64, counts: bool) -> Self::Sum;
}

/// 32-bit sums; the states of a tile's word are distinct for each pass over the same words, so that
/// the words are cleared once and not before every pass.
#[derive(Clone, Copy)]
pub struct LookbackState {
    /// The word holds the tile's own sum.
    aggregate: u64,
    /// The word holds the sum of the tile and of all before it.
    prefix: u64,
}

impl LookbackState {
    /// The states of pass number `pass`.
    #[inline(always)]
    pub fn of_pass(pass: u32) -> Self {
        let tag = u64::from(pass) * 2 + 1;
        LookbackState { aggregate: tag << 32, prefix: (tag + 1) << 32 }
    }
}

impl TileWords for LookbackState {
    type Sum = u32;

    #[inline(always)]
    fn aggregate(self, value: u32) -> u64 {
        self.aggregate | u64::from(value)
    }

    #[inline(always)]
    fn prefix(self, value: u32) -> u64 {
        self.prefix | u64::from(value)
    }

    #[inline(always)]
    fn is_aggregate(self, word: u64) -> bool {
        word >> 32 == self.aggregate >> 32
    }

    #[inline(always)]
    fn is_prefix(self, word: u64) -> bool {
        word >> 32 == self.prefix >> 32
    }

    #[inline(always)]
    fn warp_sum(self, word: u64, counts: bool) -> u32 {
        warp::warp_reduce_add_32(warp::ALL, if counts { word as u32 } else { 0 })
    }
}

/// Sums below 2⁶²: the state is the two bits above. The words are zero before.
#[derive(Clone, Copy)]
pub struct WideSums;

const WIDE_STATE: u32 = 62;

impl TileWords for WideSums {
    type Sum = u64;

    #[inline(always)]
    fn aggregate(self, value: u64) -> u64 {
        1 << WIDE_STATE | value
    }

    #[inline(always)]
    fn prefix(self, value: u64) -> u64 {
        2 << WIDE_STATE | value
    }

    #[inline(always)]
    fn is_aggregate(self, word: u64) -> bool {
        word >> WIDE_STATE == 1
    }

    #[inline(always)]
    fn is_prefix(self, word: u64) -> bool {
        word >> WIDE_STATE == 2
    }

    #[inline(always)]
    fn warp_sum(self, word: u64, counts: bool) -> u64 {
        let value = word & (u64::MAX >> (u64::BITS - WIDE_STATE));
        warp::warp_reduce_add_64(if counts { value } else { 0 })
    }
}

/// Publishes what tile `tile` knows at once: tile 0 its prefix, any other its own sum.
#[inline(always)]
pub fn lookback_publish_first<S: TileWords>(
    words: InOut<u64>,
    state: S,
    tile: u64,
    aggregate: S::Sum,
) {
    let word = if tile == 0 { state.prefix(aggregate) } else { state.aggregate(aggregate) };
    words.atomic_store(tile, word);
}

/// The sum over all tiles before `tile`, found by one whole warp, 32 tiles at a look; publishes the
/// tile's prefix. All lanes of the warp call it, and get the same sum.
#[inline(always)]
pub fn lookback_warp<S: TileWords>(
    words: InOut<u64>,
    state: S,
    tile: u64,
    aggregate: S::Sum,
) -> S::Sum {
    let lane = warp::lane_id();
    let mut sum = S::Sum::default();
    // Lane 0 looks at the nearest tile before `end`.
    let mut end = tile;
    while end > 0 {
        let exists = u64::from(lane) < end;
        let mut word = 0;
        loop {
            if exists {
                word = words.atomic_load(end - 1 - u64::from(lane));
            }
            let ready = !exists || state.is_prefix(word) || state.is_aggregate(word);
            if warp::warp_vote_all(warp::ALL, ready) {
                break;
            }
            thread::nanosleep(20);
        }
        let prefixes = warp::warp_vote_ballot(warp::ALL, exists && state.is_prefix(word));
        // Everything nearer than the first prefix is an own sum; what is beyond is in the prefix.
        let last = prefixes.trailing_zeros();
        let counts = exists && lane <= last;
        sum = sum.plus(state.warp_sum(word, counts));
        if prefixes != 0 {
            break;
        }
        end = end.saturating_sub(u64::from(warp::SIZE));
    }
    if lane == 0 && tile > 0 {
        words.atomic_store(tile, state.prefix(sum.plus(aggregate)));
    }
    sum
}

/// The sum over all tiles before `tile`, whose own sum is `in_tile`, on every thread of the block; the words are zero
/// before the launch.
///
/// `base_slot` has one element and is used for nothing else. Contains a barrier.
#[inline(always)]
pub fn block_lookback<S: TileWords>(
    words: InOut<u64>,
    state: S,
    tile: u64,
    in_tile: S::Sum,
    base_slot: Shared<S::Sum>,
) -> S::Sum {
    let lane = warp::lane_id();
    if thread::thread_idx_x() / warp::SIZE == 0 {
        if lane == 0 {
            lookback_publish_first(words, state, tile, in_tile);
        }
        let before = lookback_warp(words, state, tile, in_tile);
        if lane == 0 {
            base_slot.set(0, before);
        }
    }
    thread::sync_threads();
    base_slot.get(0)
}
