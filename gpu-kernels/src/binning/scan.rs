use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread, warp};

use crate::primitives::{
    LookbackState, Scanned, block_scan_exclusive, lookback_publish_first, lookback_warp,
};

/// Threads in a block of [`bin_scan`].
pub const SCAN_BLOCK: u32 = 256;

/// Counts of a thread.
const ITEMS: usize = 8;

/// Counts of a tile, which a block takes at a time.
pub const SCAN_TILE: u32 = SCAN_BLOCK * ITEMS as u32;

const TOTALS_AT: u32 = 0;
const TILE_AT: u32 = TOTALS_AT + SCAN_BLOCK / warp::SIZE * 4;
const BASE_AT: u32 = TILE_AT + 4;

/// Bytes of shared memory of a block.
pub const SCAN_SHARED_BYTES: u32 = BASE_AT + 4;

kernel!(
    /// Makes the count matrix of level `level` its inclusive sums, in place. The sum is the number of
    /// keys, below 2³².
    ///
    /// `words` has a word a tile; it and `tickets` are zero before the first level of a batch.
    #[requires(
        |shape| counters.len() > u64::from(level), tickets.len() > u64::from(level), bits >= 1, bits <= 8,
        words.len() >= matrix.len().div_ceil(u64::from(SCAN_TILE)), shape.block.x == SCAN_BLOCK,
        shape.shared_bytes >= SCAN_SHARED_BYTES,
    )]
    pub unsafe fn bin_scan(
        counters: In<u64>,
        matrix: InOut<u32>,
        words: InOut<u64>,
        tickets: InOut<u32>,
        level: u32,
        bits: u32,
    ) {
        let thread = thread::thread_idx_x();
        let tile_slot = shared::array::<u32>(TILE_AT, 1);
        let base_slot = shared::array::<u32>(BASE_AT, 1);
        let totals = shared::array::<u32>(TOTALS_AT, SCAN_BLOCK / warp::SIZE);
        let n = (counters.get(u64::from(level)) & 0xffff_ffff) << bits;
        let state = LookbackState::of_pass(level);
        loop {
            if thread == 0 {
                tile_slot.set(0, tickets.atomic_add(u64::from(level), 1));
            }
            thread::sync_threads();
            let tile = u64::from(tile_slot.get(0));
            if tile * u64::from(SCAN_TILE) >= n {
                break;
            }
            // A thread owns neighbouring counts: one scan of the block is enough.
            let first = tile * u64::from(SCAN_TILE) + u64::from(thread) * ITEMS as u64;
            let mut sum = [0u32; ITEMS];
            let mut own = 0;
            for item in 0..ITEMS {
                if first + (item as u64) < n {
                    own += matrix.get(first + item as u64);
                }
                sum[item] = own;
            }
            let Scanned { before, all } = block_scan_exclusive(totals, own);
            if thread < warp::SIZE {
                if thread == 0 {
                    lookback_publish_first(words, state, tile, all);
                }
                let base = lookback_warp(words, state, tile, all);
                if thread == 0 {
                    base_slot.set(0, base);
                }
            }
            thread::sync_threads();
            let before = before + base_slot.get(0);
            for item in 0..ITEMS {
                if first + (item as u64) < n {
                    matrix.set(first + item as u64, before + sum[item]);
                }
            }
        }
    }
);
