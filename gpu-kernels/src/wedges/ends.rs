use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread, warp};

use crate::primitives::{Scanned, WideSums, block_lookback, block_scan_exclusive, block_ticket};

/// Threads in a block of [`wedge_ends`].
pub const ENDS_BLOCK: u32 = 256;

/// Vertices of a thread.
const ITEMS: usize = 4;

/// Vertices of a tile, which a block takes at a time.
pub const ENDS_TILE: u32 = ENDS_BLOCK * ITEMS as u32;

const TOTALS_AT: u32 = 0;
const BASE_AT: u32 = TOTALS_AT + ENDS_BLOCK / warp::SIZE * 8;
const TILE_AT: u32 = BASE_AT + 8;

/// Bytes of shared memory of a block.
pub const ENDS_SHARED_BYTES: u32 = TILE_AT + 8;

/// Wedges of a row: the pairs of its entries.
#[inline(always)]
pub fn wedges_of(row: u64) -> u64 {
    let degree = (row >> 32) - (row & 0xffff_ffff);
    degree * degree.saturating_sub(1) / 2
}

kernel!(
    /// `ends[v]` = the wedges of the rows up to and with `v`, of `n` rows in all.
    ///
    /// Row `v` is `rows[v]`: its first entry in the low half, one past its last in the high half. A
    /// row of d entries has d(d-1)/2 wedges. The sum stays below 2⁶²: fewer than 2³² entries in both
    /// directions are fewer than 2³¹ edges, and m edges have at most m(m-1)/2 pairs that share a vertex
    /// (two edges of a simple graph share at most one).
    ///
    /// `words` has a word a tile and `ticket` one word; all are zero before.
    #[requires(
        |shape| n > 0, n <= 1 << 32, rows.len() >= n, ends.len() >= n, words.len() >= n.div_ceil(u64::from(ENDS_TILE)),
        !ticket.is_empty(), shape.block.x == ENDS_BLOCK, shape.shared_bytes >= ENDS_SHARED_BYTES,
    )]
    pub unsafe fn wedge_ends(
        rows: In<u64>,
        ends: InOut<u64>,
        words: InOut<u64>,
        ticket: InOut<u32>,
        n: u64,
    ) {
        let thread = thread::thread_idx_x();
        let tile_slot = shared::array::<u32>(TILE_AT, 1);
        let base_slot = shared::array::<u64>(BASE_AT, 1);
        let tile = u64::from(block_ticket(ticket, tile_slot));
        // A thread owns neighbouring vertices: one scan of the block is enough.
        let first = tile * u64::from(ENDS_TILE) + u64::from(thread) * ITEMS as u64;
        let mut sum = [0u64; ITEMS];
        let mut own = 0;
        for item in 0..ITEMS {
            let v = first + item as u64;
            if v < n {
                own += wedges_of(rows.get(v));
            }
            sum[item] = own;
        }
        let totals = shared::array::<u64>(TOTALS_AT, ENDS_BLOCK / warp::SIZE);
        let Scanned { before, all } = block_scan_exclusive(totals, own);
        let before = before + block_lookback(words, WideSums, tile, all, base_slot);
        for item in 0..ITEMS {
            let v = first + item as u64;
            if v < n {
                ends.set(v, before + sum[item]);
            }
        }
    }
);
