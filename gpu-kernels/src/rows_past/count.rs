use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use super::lists::Lists;
use crate::forward::{TOTALS, merge_lists, merge_pairs};
use crate::primitives::block_add_to;

kernel! {
    /// Adds to `totals` the number of triangles on the first `m` edges that come past, where the part has the row of their
    /// head: the module's documentation says what the arguments are. `pairs` are their heads and `part_pairs` the part's, two to
    /// an element. Where the heads do not begin at an even place, `paired` is 0 and nothing is read from `pairs`.
    ///
    /// The total of one launch is at most that of the whole graph, which is below 2⁶².
    pub fn forward_merge_past(
        tails: In<u32>, heads: In<u32>, pairs: In<u64>, paired: u32, starts: In<u32>, base: u32,
        part: In<u32>, part_pairs: In<u64>, part_starts: In<u32>, totals: InOut<u64>, first_rank: u32,
        rows: u64, m: u64
    )
    requires {
        tails.len() >= m, heads.len() >= m, paired == 0 || pairs.len() >= m / 2,
        part_pairs.len() >= part.len() / 2, m < 1 << 32, part_starts.len() > rows,
        rows <= (1 << 32) - u64::from(first_rank), totals.len() >= TOTALS,
    }
    {
        let stride = thread::grid_size();
        let mut count = 0;
        let mut i = thread::index_1d();
        while i < m {
            let past = (heads, starts, base);
            let resident = (part_starts, first_rank, rows);
            if let Some(lists) = Lists::of(past, resident, tails.get(i), i) {
                let (prefix, prefix_len) =
                    (u64::from(lists.prefix), lists.prefix_end - lists.prefix);
                let (row, row_len) = (u64::from(lists.row), lists.row_end - lists.row);
                // Behind the last two edges there may be no pair.
                let triangles = if paired != 0 && i + 2 < m {
                    merge_pairs((pairs, prefix, prefix_len), (part_pairs, row, row_len))
                } else {
                    merge_lists((heads, prefix, prefix_len), (part, row, row_len))
                };
                count += u64::from(triangles);
            }
            i += stride;
        }
        block_add_to(totals, u64::from(thread::block_idx_x()) % TOTALS, count);
    }
}
