use warpwise_device::memory::{In, InOut};
use warpwise_device::registers::pin_32;
use warpwise_device::shared::{Layout, Place};
use warpwise_device::{kernel, thread};

use super::{BIN_BITS, BINS, FOUND, MOST_RANK_BITS, NEXT};
use crate::orient::self_loop_key;
use crate::primitives::TileSplitPlaces;

/// Threads in a block of [`split_keys`].
pub const SPLIT_BLOCK: u32 = 512;

/// Keys of a thread.
const ITEMS: usize = 10;

/// Keys of a tile, which a block takes at a time.
pub const SPLIT_TILE: u32 = SPLIT_BLOCK * ITEMS as u32;

/// Where a key has the number of its bin, for a while.
const BIN_AT: u32 = u64::BITS - BIN_BITS;

struct Tile {
    keys: Place<u64>,
    split: TileSplitPlaces,
    bytes: u32,
}

const TILE: Tile = {
    let (layout, keys) = Layout::new().array(SPLIT_TILE);
    let (layout, split) = TileSplitPlaces::behind(layout, 1 << BIN_BITS, SPLIT_BLOCK);
    Tile { keys, split, bytes: layout.bytes() }
};

/// Bytes of shared memory of a block.
pub const SPLIT_SHARED_BYTES: u32 = TILE.bytes;

kernel!(
    /// Writes the keys to `split`, those of a bin side by side from its place in `next` on, in any order, and self-loops
    /// behind the last bin; `next` moves behind them. A block a tile.
    #[requires(
        |shape| keys.len() >= n, split.len() >= n, n < 1 << 32, (1..=MOST_RANK_BITS).contains(&rank_bits),
        u64::from(bin_of_group.len() as u32) << shift >= 1 << rank_bits, next.len() >= NEXT,
        found.len() >= FOUND, shape.block.x == SPLIT_BLOCK, shape.shared_bytes >= SPLIT_SHARED_BYTES,
        shape.grid.count() == n.div_ceil(u64::from(SPLIT_TILE)).max(1),
    )]
    #[launch_bounds(SPLIT_BLOCK, 2)]
    pub unsafe fn split_keys(
        keys: In<u64>,
        split: InOut<u64>,
        bin_of_group: In<u16>,
        next: InOut<u32>,
        found: In<u32>,
        n: u64,
        rank_bits: u32,
        shift: u32,
    ) {
        let tile_start = u64::from(thread::block_idx_x()) * u64::from(SPLIT_TILE);
        let bins = Bins { bin_of_group, next, loops: found.get(BINS), rank_bits, shift };
        // All tiles but the last are full: their code asks for no key whether it is there.
        if n - tile_start >= u64::from(SPLIT_TILE) {
            split_tile::<true>(keys, split, tile_start, SPLIT_TILE, bins);
        } else {
            split_tile::<false>(keys, split, tile_start, (n - tile_start) as u32, bins);
        }
    }
);

#[derive(Clone, Copy)]
struct Bins {
    bin_of_group: In<u16>,
    next: InOut<u32>,
    /// The number after the last bin's.
    loops: u32,
    rank_bits: u32,
    shift: u32,
}

#[inline(always)]
fn split_tile<const FULL: bool>(
    keys: In<u64>,
    split: InOut<u64>,
    tile_start: u64,
    live: u32,
    bins: Bins,
) {
    let Bins { bin_of_group, next, loops, rank_bits, shift } = bins;
    let thread = thread::thread_idx_x();
    let (ordered, tile) = (TILE.keys.here(), TILE.split.here());
    // That of the self-loops, too.
    let all_bins = loops + 1;
    tile.clear(all_bins);
    let exists = |item: usize| FULL || thread + item as u32 * SPLIT_BLOCK < live;
    let first = tile_start + u64::from(thread);
    let mut key = [0; ITEMS];
    for item in 0..ITEMS {
        if exists(item) {
            key[item] = keys.get(first + item as u64 * u64::from(SPLIT_BLOCK));
        }
    }
    thread::sync_threads();
    let self_loop = self_loop_key(rank_bits);
    // Two to a register: a tile has fewer than 2^16 keys.
    let mut ranks = [0u32; ITEMS.div_ceil(2)];
    for item in 0..ITEMS {
        let mut bin = loops;
        if exists(item) && key[item] != self_loop {
            let group = (key[item] >> rank_bits) >> shift;
            bin = u32::from(bin_of_group.get(group));
        }
        key[item] |= u64::from(bin) << BIN_AT;
        let rank = tile.rank(bin, exists(item)) & 0xffff;
        ranks[item / 2] = pin_32(ranks[item / 2] | rank << (item % 2 * 16));
    }
    let live = tile.close(all_bins);
    tile.take(all_bins, live, |bin, keys| next.atomic_add(u64::from(bin), keys));
    // The bins are taken from the keys again: sixteen registers less.
    let bin_at = pin_32(BIN_AT);
    for item in 0..ITEMS {
        if exists(item) {
            let rank = ranks[item / 2] >> (item % 2 * 16) & 0xffff;
            ordered.set(tile.slot((key[item] >> bin_at) as u32, rank), key[item]);
        }
    }
    thread::sync_threads();
    for item in 0..ITEMS {
        if exists(item) {
            let at = thread + item as u32 * SPLIT_BLOCK;
            let key = ordered.get(at);
            let target = tile.target((key >> BIN_AT) as u32, at);
            split.set(u64::from(target), key & u64::MAX >> BIN_BITS);
        }
    }
}
