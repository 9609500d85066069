//! What the kernels of smaller graphs want to know of a window.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

kernel! {
    /// `rows[r]` = the first place of row `r` in the low half and one past its last in the high half, counted from the place `base`.
    /// The halves are those places without their higher bits. So they are right for the rows of a window that
    /// begins at `base`, and their difference is the length of every row.
    ///
    /// Launch with any number of blocks.
    pub fn window_rows(starts: In<u64>, rows: InOut<u64>, base: u64, n: u64)
    requires { starts.len() > n, rows.len() >= n }
    {
        let stride = thread::grid_size();
        let mut r = thread::index_1d();
        while r < n {
            let (start, end) = (starts.get(r), starts.get(r + 1));
            let low = start.wrapping_sub(base) as u32;
            let high = low.wrapping_add((end - start) as u32);
            rows.set(r, u64::from(high) << 32 | u64::from(low));
            r += stride;
        }
    }
}

kernel! {
    /// Adds to `counts` how many of the edges from place `first` to before `m` each head below `n` has.
    ///
    /// Launch with any number of blocks.
    pub fn head_counts(heads: In<u32>, counts: InOut<u32>, first: u64, m: u64, n: u32)
    requires { heads.len() >= m, counts.len() >= u64::from(n), m < 1 << 32 }
    {
        let stride = thread::grid_size();
        let mut i = first + thread::index_1d();
        while i < m {
            let head = heads.get(i);
            if head < n {
                counts.atomic_add(u64::from(head), 1);
            }
            i += stride;
        }
    }
}
