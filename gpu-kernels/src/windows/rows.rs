//! What the kernels of smaller graphs want to know of a window.

use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, shared, thread};

kernel!(
    /// `rows[r]` = the first place of row `r` in the low half and one past its last in the high half, counted from the place `base`.
    /// The halves are those places without their higher bits. So they are right for the rows of a window that
    /// begins at `base`, and their difference is the length of every row.
    ///
    /// Launch with any number of blocks.
    #[requires(starts.len() > n, rows.len() >= n)]
    pub unsafe fn window_rows(starts: In<u64>, rows: InOut<u64>, base: u64, n: u64) {
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
);

/// Threads in a block of [`head_counts`].
pub const COUNT_BLOCK: u32 = 1_024;

/// Edges that a thread of [`head_counts`] asks for at a time.
const ITEMS: usize = 8;

/// Bytes of shared memory of a block of [`head_counts`], which has counters for the first `hubs` heads.
pub const fn count_shared_bytes(hubs: u32) -> u32 {
    4 * hubs
}

kernel!(
    /// Adds to `counts` how many of the edges each head below `n` has. `ranges` has the first place and one past the last of each
    /// of the `k` ranges of edges, which are below `heads.len()`.
    ///
    /// The first `hubs` heads, which have most edges, are counted in shared memory.
    ///
    /// Launch with any number of blocks; one fills a multiprocessor where `hubs` are as many as may be.
    #[requires(
        |shape| counts.len() >= u64::from(n), hubs <= n, ranges.len() >= 2 * u64::from(k),
        shape.block.x == COUNT_BLOCK, shape.shared_bytes >= count_shared_bytes(hubs),
    )]
    #[launch_bounds(COUNT_BLOCK, 1)]
    pub unsafe fn head_counts(
        heads: In<u32>,
        ranges: In<u64>,
        counts: InOut<u32>,
        k: u32,
        n: u32,
        hubs: u32,
    ) {
        let counters = shared::array::<u32>(0, hubs);
        let thread = thread::thread_idx_x();
        let mut hub = thread;
        while hub < hubs {
            counters.set(hub, 0);
            hub += COUNT_BLOCK;
        }
        thread::sync_threads();
        let stride = thread::grid_size();
        let mut range = 0;
        while range < k {
            let end = ranges.get(2 * u64::from(range) + 1);
            let mut i = ranges.get(2 * u64::from(range)) + thread::index_1d();
            while i < end {
                let mut head = [n; ITEMS];
                let mut item = 0;
                while item < ITEMS {
                    let place = i + item as u64 * stride;
                    if place < end {
                        head[item] = heads.get(place);
                    }
                    item += 1;
                }
                let mut item = 0;
                while item < ITEMS {
                    if head[item] < hubs {
                        counters.atomic_add(head[item], 1);
                    } else if head[item] < n {
                        counts.atomic_add(u64::from(head[item]), 1);
                    }
                    item += 1;
                }
                i += ITEMS as u64 * stride;
            }
            range += 1;
        }
        thread::sync_threads();
        let mut hub = thread;
        while hub < hubs {
            let count = counters.get(hub);
            if count > 0 {
                counts.atomic_add(u64::from(hub), count);
            }
            hub += COUNT_BLOCK;
        }
    }
);
