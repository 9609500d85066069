//! How many wedges close, from a sample.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use crate::forward::TOTALS;
use crate::hub_product::READ;
use crate::primitives::{block_add_to, lower_bound};
use crate::row_segments::WIDTH;

/// Threads in a block.
pub const BLOCK: u32 = 128;

/// Lanes that look at an edge, a wedge each. Sums are in units of one part of so many.
pub const LANES: u32 = 8;

/// Sums of [`TOTALS`] words each.
pub const SUMS: u64 = 8;

kernel! {
    /// Looks at every `step`-th edge, from the first on, and of each at up to [`LANES`] of its wedges, evenly
    /// spaced, which stand for all. Adds to eight groups of [`TOTALS`] sums in `totals`, in this order:
    ///
    /// 1. the triangles that these make probable, [`LANES`] for each;
    /// 2. those of edges whose head's rank is at least `high`;
    /// 3. the wedges;
    /// 4. the edges whose ranks are at most `reach` apart, [`LANES`] for each;
    /// 5. the edges whose head is in one segment of [`row_segments`](crate::row_segments) with the entry before it in
    ///    its row, [`LANES`] for each;
    /// 6. the wedges whose third vertex is in one segment with the entry before it. A merge of segments does not step
    ///    to these;
    /// 7. the reads of [`hub_common_bits`](crate::hub_product::hub_common_bits): a rank's row of bits up to the rank
    ///    itself, 128 bits at a time, [`LANES`] for each;
    /// 8. the entries of the rows of the heads of edges with a wedge, [`LANES`] for each. `row_tables_8` looks these up.
    ///
    /// Edges and rows as in `forward_merge`. The wedges of the edge at place i are the entries before it in its
    /// row. They are spaced evenly because what stands first in a row is not like the rest: hubs, or
    /// vertices far away.
    ///
    /// [`LANES`] threads for each edge of the sample. Rows have fewer than 2²⁰ entries, and so each of the sums is below
    /// 2⁵⁵, but for that of the reads. It is below 2⁶⁰: a rank has fewer than 2²⁵ reads.
    pub fn sample_wedges(
        tails: In<u32>, heads: In<u32>, rows: In<u64>, totals: InOut<u64>, m: u64, step: u64,
        high: u32, reach: u32
    )
    requires {
        tails.len() >= m, heads.len() >= m, m < 1 << 32, totals.len() >= SUMS * TOTALS,
        (1..1 << 31).contains(&step),
    }
    {
        let thread = thread::index_1d();
        let i = thread / u64::from(LANES) * step;
        let lane = (thread % u64::from(LANES)) as u32;
        let (mut triangles, mut high_triangles, mut wedges) = (0, 0, 0);
        let (mut near, mut joined, mut joined_wedges, mut reads) = (0, 0, 0, 0);
        let mut head_entries = 0;
        if i < m {
            let (tail, head) = (tails.get(i), heads.get(i));
            reads = u64::from(head.div_ceil(READ));
            if tail - head <= reach {
                near = 1;
            }
            let start = rows.get(u64::from(tail)) as u32;
            let len = i as u32 - start;
            if len > 0 && heads.get(i - 1) / WIDTH == head / WIDTH {
                joined = 1;
            }
            if lane < len {
                // Each lane's part of the wedges: one, or more of a longer prefix.
                let part = u64::from(len.max(LANES));
                wedges = part;
                let at = start + (u64::from(lane) * part / u64::from(LANES)) as u32;
                let vertex = heads.get(u64::from(at));
                if at > start && heads.get(u64::from(at) - 1) / WIDTH == vertex / WIDTH {
                    joined_wedges = part;
                }
                let row = rows.get(u64::from(head));
                let (row, end) = (row as u32, (row >> 32) as u32);
                head_entries = if lane == 0 { u64::from(LANES) * u64::from(end - row) } else { 0 };
                let place = lower_bound(heads, row, end, vertex);
                if place < end && heads.get(u64::from(place)) == vertex {
                    triangles = part;
                    high_triangles = if head >= high { part } else { 0 };
                }
            }
        }
        let total = u64::from(thread::block_idx_x()) % TOTALS;
        block_add_to(totals, total, triangles);
        block_add_to(totals, TOTALS + total, high_triangles);
        block_add_to(totals, 2 * TOTALS + total, wedges);
        block_add_to(totals, 3 * TOTALS + total, near);
        block_add_to(totals, 4 * TOTALS + total, joined);
        block_add_to(totals, 5 * TOTALS + total, joined_wedges);
        block_add_to(totals, 6 * TOTALS + total, reads);
        block_add_to(totals, 7 * TOTALS + total, head_entries);
    }
}
