//! Rows as segments of 32 ranks with an entry, merged: where the entries of a row are near each other, a step
//! of the merge takes many of them (002, section III-B4, merged as in 004, section III-C).
//!
//! A segment is its number in the low half of a word, and a bit for each entry in the high half: one read.
//! Rows stand where they stand as entries, so that each is cut on its own, without a scan over all.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

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
    /// A thread for each row. Neither a warp's rows in shared memory nor a lane for each entry is faster: what
    /// takes the time is to write words here and there.
    pub fn row_segments(
        heads: In<u32>, rows: In<u64>, segments: InOut<u64>, segment_rows: InOut<u64>, n: u64,
        m: u64
    )
    requires {
        n <= 1 << 32, rows.len() >= n, segment_rows.len() >= n, heads.len() >= m, m < 1 << 32,
        segments.len() > m,
    }
    {
        let stride = thread::grid_size();
        let mut r = thread::index_1d();
        while r < n {
            let row = rows.get(r);
            let (start, end) = (row as u32, (row >> 32) as u32);
            let mut at = start;
            if start < end {
                let head = heads.get(u64::from(start));
                let (mut segment, mut bits) = (head / WIDTH, 1u32 << (head % WIDTH));
                let mut place = start + 1;
                while place < end {
                    let head = heads.get(u64::from(place));
                    if head / WIDTH != segment {
                        segments.set(u64::from(at), word(segment, bits));
                        at += 1;
                        segment = head / WIDTH;
                        bits = 0;
                    }
                    bits |= 1 << (head % WIDTH);
                    place += 1;
                }
                segments.set(u64::from(at), word(segment, bits));
                at += 1;
                // The next row's begins there otherwise.
                if at < end || u64::from(at) == m {
                    segments.set(u64::from(at), 0);
                }
            }
            segment_rows.set(r, u64::from(at) << 32 | u64::from(start));
            r += stride;
        }
    }
}

/// A segment.
#[inline(always)]
fn word(segment: u32, bits: u32) -> u64 {
    u64::from(bits) << 32 | u64::from(segment)
}

kernel! {
    /// Adds the number of triangles that the edges from place `first` to before `m` close to `totals`: over all
    /// edges, their sum is the count.
    ///
    /// Edges as in `forward_merge`; `segments` and `segment_rows` are those of [`row_segments`].
    ///
    /// An edge u → a closes a triangle with every rank that both rows have, as a's row goes only to below a. A
    /// thread takes an edge, and both rows' segments in step.
    ///
    /// The total is below 2⁴⁷ (`forward_merge` says why).
    pub fn merge_segments(
        tails: In<u32>, heads: In<u32>, segments: In<u64>, segment_rows: In<u64>,
        totals: InOut<u64>, first: u64, m: u64
    )
    requires { tails.len() >= m, heads.len() >= m, m < 1 << 32, totals.len() >= TOTALS }
    {
        let stride = thread::grid_size();
        let mut count = 0;
        let mut i = first + thread::index_1d();
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
fn common(segments: In<u64>, own: u64, other: u64) -> u32 {
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
