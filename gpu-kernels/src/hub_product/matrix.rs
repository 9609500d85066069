use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread, warp};

use super::{BLOCK, TILE, bit_words, is_matrix, span};

const WARPS: u32 = BLOCK / warp::SIZE;

/// Entries of a lane that are on their way at a time.
const ITEMS: usize = 4;

/// Bytes of shared memory of a block of [`hub_matrix`]: a row of bits for each warp.
pub const fn matrix_shared_bytes(hubs: u32) -> u32 {
    WARPS * hubs / 8
}

kernel!(
    /// Writes the edges between hubs to `bits`, where bit a of row u is the edge u → a. Writes to `spans` which spans of
    /// columns the rows of each tile have entries in. The spans are zero before.
    ///
    /// The rows of hubs have hubs alone as entries, and there are `ranks` rows. A warp puts a row together in shared memory, and writes all of it.
    ///
    /// Launch with any number of blocks of [`BLOCK`] threads.
    #[requires(
        |shape| is_matrix(hubs), rows.len() >= ranks, bits.len() >= bit_words(hubs),
        spans.len() >= u64::from(hubs / TILE), shape.block.x == BLOCK, shape.shared_bytes >= matrix_shared_bytes(hubs),
    )]
    pub unsafe fn hub_matrix(
        rows: In<u64>,
        heads: In<u32>,
        bits: InOut<u32>,
        spans: InOut<u32>,
        ranks: u64,
        hubs: u32,
    ) {
        let words = hubs / 32;
        let row_bits = shared::array::<u32>(thread::thread_idx_x() / warp::SIZE * words * 4, words);
        let lane = warp::lane_id();
        let warps = (thread::grid_size() / u64::from(warp::SIZE)) as u32;
        // The warp goes round together: its lanes share a row.
        let begin = (thread::index_1d() / u64::from(warp::SIZE)) as u32;
        for tail in thread::strided(begin..hubs, warps) {
            let row = if u64::from(tail) < ranks { rows.get(u64::from(tail)) } else { 0 };
            let (start, end) = (row as u32, (row >> 32) as u32);
            for word in thread::strided(lane..words, warp::SIZE) {
                row_bits.set(word, 0);
            }
            warp::sync_warp(warp::ALL);
            for at in thread::strided(start + lane..end, ITEMS as u32 * warp::SIZE) {
                let mut head = [0; ITEMS];
                for item in 0..ITEMS {
                    let place = at + item as u32 * warp::SIZE;
                    if place < end {
                        head[item] = heads.get(u64::from(place));
                    }
                }
                for item in 0..ITEMS {
                    if at + (item as u32) * warp::SIZE < end {
                        row_bits.atomic_or(head[item] / 32, 1 << (head[item] % 32));
                    }
                }
            }
            warp::sync_warp(warp::ALL);
            let mut in_spans = 0;
            for word in thread::strided(lane..words, warp::SIZE) {
                let of_word = row_bits.get(word);
                bits.set(u64::from(tail) * u64::from(words) + u64::from(word), of_word);
                if of_word != 0 {
                    // `max` tells the compiler that a span is not 0.
                    in_spans |= 1 << (32 * word / span(hubs).max(1));
                }
            }
            let in_spans = warp::warp_reduce_or_32(warp::ALL, in_spans);
            if lane == 0 && in_spans != 0 {
                spans.atomic_or(u64::from(tail / TILE), in_spans);
            }
            // The next row takes the place of this one.
            warp::sync_warp(warp::ALL);
        }
    }
);
