//! From sorted keys to the graph: duplicates and self-loops out, structure of arrays, node array.
//!
//! Four steps of paper 004 (III-B4, B6, B7, B8) in one read of the keys: the place of every kept
//! edge is the number kept before it, found by look-back while the tile's keys are in registers.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, warp};

use crate::orient::self_loop_key;
use crate::primitives::{COMPACT_ITEMS as ITEMS, CompactTile, warp_add_runs};

pub use crate::primitives::{
    COMPACT_BLOCK as BLOCK, COMPACT_SHARED_BYTES as SHARED_BYTES, COMPACT_TILE as TILE,
};

kernel!(
    /// Writes the distinct edges among the sorted keys of `orient_edges` to `tails` (larger rank)
    /// and `heads`, where row `r` stands to `rows[2r]` (first edge) and `rows[2r + 1]` (one past the
    /// last), and their number to `kept[0]`. Rows without edges are not written. Takes off
    /// `degree_of_rank` what duplicates had added.
    ///
    /// `words` has a word a tile and `ticket` one word; all are zero before.
    #[requires(
        |shape| n > 0, n < 1 << 32, (1..=32).contains(&rank_bits), keys.len() >= n, tails.len() >= n, heads.len() >= n,
        rows.len() >= 2 * degree_of_rank.len(), !kept.is_empty(), words.len() >= n.div_ceil(u64::from(TILE)),
        !ticket.is_empty(), shape.block.x == BLOCK, shape.shared_bytes >= SHARED_BYTES,
    )]
    pub unsafe fn unique_edges(
        keys: In<u64>,
        tails: InOut<u32>,
        heads: InOut<u32>,
        rows: InOut<u32>,
        degree_of_rank: InOut<u32>,
        kept: InOut<u64>,
        words: InOut<u64>,
        ticket: InOut<u32>,
        n: u64,
        rank_bits: u32,
    ) {
        let lane = warp::lane_id();
        let tile = CompactTile::take(ticket);

        // What stands for no key too: before the first, and past the last.
        let self_loop = self_loop_key(rank_bits);
        // All reads are on their way before the first is waited for; every key is read twice, the
        // second time from the L1 cache, which costs less than exchanges between lanes.
        let mut key = [self_loop; ITEMS];
        let mut before = [self_loop; ITEMS];
        for item in 0..ITEMS {
            let i = tile.item(item);
            if i < n {
                key[item] = keys.get(i);
                if i > 0 {
                    before[item] = keys.get(i - 1);
                }
            }
        }
        let mut kept_lanes = [0u32; ITEMS];
        let mut in_warp = 0;
        for item in 0..ITEMS {
            let keep = key[item] != self_loop && key[item] != before[item];
            kept_lanes[item] = warp::warp_vote_ballot(warp::ALL, keep);
            in_warp += kept_lanes[item].count_ones();
        }
        let mut place = tile.keep(in_warp, words).place;

        for item in 0..ITEMS {
            let i = tile.item(item);
            let (key, before) = (key[item], before[item]);
            let keep = kept_lanes[item] >> lane & 1 == 1;
            let at = place + (kept_lanes[item] & warp::lane_mask_lt()).count_ones();
            place += kept_lanes[item].count_ones();
            let tail = (key >> rank_bits) as u32;
            let before_tail = (before >> rank_bits) as u32;
            let head = key as u32 & (u32::MAX >> (32 - rank_bits));
            if keep {
                tails.set(u64::from(at), tail);
                heads.set(u64::from(at), head);
                if before == self_loop || before_tail != tail {
                    rows.set(2 * u64::from(tail), at);
                }
            }
            // A row ends where the next begins, where the self-loops begin, and at the end.
            let last = i == n - 1;
            if i < n && before != self_loop && (key == self_loop || before_tail != tail) {
                rows.set(2 * u64::from(before_tail) + 1, at);
            }
            if last {
                let end = at + u32::from(keep);
                if key != self_loop {
                    rows.set(2 * u64::from(tail) + 1, end);
                }
                kept.set(0, u64::from(end));
            }
            let repeats = i < n && key != self_loop && !keep;
            // Few warps of a graph of few duplicates have one.
            if warp::warp_vote_any(warp::ALL, repeats) {
                warp_add_runs(degree_of_rank, tail, repeats, u32::MAX);
                warp_add_runs(degree_of_rank, head, repeats, u32::MAX);
            }
        }
    }
);
