use tribin_device::memory::{In, InOut, U64x2};
use tribin_device::shared::Shared;
use tribin_device::{kernel, shared, thread, warp};

use super::{BLOCK, FIRST_BIT, ROW_WORDS, WORDS, first_bit, second_bit};
use crate::forward::TOTALS;
use crate::primitives::{HeldWedges, block_add_to, is_in_row, passing_before, passing_of_batch};

/// Blocks a multiprocessor of [`filter_search`]. Warps that go round more often hold more wedges before they search for what
/// is left at the end, and fewer blocks have more unequal work.
pub const BLOCKS_PER_MULTIPROCESSOR: u32 = 256;

const HELD_AT: u32 = BLOCK * WORDS * 4;

/// Bytes of shared memory of a block of [`filter_search`].
pub const FILTER_SHARED_BYTES: u32 = HELD_AT + HeldWedges::shared_bytes(BLOCK);

/// Wedges of a lane between two looks at whether there are more.
const ROUND: u32 = 4;

kernel!(
    /// Adds the number of triangles that the edges from place `first` to before `m` close to `totals`: over all
    /// edges, their sum is the count.
    ///
    /// Edges and rows as in `forward_merge`; `filters` are those of `row_bloom_filters`, and `wide` are the same, four
    /// words to an element.
    ///
    /// A lane takes an edge u → a, with a's first filter, and the vertices of its prefix go by: those
    /// of its own warp's edges from lane to lane, the others from memory, one for all lanes at a time. A warp holds the wedges
    /// that are left until each lane has one.
    ///
    /// The total is below 2⁴⁷ (`forward_merge` says why).
    #[requires(
        |shape| tails.len() >= m, heads.len() >= m, m < 1 << 32, wide.len() * 4 == filters.len(),
        filters.len() >= rows.len() * u64::from(ROW_WORDS), totals.len() >= TOTALS, shape.block.x == BLOCK,
        shape.shared_bytes >= FILTER_SHARED_BYTES,
    )]
    #[launch_bounds(BLOCK, 16)]
    pub unsafe fn filter_search(
        tails: In<u32>,
        heads: In<u32>,
        rows: In<u64>,
        filters: In<u32>,
        wide: In<U64x2>,
        totals: InOut<u64>,
        first: u64,
        m: u64,
    ) {
        let lane = warp::lane_id();
        // Word w of a lane's filter stands in bank `lane`: no two lanes of a warp meet.
        let columns = shared::array::<u32>(
            thread::thread_idx_x() / warp::SIZE * (warp::SIZE * WORDS * 4),
            warp::SIZE * WORDS,
        );
        let closes = |vertex, head| {
            second_passes(filters, vertex, head) && is_in_row(heads, rows, vertex, head)
        };
        let mut held = HeldWedges::none(HELD_AT);
        let warp_first = first + thread::index_1d() - u64::from(lane);
        // Edges from the warp's first on: at most m, and so below 2³².
        let mut left = m.saturating_sub(warp_first) as u32;
        let stride = thread::grid_size().min(u64::from(u32::MAX)) as u32;
        while left > 0 {
            let warp_start = m as u32 - left;
            let place = warp_start.wrapping_add(lane);
            let (mut head, mut start) = (0, place);
            if lane < left {
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
            // The part of the prefix that this warp's lanes have, and the part before.
            let own = if lane < left { place - start.max(warp_start) } else { 0 };
            let bit = first_bit(head);
            let passes = |bit| is_set(columns, lane, bit);
            let found = passing_before::<ROUND>(own, bit, passes);
            let place_of = |bit| place - 1 - bit;
            held.hold_all(found, (heads, head), place_of, closes);

            // Only the row that goes on from the warp before has such a part: lane 0's.
            let mut from = warp::warp_shuffle_idx(warp::ALL, start, 0);
            while from < warp_start {
                let batch = (warp_start - from).min(warp::SIZE);
                let vertex = if lane < batch { heads.get(u64::from(from + lane)) } else { 0 };
                let bit = first_bit(vertex);
                let mut found = passing_of_batch::<ROUND>(batch, bit, passes);
                if start >= warp_start {
                    found = 0;
                }
                held.hold_all(found, (heads, head), |bit| from + bit, closes);
                from += batch;
            }
            left = left.saturating_sub(stride);
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, held.finish(closes));
    }
);

/// 1 if `bit` is in the filter of column `lane`, and 0 if not. The rotation brings the bit to the top, where a shift over 64
/// bits takes it from.
#[inline(always)]
fn is_set(columns: Shared<u32>, lane: u32, bit: u32) -> u32 {
    // Word bit / 32 of 32 columns: without the low five bits.
    columns.get((bit & !31) + lane).rotate_left(bit % 32) >> 31
}

/// Whether the vertex' bit is in the second filter of the row of `head`.
#[inline(always)]
fn second_passes(filters: In<u32>, vertex: u32, head: u32) -> bool {
    let bit = second_bit(vertex);
    let word = u64::from(head) * u64::from(ROW_WORDS) + u64::from(WORDS + bit / 32);
    filters.get(word) & FIRST_BIT >> (bit % 32) != 0
}
