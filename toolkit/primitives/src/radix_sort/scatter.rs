use core::marker::PhantomData;

use warpwise_device::memory::{In, InOut};
use warpwise_device::registers::pin_32;
use warpwise_device::shared::{self, Layout, Place, Shared};
use warpwise_device::{kernel, thread, warp};

use super::{DIGIT_BITS, Key, WIDE_DIGIT_BITS, digits};
use crate::{
    LookbackState, Scanned, TileWords, block_scan_exclusive, rank_in_full_warp, rank_in_warp,
    starts_of_warps,
};

/// Threads in a block: one for each digit, or for two.
pub const SCATTER_BLOCK: u32 = 256;

/// Keys of a thread.
const ITEMS: usize = 16;

/// Keys of a tile, which a block sorts at a time.
pub const TILE: u32 = SCATTER_BLOCK * ITEMS as u32;

const WARPS: u32 = SCATTER_BLOCK / warp::SIZE;

/// A warp compares the digits of neighbouring lanes at every fourth key of a lane.
const LOOKED_AT: usize = 4;

/// Lanes find each other by words of shared memory where at most this many of the digits that were compared are those of the lane before.
/// It is a quarter of them.
const MOST_REPEATED: u32 = ITEMS as u32 / LOOKED_AT as u32 * warp::SIZE / 4;

/// Tiles that are looked back at together.
const LOOKS: usize = 8;

/// Where a block that sorts keys by digits of `BITS` bits has what in its shared memory. The keys do not overlay the counts: their place is
/// filled while these are still read.
pub(crate) struct Layouts<K, const BITS: u32>(PhantomData<K>);

impl<K: Key, const BITS: u32> Layouts<K, BITS> {
    const DIGITS: u32 = digits(BITS);

    /// Neighbouring digits that a thread looks after.
    const OF_THREAD: u32 = Self::DIGITS / SCATTER_BLOCK;

    const KEYS: (Layout, Place<K>) = Layout::new().array(TILE);
    const COUNTS: (Layout, Place<u32>) = Self::KEYS.0.array(WARPS * Self::DIGITS);
    const STARTS: (Layout, Place<u32>) = Self::COUNTS.0.array(Self::DIGITS);
    const TARGETS: (Layout, Place<u32>) = Self::STARTS.0.array(Self::DIGITS);
    const SUMS: (Layout, Place<u32>) = Self::TARGETS.0.array(WARPS);
    pub(crate) const TICKET: (Layout, Place<u32>) = Self::SUMS.0.array(1);

    /// A mask of lanes for each digit of each warp, in the place of the keys, which come when all are ranked.
    #[inline(always)]
    fn masks() -> Shared<u32> {
        const { assert!(WARPS * Self::DIGITS * 4 <= TILE * size_of::<K>() as u32) };
        shared::array(0, WARPS * Self::DIGITS)
    }
}

/// Bytes of shared memory of a block that sorts keys of 64 bits by digits of this many bits.
pub const fn scatter_shared_bytes(digit_bits: u32) -> u32 {
    match digit_bits {
        DIGIT_BITS => Layouts::<u64, DIGIT_BITS>::TICKET.0.bytes(),
        _ => Layouts::<u64, WIDE_DIGIT_BITS>::TICKET.0.bytes(),
    }
}

kernel!(
    /// One pass: writes the keys to `sorted` in the order of the digit of `BITS` bits at bit `shift`, equal digits
    /// in the order they had.
    ///
    /// `offsets` are the digit's places from `radix_offsets`. `words` has a word for each digit of a tile and
    /// `ticket` one, both zero before the first pass; `pass` counts from 0 and differs for every
    /// launch on the same words. A tile is taken by ticket, so whoever looks back at a tile knows
    /// that a running block has it. A block a tile.
    #[requires(
        |shape| keys.len() >= n, sorted.len() >= n, n < 1 << 32, offsets.len() >= u64::from(digits(BITS)),
        words.len() >= n.div_ceil(u64::from(TILE)) * u64::from(digits(BITS)),
        tickets.len() > u64::from(pass), shape.block.x == SCATTER_BLOCK, shape.shared_bytes >= scatter_shared_bytes(BITS),
        shape.grid.count() == n.div_ceil(u64::from(TILE)),
    )]
    #[launch_bounds(SCATTER_BLOCK, 4)]
    #[instances(8, 9)]
    pub unsafe fn radix_scatter<const BITS: u32>(
        keys: In<u64>,
        sorted: InOut<u64>,
        offsets: In<u32>,
        words: InOut<u64>,
        tickets: InOut<u32>,
        n: u64,
        shift: u32,
        pass: u32,
    ) {
        scatter::<u64, BITS>(keys, sorted, offsets, words, tickets, n, shift, pass);
    }
);

/// What a kernel of scatters does.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "those of the kernels")]
pub(crate) fn scatter<K: Key, const BITS: u32>(
    keys: In<K>,
    sorted: InOut<K>,
    offsets: In<u32>,
    words: InOut<u64>,
    tickets: InOut<u32>,
    n: u64,
    shift: u32,
    pass: u32,
) {
    let tile_slot = Layouts::<K, BITS>::TICKET.1.here();
    let thread = thread::thread_idx_x();
    if thread == 0 {
        tile_slot.set(0, tickets.atomic_add(u64::from(pass), 1));
    }
    let (counts, masks) = (Layouts::<K, BITS>::COUNTS.1.here(), Layouts::<K, BITS>::masks());
    for slot in thread::strided(thread..WARPS * Layouts::<K, BITS>::DIGITS, SCATTER_BLOCK) {
        counts.set(slot, 0);
        masks.set(slot, 0);
    }
    thread::sync_threads();
    let tile = u64::from(tile_slot.get(0));
    let own = Tile::<BITS> { words, tile, state: LookbackState::of_pass(pass) };
    // All tiles but the last are full: their code asks for no key whether it is there.
    if n - tile * u64::from(TILE) >= u64::from(TILE) {
        scatter_tile::<K, BITS, true>(keys, sorted, offsets, n, shift, own);
    } else {
        scatter_tile::<K, BITS, false>(keys, sorted, offsets, n, shift, own);
    }
}

/// Which tile a block has, and where its words are.
#[derive(Clone, Copy)]
struct Tile<const BITS: u32> {
    words: InOut<u64>,
    tile: u64,
    state: LookbackState,
}

#[inline(always)]
fn scatter_tile<K: Key, const BITS: u32, const FULL: bool>(
    keys: In<K>,
    sorted: InOut<K>,
    offsets: In<u32>,
    n: u64,
    shift: u32,
    own: Tile<BITS>,
) {
    let digits = Layouts::<K, BITS>::DIGITS;
    let of_thread = Layouts::<K, BITS>::OF_THREAD;
    let thread = thread::thread_idx_x();
    let counts = Layouts::<K, BITS>::COUNTS.1.here();
    let tile_start = own.tile * u64::from(TILE);
    let live = if FULL { TILE } else { (n - tile_start) as u32 };

    // A warp owns a contiguous stretch, its lanes side by side: coalesced, and in order.
    let first = thread / warp::SIZE * (warp::SIZE * ITEMS as u32) + warp::lane_id();
    // In 64 bits, where no sum wraps, one address register serves all items.
    let first_key = tile_start + u64::from(first);
    // What the last tile lacks is as the largest key: no digit is larger, and equal ones keep their order, so that it comes behind
    // all keys, where nothing is written.
    let mut key = [K::LARGEST; ITEMS];
    for i in 0..ITEMS {
        let at = first_key + i as u64 * u64::from(warp::SIZE);
        if FULL || at < n {
            key[i] = keys.get(at);
        }
    }

    let (masks, own_counts) = (Layouts::<K, BITS>::masks(), thread / warp::SIZE * digits);
    // Two to a register: a rank in a warp's stretch is below 512.
    let mut ranks = [0u32; ITEMS / 2];
    // Many lanes of one digit would wait for each other at its mask, and the instruction that compares lanes is fast where digits are few.
    let mut repeated = 0;
    for i in (0..ITEMS).step_by(LOOKED_AT) {
        let digit = digit_of::<K, BITS>(key[i], shift);
        let is_repeated = digit == warp::warp_shuffle_up(warp::ALL, digit, 1);
        repeated += warp::warp_vote_ballot(warp::ALL, is_repeated).count_ones();
    }
    if repeated > MOST_REPEATED {
        for i in 0..ITEMS {
            let digit = digit_of::<K, BITS>(key[i], shift);
            let rank = rank_in_warp(counts, own_counts, digit, digits, true);
            ranks[i / 2] = pin_32(ranks[i / 2] | rank << (i % 2 * 16));
        }
    } else {
        for i in 0..ITEMS {
            let digit = digit_of::<K, BITS>(key[i], shift);
            // ptxas needs two registers fewer for wide digits so, and many more for others.
            let digit = if BITS == WIDE_DIGIT_BITS { pin_32(digit) } else { digit };
            let rank = rank_in_full_warp(counts, masks, own_counts, digit);
            ranks[i / 2] = pin_32(ranks[i / 2] | rank << (i % 2 * 16));
        }
    }
    thread::sync_threads();

    // Each digit has a thread: where each warp's keys of it start within the tile's. The number of the tile's keys waits in the thread's
    // words of `targets`: there are too few registers.
    let (starts, targets) =
        (Layouts::<K, BITS>::STARTS.1.here(), Layouts::<K, BITS>::TARGETS.1.here());
    let mut all = 0;
    for d in 0..of_thread {
        let digit = thread * of_thread + d;
        let lacks = if digit == digit_of::<K, BITS>(K::LARGEST, shift) { TILE - live } else { 0 };
        let in_tile = starts_of_warps(counts, WARPS, digits, digit) - lacks;
        own.publish_first(digit, in_tile);
        targets.set(digit, in_tile);
        all += in_tile;
    }
    let Scanned { before: mut start, .. } =
        block_scan_exclusive(Layouts::<K, BITS>::SUMS.1.here(), all);
    for d in 0..of_thread {
        let digit = thread * of_thread + d;
        starts.set(digit, start);
        start += targets.get(digit);
    }
    thread::sync_threads();

    // The digits are taken from the keys again: sixteen registers less.
    let shift = pin_32(shift);
    let ordered = Layouts::<K, BITS>::KEYS.1.here();
    for i in 0..ITEMS {
        let digit = digit_of::<K, BITS>(key[i], shift);
        let rank = ranks[i / 2] >> (i % 2 * 16) & 0xffff;
        ordered.set(starts.get(digit) + counts.get(own_counts + digit) + rank, key[i]);
    }

    // The tile's number waits in shared memory as well.
    let own = Tile { tile: u64::from(Layouts::<K, BITS>::TICKET.1.here().get(0)), ..own };
    for d in 0..of_thread {
        let digit = thread * of_thread + d;
        let before = own.digits_before(digit, targets.get(digit));
        // Where the tile's first key would go if it had this digit; wraps, and wraps back below.
        let target = offsets.get(u64::from(digit)).wrapping_add(before);
        targets.set(digit, target.wrapping_sub(starts.get(digit)));
    }
    thread::sync_threads();

    for i in 0..ITEMS {
        let at = thread + i as u32 * SCATTER_BLOCK;
        if FULL || at < live {
            let key = ordered.get(at);
            let target = targets.get(digit_of::<K, BITS>(key, shift)).wrapping_add(at);
            sorted.set(u64::from(target), key);
        }
    }
}

#[inline(always)]
fn digit_of<K: Key, const BITS: u32>(key: K, shift: u32) -> u32 {
    key.bits_from(shift) as u32 & (digits(BITS) - 1)
}

impl<const BITS: u32> Tile<BITS> {
    #[inline(always)]
    fn word(self, tile: u64, digit: u32) -> u64 {
        tile * u64::from(digits(BITS)) + u64::from(digit)
    }

    /// Publishes how many keys of the tile have this digit.
    #[inline(always)]
    fn publish_first(self, digit: u32, in_tile: u32) {
        let Tile { words, tile, state } = self;
        let word = if tile == 0 { state.prefix(in_tile) } else { state.aggregate(in_tile) };
        words.atomic_store(self.word(tile, digit), word);
    }

    /// How many keys in the tiles before have this digit; publishes the tile's prefix.
    #[inline(always)]
    fn digits_before(self, digit: u32, in_tile: u32) -> u32 {
        let Tile { words, tile, state } = self;
        let mut before = 0;
        // The tiles before this one are not known yet.
        let mut look = tile;
        while look > 0 {
            // All are on their way before the first is waited for. The first tiles are looked at one by one.
            let mut word = [0; LOOKS];
            word[0] = words.atomic_load(self.word(look - 1, digit));
            let mut back = 1;
            while back < LOOKS && look >= LOOKS as u64 {
                word[back] = words.atomic_load(self.word(look - 1 - back as u64, digit));
                back += 1;
            }
            let mut known = 0;
            while known < LOOKS {
                let of_tile = word[known];
                let is_prefix = state.is_prefix(of_tile);
                if !(is_prefix | state.is_aggregate(of_tile)) {
                    break;
                }
                before += of_tile as u32;
                known += 1;
                if is_prefix {
                    // Nothing is before the tiles that a prefix counts.
                    look = known as u64;
                    break;
                }
            }
            look -= known as u64;
            if known == 0 {
                thread::nanosleep(20);
            }
        }
        if tile > 0 {
            words.atomic_store(self.word(tile, digit), state.prefix(before + in_tile));
        }
        before
    }
}
