use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

use super::lists::lists_past;

kernel!(
    /// Adds the triangles that [`forward_merge_past`](crate::rows_past::forward_merge_past) counts to `counters`, which has
    /// one for each rank of the whole graph: at each of their three ranks. Row 0 of those that come past is rank
    /// `first_past`'s.
    ///
    /// A vertex of degree d has at most d(d - 1)/2 triangles, which is below 2⁶³.
    #[requires(
        tails.len() >= m, heads.len() >= m, m < 1 << 32, part_starts.len() > rows,
        rows <= (1 << 32) - u64::from(first_rank),
    )]
    pub unsafe fn vertices_past(
        tails: In<u32>,
        heads: In<u32>,
        starts: In<u32>,
        base: u32,
        part: In<u32>,
        part_starts: In<u32>,
        counters: InOut<u64>,
        first_past: u32,
        first_rank: u32,
        rows: u64,
        m: u64,
    ) {
        for i in thread::of_grid(m) {
            let past = (heads, starts, base);
            let resident = (part_starts, first_rank, rows);
            let tail = tails.get(i);
            if let Some(mut lists) = lists_past(past, resident, tail, i) {
                let mut count = 0;
                while let Some([place, _]) = lists.next_shared(heads, part) {
                    counters.atomic_add(u64::from(heads.get(u64::from(place))), 1);
                    count += 1;
                }
                if count > 0 {
                    counters.atomic_add(u64::from(first_past + tail), count);
                    counters.atomic_add(u64::from(heads.get(i)), count);
                }
            }
        }
    }
);
