use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, shared, thread, warp};

use super::BLOCK;
use crate::primitives::{
    Scanned, WideSums, block_lookback, block_scan_exclusive_64, block_ticket,
    warp_scan_exclusive_64,
};

const WARPS: u32 = BLOCK / warp::SIZE;

const WARP: u64 = warp::SIZE as u64;

/// Ranks of a lane of [`row_starts`].
const ITEMS: usize = 16;

/// Ranks that a block of [`row_starts`] takes.
pub const SCAN_TILE: u32 = BLOCK * ITEMS as u32;

const TOTALS_AT: u32 = 0;
const BASE_AT: u32 = TOTALS_AT + WARPS * 8;
const TILE_AT: u32 = BASE_AT + 8;

/// Bytes of shared memory of a block of [`row_starts`].
pub const SCAN_SHARED_BYTES: u32 = TILE_AT + 4;

/// Rows and entries that a warp of [`tails_of_rows`] takes at a time.
pub const TAILS_TILE: u32 = 2048;

kernel!(
    /// `lengths[k]` = the length of row `first + k` of `rows`, for every k < `count`.
    #[requires(rows.len() >= first, rows.len() - first >= count, lengths.len() >= count)]
    pub unsafe fn part_lengths(rows: In<u64>, lengths: InOut<u32>, first: u64, count: u64) {
        for k in thread::of_grid(count) {
            let row = rows.get(first + k);
            lengths.set(k, (row >> 32) as u32 - row as u32);
        }
    }
);

kernel!(
    /// `starts[k]` = the sum of `lengths[j]` over the j below k, for every k < n, and their sum over all for k = n.
    ///
    /// `words` has a word for each [`SCAN_TILE`] of the n + 1, and `ticket` one word; all are zero before. Launch
    /// with a block of [`BLOCK`] threads for each word. The sum is below 2⁶².
    #[requires(
        |shape| lengths.len() >= n, starts.len() > n, !ticket.is_empty(),
        words.len() >= (n + 1).div_ceil(u64::from(SCAN_TILE)), shape.block.x == BLOCK,
        shape.shared_bytes >= SCAN_SHARED_BYTES,
    )]
    pub unsafe fn row_starts(
        lengths: In<u32>,
        starts: InOut<u64>,
        words: InOut<u64>,
        ticket: InOut<u32>,
        n: u64,
    ) {
        let thread = thread::thread_idx_x();
        let totals = shared::array::<u64>(TOTALS_AT, WARPS);
        let base_slot = shared::array::<u64>(BASE_AT, 1);
        let tile_slot = shared::array::<u32>(TILE_AT, 1);
        let tile = u64::from(block_ticket(ticket, tile_slot));
        // Lanes of a warp have neighbouring ranks, and the warp takes 32 after the other.
        let lane = warp::lane_id();
        let warp_ranks = u64::from(thread / warp::SIZE) * WARP * ITEMS as u64;
        let from = tile * u64::from(SCAN_TILE) + warp_ranks + u64::from(lane);
        let mut length = [0u32; ITEMS];
        for item in 0..ITEMS {
            let k = from + item as u64 * WARP;
            length[item] = if k < n { lengths.get(k) } else { 0 };
        }
        let mut before = [0u64; ITEMS];
        let mut in_warp = 0u64;
        for item in 0..ITEMS {
            let Scanned { before: before_lane, all: in_all } =
                warp_scan_exclusive_64(u64::from(length[item]));
            before[item] = in_warp + before_lane;
            in_warp += in_all;
        }
        let own = if lane == warp::SIZE - 1 { in_warp } else { 0 };
        let Scanned { before: before_warp, all: in_tile } = block_scan_exclusive_64(totals, own);
        let base = block_lookback(words, WideSums, tile, in_tile, base_slot) + before_warp;
        for item in 0..ITEMS {
            let k = from + item as u64 * WARP;
            if k <= n {
                starts.set(k, base + before[item]);
            }
        }
    }
);

kernel!(
    /// `tails[e]` = the row that entry e is in, for all entries of `n` rows from `first` on, whose `starts` are those of [`row_starts`].
    /// Entries are counted from the first row's first. A warp takes [`TAILS_TILE`] neighbouring rows and entries at a time,
    /// whatever the lengths of the rows. Entry e of row k comes after e entries and k rows.
    ///
    /// Launch with whole warps. `tails` has room for all entries.
    #[requires(starts.len() > n)]
    pub unsafe fn tails_of_rows(starts: In<u64>, tails: InOut<u32>, first: u64, n: u64) {
        let lane = u64::from(warp::lane_id());
        let tile_len = u64::from(TAILS_TILE);
        let stride = thread::grid_size() / WARP * tile_len;
        let origin = starts.get(0);
        let all = starts.get(n) - origin + n;
        for tile in thread::strided(thread::index_1d() / WARP * tile_len..all, stride) {
            let RowAndEntry { row, entry } = row_and_entry(starts, n, tile);
            let past = row_and_entry(starts, n, all.min(tile + tile_len)).entry;
            // Entries are counted from the first of the tile: rows that begin before it begin at 0, and those behind its last at its end.
            let end = (past - entry) as u32;
            let in_tile = |row: u64| {
                (starts.get(n.min(row)) - origin).saturating_sub(entry).min(u64::from(end)) as u32
            };
            let mut at = 0;
            let mut k = row;
            let mut next = in_tile(k + lane);
            while at < end {
                // A lane has one of the rows from k on, the first of which begins at `at` or before. Those behind them are on their way.
                let begins = next;
                next = in_tile(k + WARP + lane);
                let until = warp::warp_shuffle_idx(warp::ALL, next, 0);
                for base in thread::strided(at..until, warp::SIZE) {
                    let number = base + lane as u32;
                    let of = last_at_most(begins, number);
                    if number < until {
                        tails.set(entry + u64::from(number), (first + k + u64::from(of)) as u32);
                    }
                }
                k += WARP;
                at = until;
            }
        }
    }
);

/// A place in rows: the row that comes next, and the entry.
struct RowAndEntry {
    row: u64,
    entry: u64,
}

/// The row and the entry that come after `before` rows and entries of `n` rows. There is at least one row. The whole warp calls it.
#[inline(always)]
fn row_and_entry(starts: In<u64>, n: u64, before: u64) -> RowAndEntry {
    let lane = u64::from(warp::lane_id());
    let origin = starts.get(0);
    let (mut low, mut high) = (0, n);
    while high - low > 1 {
        let step = (high - low).div_ceil(WARP);
        let row = low + (lane + 1) * step;
        let is_before = row < high && starts.get(row) - origin + row <= before;
        let lanes = warp::warp_vote_ballot(warp::ALL, is_before);
        low += u64::from(lanes.count_ones()) * step;
        high = high.min(low + step);
    }
    RowAndEntry { row: low, entry: (before - low).min(starts.get(low + 1) - origin) }
}

/// The last lane whose number is at most `number`; those of lanes ascend, and the first lane's is one of them. The whole warp calls it.
#[inline(always)]
fn last_at_most(of_lane: u32, number: u32) -> u32 {
    let mut last = 0;
    let mut half = warp::SIZE / 2;
    while half > 0 {
        let next = last + half;
        last = if warp::warp_shuffle_idx(warp::ALL, of_lane, next) <= number { next } else { last };
        half /= 2;
    }
    last
}

kernel!(
    /// `rows[r]` = the first place of row `r` in the low half and one past its last in the high half, 0 for an empty
    /// row, from the `starts` of [`row_starts`] for all ranks. There are fewer than 2³² edges.
    #[requires(starts.len() > n, rows.len() >= n)]
    pub unsafe fn pack_rows(starts: In<u64>, rows: InOut<u64>, n: u64) {
        for r in thread::of_grid(n) {
            let (start, end) = (starts.get(r), starts.get(r + 1));
            rows.set(r, if start == end { 0 } else { end << 32 | start });
        }
    }
);
