use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

use super::lists::lists_past;

kernel!(
    /// Adds the triangles that [`forward_merge_past`](crate::rows_past::forward_merge_past) counts to the counters of their
    /// three edges: `support` has one for each edge that comes past, and `part_support` one for each of the part's.
    ///
    /// An edge has a triangle at most with each vertex, so that 32 bits hold their number.
    #[requires(
        tails.len() >= m, heads.len() >= m, m < 1 << 32, support.len() >= m, part_starts.len() > rows,
        rows <= (1 << 32) - u64::from(first_rank), part_support.len() + 2 >= part.len(),
    )]
    pub unsafe fn support_past(
        tails: In<u32>,
        heads: In<u32>,
        starts: In<u32>,
        base: u32,
        support: InOut<u32>,
        part: In<u32>,
        part_starts: In<u32>,
        part_support: InOut<u32>,
        first_rank: u32,
        rows: u64,
        m: u64,
    ) {
        for i in thread::of_grid(m) {
            let past = (heads, starts, base);
            let resident = (part_starts, first_rank, rows);
            if let Some(mut lists) = lists_past(past, resident, tails.get(i), i) {
                let mut count = 0;
                while let Some([place, of_part]) = lists.next_shared(heads, part) {
                    support.atomic_add(u64::from(place), 1);
                    part_support.atomic_add(u64::from(of_part), 1);
                    count += 1;
                }
                if count > 0 {
                    support.atomic_add(i, count);
                }
            }
        }
    }
);
