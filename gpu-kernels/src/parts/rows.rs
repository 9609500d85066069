use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread, warp};

const WARP: u64 = warp::SIZE as u64;

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
    /// `tails[e]` = the row that entry e is in, for all entries of `n` rows from `first` on, whose `starts` are the [sums](warpwise_primitives::prefix_sums) of their lengths.
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
    /// row, from the `starts` of the rows of all ranks. There are fewer than 2³² edges.
    #[requires(starts.len() > n, rows.len() >= n)]
    pub unsafe fn pack_rows(starts: In<u64>, rows: InOut<u64>, n: u64) {
        for r in thread::of_grid(n) {
            let (start, end) = (starts.get(r), starts.get(r + 1));
            rows.set(r, if start == end { 0 } else { end << 32 | start });
        }
    }
);
