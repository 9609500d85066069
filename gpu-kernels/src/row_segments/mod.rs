//! Rows as segments of 32 ranks with an entry, merged: where the entries of a row are near each other, a step
//! of the merge takes many of them (002, section III-B4, merged as in 004, section III-C).
//!
//! A segment is its number in the low half of a word, and a bit for each entry in the high half: one read.
//! Rows stand where they stand as entries, so that each is cut on its own, without a scan over all.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread, warp};

use crate::forward::TOTALS;
use crate::primitives::block_add_to;

/// Threads in a block of [`row_segments`].
pub const BLOCK: u32 = 128;

/// Ranks of a segment.
pub const WIDTH: u32 = u32::BITS;

kernel! {
    /// Writes the segments of the rows `0..n` to `segments`, each row's from its first entry's place on,
    /// and to `segment_rows` the first place in the low half and one past the last in the high half, 0 for an
    /// empty row. Behind a row's segments stands another word, of any content. Edges and rows as in
    /// `forward_merge`.
    ///
    /// A thread for each row, [`BLOCK`] in a block. The rows of a warp lie side by side, and it takes their
    /// entries as one sequence, a lane each: who begins and ends a segment or a row is seen from the neighbours,
    /// and places and bits from what the lanes before have.
    pub fn row_segments(
        tails: In<u32>, heads: In<u32>, rows: In<u64>, segments: InOut<u64>,
        segment_rows: InOut<u64>, n: u64, m: u64
    )
    requires {
        n <= 1 << 32, rows.len() >= n, segment_rows.len() >= n, tails.len() >= m, heads.len() >= m,
        m < 1 << 32, segments.len() > m,
    }
    {
        let r = thread::index_1d();
        let row = if r < n { rows.get(r) } else { 0 };
        if r < n && row == 0 {
            segment_rows.set(r, 0);
        }
        // An empty row is 0: it has no start to go by.
        let start_below = if row == 0 { 0 } else { !(row as u32) };
        let first = !warp::warp_reduce_max_32(warp::ALL, start_below);
        let last = warp::warp_reduce_max_32(warp::ALL, (row >> 32) as u32);
        let lane = warp::lane_id();
        let up_to_here = warp::lane_mask_lt() << 1 | 1;
        // Of the row and the segment that the lanes before were in: where the row starts, the place after the
        // segment's, and its bits.
        let (mut row_start, mut next_at, mut open_bits) = (0, 0, 0);
        let mut base = first;
        // Without an entry, `first` is past every `last`.
        while base < last {
            let i = base + lane;
            let live = i < last;
            let (mut tail, mut head, mut starts_row, mut starts) = (0, 0, false, false);
            let (mut ends_row, mut ends) = (false, false);
            if live {
                let place = u64::from(i);
                tail = tails.get(place);
                head = heads.get(place);
                starts_row = i == first || tails.get(place - 1) != tail;
                starts = starts_row || heads.get(place - 1) / WIDTH != head / WIDTH;
                ends_row = i + 1 == last || tails.get(place + 1) != tail;
                ends = ends_row || heads.get(place + 1) / WIDTH != head / WIDTH;
            }
            let row_lanes = warp::warp_vote_ballot(warp::ALL, starts_row) & up_to_here;
            let start_lanes = warp::warp_vote_ballot(warp::ALL, starts) & up_to_here;
            let before = if row_lanes == 0 {
                next_at
            } else {
                row_start = base + row_lanes.ilog2();
                row_start
            };
            let in_row = if row_lanes == 0 { u32::MAX } else { u32::MAX << row_lanes.ilog2() };
            let at = before.wrapping_add((start_lanes & in_row).count_ones()).wrapping_sub(1);
            // A segment's bits differ, so their sum is all of them: modulo 2³², a difference of sums up to a lane.
            let bit = if live { 1 << (head % WIDTH) } else { 0 };
            let sum = warp::warp_scan_add_32(bit);
            let start_lane = if start_lanes == 0 { 0 } else { start_lanes.ilog2() };
            let sum_before = warp::warp_shuffle_idx(warp::ALL, sum.wrapping_sub(bit), start_lane);
            let bits = if start_lanes == 0 {
                open_bits + sum
            } else {
                sum.wrapping_sub(sum_before)
            };
            if ends {
                segments.set(u64::from(at), u64::from(bits) << 32 | u64::from(head / WIDTH));
            }
            if ends_row {
                segment_rows.set(u64::from(tail), u64::from(at + 1) << 32 | u64::from(row_start));
                // The next row's begins there otherwise.
                if at < i || u64::from(at) + 1 == m {
                    segments.set(u64::from(at) + 1, 0);
                }
            }
            row_start = warp::warp_shuffle_idx(warp::ALL, row_start, warp::SIZE - 1);
            next_at = warp::warp_shuffle_idx(warp::ALL, at, warp::SIZE - 1) + 1;
            open_bits = warp::warp_shuffle_idx(warp::ALL, if ends { 0 } else { bits }, warp::SIZE - 1);
            base += warp::SIZE;
        }
    }
}

kernel! {
    /// Adds the number of triangles to `totals`: their sum is the count.
    ///
    /// Edges as in `forward_merge`; `segments` and `segment_rows` are those of [`row_segments`].
    ///
    /// An edge u → a closes a triangle with every rank that both rows have, as a's row goes only to below a. A
    /// thread takes an edge, and both rows' segments in step.
    ///
    /// The total is below 2⁴⁷ (`forward_merge` says why).
    pub fn merge_segments(
        tails: In<u32>, heads: In<u32>, segments: In<u64>, segment_rows: In<u64>,
        totals: InOut<u64>, m: u64
    )
    requires { tails.len() >= m, heads.len() >= m, m < 1 << 32, totals.len() >= TOTALS }
    {
        let stride = thread::grid_size();
        let mut count = 0;
        let mut i = thread::index_1d();
        while i < m {
            let own = segment_rows.get(u64::from(tails.get(i)));
            // The first edge of a row closes nothing.
            if u64::from(own as u32) < i {
                let other = segment_rows.get(u64::from(heads.get(i)));
                count += u64::from(common(segments, own, other));
            }
            i += stride;
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
}

/// How many ranks the rows `own` and `other` have in common.
#[inline(always)]
unsafe fn common(segments: In<u64>, own: u64, other: u64) -> u32 {
    let (own_start, other_start) = (u64::from(own as u32), u64::from(other as u32));
    let own_len = (own >> 32) as u32 - own as u32;
    let other_len = (other >> 32) as u32 - other as u32;
    let mut count = 0;
    if own_len > 0 && other_len > 0 {
        let (mut u, mut v) = (0u32, 0u32);
        let mut a = segments.get(own_start);
        let mut b = segments.get(other_start);
        loop {
            let (of_a, of_b) = (a as u32, b as u32);
            let (step_u, step_v) = (of_a <= of_b, of_b <= of_a);
            let both = ((a & b) >> 32) as u32;
            count += if of_a == of_b { both.count_ones() } else { 0 };
            if step_u {
                u += 1;
                a = segments.get(own_start + u64::from(u));
            }
            if step_v {
                v += 1;
                b = segments.get(other_start + u64::from(v));
            }
            if u == own_len || v == other_len {
                break;
            }
        }
    }
    count
}
