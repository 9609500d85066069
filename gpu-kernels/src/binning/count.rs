use core::ops::Range;
use warpwise_device::memory::{In, InOut, U64x2};

use warpwise_device::shared::{self, Shared};
use warpwise_device::{kernel, thread};

use super::MOST_BUCKETS;
use super::digit::DigitAt;
use super::queue::{Queue, Tile};
use crate::primitives::WarpRun;

/// Threads in a block of [`bin_count`]: at least one for every bucket.
pub const COUNT_BLOCK: u32 = 256;

/// Keys that a thread reads at once.
const ITEMS: usize = 8;

/// Keys that a block reads at once.
const ROUND: u32 = COUNT_BLOCK * ITEMS as u32;

/// Bytes of shared memory of a block.
pub const COUNT_SHARED_BYTES: u32 = MOST_BUCKETS * 4;

kernel!(
    /// The count matrix of level `level`: how many keys of each tile are in each bucket.
    ///
    /// The counts of a segment stand together: bucket by bucket its edge tiles, then bucket by bucket
    /// its candidate tiles (column-major, 003, section II-D). A key's bucket is its `bits` bits from
    /// bit `shift` on. `parts_before` and `segments` are the level's queue, and `counters[level]` its
    /// counter; `matrix` has room for all its tiles.
    #[requires(
        |shape| counters.len() > u64::from(level), bits >= 1, bits <= 8, shift < 64,
        shape.shared_bytes >= COUNT_SHARED_BYTES,
    )]
    #[launch_bounds(COUNT_BLOCK, 5)]
    pub unsafe fn bin_count(
        keys: In<u64>,
        parts_before: In<u32>,
        segments: In<U64x2>,
        counters: In<u64>,
        matrix: InOut<u32>,
        level: u32,
        shift: u32,
        bits: u32,
    ) {
        let buckets = 1u32 << bits;
        let digit = DigitAt { shift, mask: buckets - 1 };
        let thread = thread::thread_idx_x();
        let counts = shared::array::<u32>(0, MOST_BUCKETS);
        let queue = Queue::new(parts_before, segments, counters.get(u64::from(level)));
        let Range { start: mut part, end } = queue.share();
        if part < end {
            let mut entry = queue.entry_of(part);
            while part < end {
                entry = queue.advance(entry, part);
                let tile = Tile::of(entry, part, buckets);
                counts.set(thread, 0);
                thread::sync_threads();
                let mut first = 0;
                while first < tile.live {
                    let live = tile.live - first;
                    // Nearly all rounds are full: their code asks for no key whether it is there.
                    if live >= ROUND {
                        count_round::<true>(
                            counts,
                            keys,
                            tile.start + u64::from(first),
                            live,
                            digit,
                        );
                    } else {
                        count_round::<false>(
                            counts,
                            keys,
                            tile.start + u64::from(first),
                            live,
                            digit,
                        );
                    }
                    first += ROUND;
                }
                thread::sync_threads();
                if thread < buckets {
                    let at = tile.column + u64::from(thread) * u64::from(tile.stride);
                    matrix.set(at, counts.get(thread));
                }
                part += 1;
            }
        }
    }
);

/// Counts the `live` keys from `start` on, or the first [`ROUND`] of them, which there are with `FULL`.
#[inline(always)]
fn count_round<const FULL: bool>(
    counts: Shared<u32>,
    keys: In<u64>,
    start: u64,
    live: u32,
    digit: DigitAt,
) {
    let thread = thread::thread_idx_x();
    let first_key = start + u64::from(thread);
    let mut key = [0u64; ITEMS];
    for i in 0..ITEMS {
        if FULL || i as u32 * COUNT_BLOCK + thread < live {
            key[i] = keys.get(first_key + i as u64 * u64::from(COUNT_BLOCK));
        }
    }
    // Whole warps take part. The candidates of a vertex's wedges begin alike, so that neighbours often
    // share a bucket.
    for i in 0..ITEMS {
        let exists = FULL || i as u32 * COUNT_BLOCK + thread < live;
        let run = WarpRun::of(digit.of(key[i]), exists);
        if run.is_first {
            counts.atomic_add(digit.of(key[i]), run.lanes());
        }
    }
}
