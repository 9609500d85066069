use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

use crate::primitives::merge_places;

kernel! {
    /// Adds to `support[i]` the triangles on edge `i`, for every edge: `tails`, `heads` and `rows` as
    /// `forward_merge` takes them.
    pub fn support_merge(
        tails: In<u32>, heads: In<u32>, rows: In<u64>, support: InOut<u32>, m: u64
    )
    requires { tails.len() >= m, heads.len() >= m, m < 1 << 32, support.len() >= m }
    {
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        while i < m {
            let mut count = 0;
            merge_places(tails, heads, rows, i as u32, |in_tail_row, in_head_row| {
                support.atomic_add(u64::from(in_tail_row), 1);
                support.atomic_add(u64::from(in_head_row), 1);
                count += 1;
            });
            if count > 0 {
                support.atomic_add(i, count);
            }
            i += stride;
        }
    }
}
