use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, shared, thread, warp};

use super::{BLOCK, FIRST_BIT, ROW_WORDS, WORDS, first_bit, second_bit};

/// Ranks of a block.
pub const RANKS: u32 = BLOCK;

const WARPS: u32 = BLOCK / warp::SIZE;
const WORDS_AT: u32 = 0;
const STARTS_AT: u32 = WORDS_AT + RANKS * ROW_WORDS * 4;
const ENDS_AT: u32 = STARTS_AT + WARPS * 4;

/// Bytes of shared memory of a block of [`row_bloom_filters`].
pub const MAKE_SHARED_BYTES: u32 = ENDS_AT + WARPS * 4;

kernel!(
    /// The filters of rank r to `filters[r * ROW_WORDS..]`: first and second. A block for each
    /// [`RANKS`] of the `ranks`.
    ///
    /// Edges and rows as in `forward_merge`. The edges of a block's ranks lie side by side, and each
    /// adds its two bits in shared memory.
    #[requires(
        |shape| ranks > 0, ranks < 1 << 32, rows.len() >= ranks, tails.len() == heads.len(),
        filters.len() >= ranks * u64::from(ROW_WORDS), shape.block.x == BLOCK, shape.shared_bytes >= MAKE_SHARED_BYTES,
    )]
    pub unsafe fn row_bloom_filters(
        tails: In<u32>,
        heads: In<u32>,
        rows: In<u64>,
        filters: InOut<u32>,
        ranks: u64,
    ) {
        let thread = thread::thread_idx_x();
        let words = shared::array::<u32>(WORDS_AT, RANKS * ROW_WORDS);
        let starts = shared::array::<u32>(STARTS_AT, WARPS);
        let ends = shared::array::<u32>(ENDS_AT, WARPS);
        let first_rank = thread::block_idx_x() * RANKS;
        let own_ranks = (ranks as u32 - first_rank).min(RANKS);
        let row = if thread < own_ranks { rows.get(u64::from(first_rank + thread)) } else { 0 };
        // An empty row is 0: it has no start to go by.
        let start_below = if row == 0 { 0 } else { !(row as u32) };
        let start_below = warp::warp_reduce_max_32(warp::ALL, start_below);
        let end = warp::warp_reduce_max_32(warp::ALL, (row >> 32) as u32);
        if warp::lane_id() == 0 {
            starts.set(thread / warp::SIZE, start_below);
            ends.set(thread / warp::SIZE, end);
        }
        let mut at = thread;
        while at < own_ranks * ROW_WORDS {
            words.set(at, 0);
            at += BLOCK;
        }
        thread::sync_threads();
        let (mut start_below, mut end) = (0, 0);
        let mut w = 0;
        while w < WARPS {
            start_below = starts.get(w).max(start_below);
            end = ends.get(w).max(end);
            w += 1;
        }
        // Without an edge, `end` is 0.
        let mut i = u64::from(!start_below) + u64::from(thread);
        while i < u64::from(end) {
            let head = heads.get(i);
            let first_word = (tails.get(i) - first_rank) * ROW_WORDS;
            let (first, second) = (first_bit(head), second_bit(head));
            words.atomic_or(first_word + first / 32, FIRST_BIT >> (first % 32));
            words.atomic_or(first_word + WORDS + second / 32, FIRST_BIT >> (second % 32));
            i += u64::from(BLOCK);
        }
        thread::sync_threads();
        let mut at = thread;
        while at < own_ranks * ROW_WORDS {
            filters
                .set(u64::from(first_rank) * u64::from(ROW_WORDS) + u64::from(at), words.get(at));
            at += BLOCK;
        }
    }
);
