use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

use super::lists::lists_past;
use crate::forward::{TOTALS, merge_paired};
use crate::primitives::block_add_to;

kernel!(
    /// Adds to `totals` the number of triangles on the first `m` edges that come past, where the part has the row of their
    /// head: the module's documentation says what the arguments are. `pairs` are their heads and `part_pairs` the part's, two to
    /// an element. Where the heads do not begin at an even place, `paired` is 0 and nothing is read from `pairs`.
    ///
    /// The total of one launch is at most that of the whole graph, which is below 2⁶².
    #[requires(
        tails.len() >= m, heads.len() >= m, paired == 0 || pairs.len() >= m / 2, part_pairs.len() >= part.len() / 2,
        m < 1 << 32, part_starts.len() > rows, rows <= (1 << 32) - u64::from(first_rank), totals.len() >= TOTALS,
    )]
    pub unsafe fn forward_merge_past(
        tails: In<u32>,
        heads: In<u32>,
        pairs: In<u64>,
        paired: u32,
        starts: In<u32>,
        base: u32,
        part: In<u32>,
        part_pairs: In<u64>,
        part_starts: In<u32>,
        totals: InOut<u64>,
        first_rank: u32,
        rows: u64,
        m: u64,
    ) {
        let mut count = 0;
        for i in thread::of_grid(m) {
            let past = (heads, starts, base);
            let resident = (part_starts, first_rank, rows);
            if let Some(lists) = lists_past(past, resident, tails.get(i), i) {
                count += u64::from(merge_paired(
                    paired != 0 && i + 2 < m,
                    (pairs, heads, lists.prefix),
                    (part_pairs, part, lists.row),
                ));
            }
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
);
