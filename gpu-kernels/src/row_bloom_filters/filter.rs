use tribin_device::memory::{In, InOut, U64x2};
use tribin_device::shared::Shared;
use tribin_device::{kernel, shared, thread, warp};

use super::{BLOCK, FIRST_BIT, ROW_WORDS, WORDS, first_bit, second_bit};
use crate::forward::TOTALS;
use crate::primitives::{block_add_to, lower_bound};

/// Bytes of shared memory of a block of [`filter_search`].
pub const FILTER_SHARED_BYTES: u32 = BLOCK * WORDS * 4;

/// Wedges of a lane between two looks at whether there are more.
const ROUND: u32 = 4;

kernel! {
    /// Adds the number of triangles that the edges from place `first` to before `m` close to `totals`: over all
    /// edges, their sum is the count.
    ///
    /// Edges and rows as in `forward_merge`; `filters` are those of `row_bloom_filters`, and `wide` are
    /// the same, four words to an element.
    ///
    /// A lane takes an edge u → a, with a's first filter, and the vertices of its prefix go by: those
    /// of its own warp's edges from lane to lane, the others from memory, one for all lanes at a time.
    ///
    /// A thread for each of these edges.
    ///
    /// The total is below 2⁴⁷ (`forward_merge` says why).
    pub fn filter_search(
        tails: In<u32>, heads: In<u32>, rows: In<u64>, filters: In<u32>, wide: In<U64x2>,
        totals: InOut<u64>, first: u32, m: u64
    )
    requires {
        tails.len() >= m, heads.len() >= m, m < 1 << 32, first.is_multiple_of(BLOCK),
        wide.len() * 4 == filters.len(),
        filters.len() >= rows.len() * u64::from(ROW_WORDS), totals.len() >= TOTALS,
    }
    launch_bounds(BLOCK, 16)
    {
        let lane = warp::lane_id();
        // Word w of a lane's filter stands in bank `lane`: no two lanes of a warp meet.
        let columns = shared::array::<u32>(
            thread::thread_idx_x() / warp::SIZE * (warp::SIZE * WORDS * 4), warp::SIZE * WORDS
        );
        let place = first + thread::block_idx_x() * BLOCK + thread::thread_idx_x();
        let (mut head, mut start) = (0, place);
        if u64::from(place) < m {
            head = heads.get(u64::from(place));
            start = rows.get(u64::from(tails.get(u64::from(place)))) as u32;
        }
        let mut quarter = 0;
        while quarter < WORDS / 4 {
            let mut words = [0; 2];
            if start < place {
                let at = u64::from(head) * u64::from(ROW_WORDS / 4) + u64::from(quarter);
                words = wide.get(at).0;
            }
            let column = quarter * 4 * warp::SIZE + lane;
            columns.set(column, words[0] as u32);
            columns.set(column + warp::SIZE, (words[0] >> 32) as u32);
            columns.set(column + 2 * warp::SIZE, words[1] as u32);
            columns.set(column + 3 * warp::SIZE, (words[1] >> 32) as u32);
            quarter += 1;
        }
        let row = Row { heads, rows, filters, head };
        // The part of the prefix that this warp's lanes have, and the part before.
        let warp_start = place - lane;
        let own = place - start.max(warp_start);

        let mut count = 0;
        let bit = first_bit(head);
        let most = warp::warp_reduce_max_32(warp::ALL, own);
        let mut found = 0u32;
        // The farthest first: every test shifts those before it up. A distance past the lanes gets some
        // lane's bit, and is not counted.
        let mut distance = most.next_multiple_of(ROUND);
        while distance > 0 {
            let mut k = 0;
            while k < ROUND {
                let other = warp::warp_shuffle_up(warp::ALL, bit, distance - k);
                found = test(columns, lane, other, found);
                k += 1;
            }
            distance -= ROUND;
        }
        // Bit d - 1, for d from 1 to `own`: the lane at distance d has an edge of the same tail.
        found &= (1 << own) - 1;
        while found != 0 {
            count += u32::from(row.closes(place - 1 - found.trailing_zeros()));
            found &= found - 1;
        }

        // Only the row that goes on from the warp before has such a part: lane 0's.
        let mut from = warp::warp_shuffle_idx(warp::ALL, start, 0);
        while from < warp_start {
            let batch = (warp_start - from).min(warp::SIZE);
            let vertex = if lane < batch { heads.get(u64::from(from + lane)) } else { 0 };
            let bit = first_bit(vertex);
            let mut found = 0u32;
            let mut end = batch.next_multiple_of(ROUND);
            while end > 0 {
                let mut k = 1;
                while k <= ROUND {
                    let other = warp::warp_shuffle_idx(warp::ALL, bit, end - k);
                    found = test(columns, lane, other, found);
                    k += 1;
                }
                end -= ROUND;
            }
            found &= u32::MAX >> (warp::SIZE - batch);
            if start >= warp_start {
                found = 0;
            }
            while found != 0 {
                count += u32::from(row.closes(from + found.trailing_zeros()));
                found &= found - 1;
            }
            from += batch;
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, u64::from(count));
    }
}

/// Shifts `found` up, and in whether `bit` is in the filter of column `lane`: the rotation brings the
/// bit to the top, and both shifts over 64 bits are one instruction each.
#[inline(always)]
fn test(columns: Shared<u32>, lane: u32, bit: u32, found: u32) -> u32 {
    // Word bit / 32 of 32 columns: without the low five bits.
    let word = columns.get((bit & !31) + lane).rotate_left(bit % 32);
    found << 1 | word >> 31
}

/// The row of an edge's head, for those whose bit is in its first filter.
struct Row {
    heads: In<u32>,
    rows: In<u64>,
    filters: In<u32>,
    head: u32,
}

impl Row {
    /// Whether the vertex at `place` of the tail's row is in it.
    #[inline(always)]
    fn closes(&self, place: u32) -> bool {
        let vertex = self.heads.get(u64::from(place));
        let bit = second_bit(vertex);
        let word = u64::from(self.head) * u64::from(ROW_WORDS) + u64::from(WORDS + bit / 32);
        if self.filters.get(word) & FIRST_BIT >> (bit % 32) == 0 {
            return false;
        }
        let row = self.rows.get(u64::from(self.head));
        let (start, end) = (row as u32, (row >> 32) as u32);
        let at = lower_bound(self.heads, start, end, vertex);
        at < end && self.heads.get(u64::from(at)) == vertex
    }
}
