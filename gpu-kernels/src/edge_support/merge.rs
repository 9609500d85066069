use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

kernel!(
    /// Adds to `support[i]` the triangles on edge `i`, for every edge: `tails`, `heads` and `rows` as
    /// `forward_merge` takes them. A thread takes an edge, and merges as `forward_merge` does (paper
    /// 004, section III-C); here every match costs two additions, and the reads matter less.
    #[requires(tails.len() >= m, heads.len() >= m, m < 1 << 32, support.len() >= m)]
    pub unsafe fn support_merge(
        tails: In<u32>,
        heads: In<u32>,
        rows: In<u64>,
        support: InOut<u32>,
        first: u64,
        m: u64,
    ) {
        for i in thread::of_grid_from(first, m) {
            let tail_row = rows.get(u64::from(tails.get(i)));
            let head_row = rows.get(u64::from(heads.get(i)));
            let (mut u, u_end) = (tail_row as u32, i as u32);
            let (mut v, v_end) = (head_row as u32, (head_row >> 32) as u32);
            let mut count = 0;
            while u < u_end && v < v_end {
                let a = heads.get(u64::from(u));
                let b = heads.get(u64::from(v));
                if a == b {
                    support.atomic_add(u64::from(u), 1);
                    support.atomic_add(u64::from(v), 1);
                    count += 1;
                }
                u += u32::from(a <= b);
                v += u32::from(b <= a);
            }
            if count > 0 {
                support.atomic_add(i, count);
            }
        }
    }
);
