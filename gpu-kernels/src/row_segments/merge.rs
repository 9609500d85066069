use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

use crate::forward::TOTALS;
use crate::primitives::block_add_to;

kernel!(
    /// Adds the number of triangles that the edges from place `first` to before `m` close to `totals`: over all
    /// edges, their sum is the count.
    ///
    /// Edges are those of an [`Oriented`](crate::primitives::Oriented) graph; `segments` and `segment_rows` are those of [`row_segments`].
    ///
    /// An edge u → a closes a triangle with every rank that both rows have, as a's row goes only to below a. A
    /// thread takes an edge, and both rows' segments in step.
    ///
    /// The total is below 2⁴⁷ (`forward_merge` says why).
    #[requires(tails.len() >= m, heads.len() >= m, m < 1 << 32, totals.len() >= TOTALS)]
    pub unsafe fn merge_segments(
        tails: In<u32>,
        heads: In<u32>,
        segments: In<u64>,
        segment_rows: In<u64>,
        totals: InOut<u64>,
        first: u64,
        m: u64,
    ) {
        let mut count = 0;
        for i in thread::of_grid_from(first, m) {
            let own = segment_rows.get(u64::from(tails.get(i)));
            // The first edge of a row closes nothing.
            if u64::from(own as u32) < i {
                let other = segment_rows.get(u64::from(heads.get(i)));
                count += u64::from(common(segments, own, other));
            }
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);

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
