//! How many wedges close, from a sample, and how many there are.

use warpwise_device::memory::InOut;
use warpwise_device::{kernel, thread, warp};

use crate::hub_product::READ;
use crate::primitives::{Oriented, block_add_to, position, row_of, warp_add_all_to};
use crate::row_segments::WIDTH;

/// Threads in a block.
pub const BLOCK: u32 = 128;

/// Lanes that look at an edge, a wedge each. What is found of an edge is multiplied by this.
pub const LANES: u32 = 8;

/// How many ranks are looked at for whether they are the third vertices of most triangles: the first one, and some more.
pub const FIRST_RANKS: [u32; 3] = [1, 4, 16];

/// Sums of the edges that are looked at, the first ranks' last.
pub const OF_EDGES: u32 = 8 + 2 * FIRST_RANKS.len() as u32;

/// Sums in all: three are of the rows.
pub const SUMS: u64 = OF_EDGES as u64 + 3;

/// In how many parts each sum is: warps that add to one word do so one after the other.
pub const PARTS: u64 = 32;

kernel!(
    /// Looks at every `step`-th edge, from the first on, and of each at up to [`LANES`] of its wedges, evenly
    /// spaced, which stand for all; and at the bounds of the `n` rows. Adds to [`PARTS`] parts of [`SUMS`] sums in
    /// `totals`, in this order:
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
    /// 8. the entries of the rows of the heads of edges with a wedge, [`LANES`] for each. `row_tables_8` looks these up;
    /// 9. the wedges whose third vertex is among the first [`FIRST_RANKS`], a sum for each number of these, and then the
    ///    triangles that these make probable;
    /// 10. the pairs of entries of each row: the wedges that are left after orientation;
    /// 11. the entries of the first `first` rows;
    /// 12. the rows that have any.
    ///
    /// Of the rows behind the first, 32 in each `row_step` times 32 are looked at, and stand for all of these.
    ///
    /// The wedges of the edge at place i are the entries before it in its
    /// row. They are spaced evenly because what stands first in a row is not like the rest: hubs, or
    /// vertices far away.
    ///
    /// At least [`LANES`] threads for each edge of the sample, in whole warps. Rows have fewer than 2²⁰ entries, and so each of the
    /// first ones is below 2²⁵ for a warp and below 2⁵⁵ in all, but for the reads. A rank has fewer than 2²⁵ of them: they are below
    /// 2³⁰ for a warp and below 2⁶⁰ in all. All rows together have fewer than 2³² entries, and a row stands for fewer than 2¹¹: the last three are below 2⁶³.
    #[requires(
        graph.tails.len() >= m, graph.heads.len() >= m, graph.rows.len() >= n, m < 1 << 32, totals.len() >= PARTS * SUMS,
        (1..1 << 31).contains(&step), (1..1 << 11).contains(&row_step),
    )]
    // A multiprocessor holds 16 blocks at a time. So all threads of a sample wait for memory together.
    #[launch_bounds(BLOCK, 16)]
    pub unsafe fn sample_wedges(
        graph: Oriented,
        totals: InOut<u64>,
        m: u64,
        n: u64,
        step: u64,
        high: u32,
        reach: u32,
        first: u64,
        row_step: u64,
    ) {
        let Oriented { tails, heads, rows } = graph;
        let thread = thread::index_1d();
        let part = thread / u64::from(warp::SIZE) % PARTS * SUMS;
        let (mut pairs, mut first_entries, mut filled) = (0, 0, 0);
        let stride = thread::grid_size();
        let first = first.min(n);
        // Rows behind the first: a warp reads 32 together.
        let lane = thread % u64::from(warp::SIZE);
        for r in thread::strided(first + (thread - lane) * row_step + lane..n, stride * row_step) {
            let len = len_of(rows.get(r));
            pairs += len * len.saturating_sub(1) / 2;
            filled += u64::from(len > 0);
        }
        pairs *= row_step;
        filled *= row_step;
        for r in thread::strided(thread..first, stride) {
            let len = len_of(rows.get(r));
            pairs += len * len.saturating_sub(1) / 2;
            filled += u64::from(len > 0);
            first_entries += len;
        }
        let of_rows = part + u64::from(OF_EDGES);
        block_add_to(totals, of_rows, pairs);
        block_add_to(totals, of_rows + 1, first_entries);
        block_add_to(totals, of_rows + 2, filled);
        let i = thread / u64::from(LANES) * step;
        let lane = (thread % u64::from(LANES)) as u32;
        let (mut triangles, mut high_triangles, mut wedges) = (0, 0, 0);
        let (mut near, mut joined, mut joined_wedges, mut reads) = (0, 0, 0, 0);
        let (mut head_entries, mut third) = (0, u32::MAX);
        if i < m {
            let (tail, head) = (tails.get(i), heads.get(i));
            reads = head.div_ceil(READ);
            if tail - head <= reach {
                near = 1;
            }
            let start = row_of(rows, tail).start;
            let len = i as u32 - start;
            if len > 0 && heads.get(i - 1) / WIDTH == head / WIDTH {
                joined = 1;
            }
            if lane < len {
                // Each lane's part of the wedges: one, or more of a longer prefix.
                let part = len.max(LANES);
                wedges = part;
                let at = start + (u64::from(lane) * u64::from(part) / u64::from(LANES)) as u32;
                let vertex = heads.get(u64::from(at));
                third = vertex;
                if at > start && heads.get(u64::from(at) - 1) / WIDTH == vertex / WIDTH {
                    joined_wedges = part;
                }
                let row = row_of(rows, head);
                head_entries = if lane == 0 { LANES * (row.end - row.start) } else { 0 };
                if position(heads, row.start, row.end, vertex).is_some() {
                    triangles = part;
                    high_triangles = if head >= high { part } else { 0 };
                }
            }
        }
        warp_add_all_to(totals, part, OF_EDGES, |sum| match sum {
            0 => triangles,
            1 => high_triangles,
            2 => wedges,
            3 => near,
            4 => joined,
            5 => joined_wedges,
            6 => reads,
            7 => head_entries,
            _ => {
                let number = (sum - 8) as usize % FIRST_RANKS.len();
                let of = if sum < 8 + FIRST_RANKS.len() as u32 { wedges } else { triangles };
                if third < FIRST_RANKS[number] { of } else { 0 }
            }
        });
    }
);

#[inline(always)]
fn len_of(row: u64) -> u64 {
    (row >> 32) - (row & 0xffff_ffff)
}
