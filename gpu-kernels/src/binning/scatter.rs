use tribin_device::memory::{In, InOut, U64x2};
use tribin_device::{kernel, thread};

use super::queue::{Queue, Tile};
use crate::radix_sort::{DigitAt, Places, clear_counts, scatter_tile};

kernel! {
    /// Moves the keys of level `level` to where `bin_scan` says, stable, except those of buckets that
    /// do not go on. Launch with the radix sort's `SCATTER_BLOCK` threads and `SCATTER_SHARED_BYTES`.
    ///
    /// Queue and `matrix` are the level's, `alive` is of its `bin_emit`.
    pub fn bin_scatter(
        keys: In<u64>, binned: InOut<u64>, parts_before: In<u32>, segments: In<U64x2>,
        counters: In<u64>, matrix: In<u32>, alive: In<u32>, level: u32, shift: u32, bits: u32
    )
    requires {
        counters.len() > u64::from(level), bits >= 1, bits <= 8, shift < 64,
        binned.len() >= keys.len(),
    }
    launch_bounds(crate::radix_sort::SCATTER_BLOCK, 4)
    {
        let buckets = 1u32 << bits;
        let digit = DigitAt { shift, mask: buckets - 1 };
        let queue = Queue::new(parts_before, segments, counters.get(u64::from(level)));
        let (mut part, end) = queue.share();
        if part < end {
            let mut entry = queue.entry_of(part);
            while part < end {
                entry = queue.advance(entry, part);
                let tile = Tile::of(entry, part, buckets);
                clear_counts();
                thread::sync_threads();
                let places = Buckets { matrix, alive, tile, bits };
                scatter_tile::<false, _>(keys, tile.start, tile.end(), binned, digit, places);
                thread::sync_threads();
                part += 1;
            }
        }
    }
}

/// The places of a tile of a level: those that the matrix gives.
#[derive(Clone, Copy)]
struct Buckets {
    matrix: In<u32>,
    alive: In<u32>,
    tile: Tile,
    bits: u32,
}

impl Places for Buckets {
    const PRUNES: bool = true;

    #[inline(always)]
    unsafe fn keeps(self, digit: u32) -> bool {
        let bucket = (u64::from(self.tile.segment) << self.bits) + u64::from(digit);
        self.alive.get(bucket / 32) >> (bucket % 32) & 1 == 1
    }

    #[inline(always)]
    unsafe fn publish(self, _in_tile: u32) {}

    #[inline(always)]
    unsafe fn first(self, in_tile: u32) -> u32 {
        let bucket = thread::thread_idx_x();
        if bucket >= 1 << self.bits {
            return 0;
        }
        let at = self.tile.column + u64::from(bucket) * u64::from(self.tile.stride);
        self.matrix.get(at).wrapping_sub(in_tile)
    }
}
