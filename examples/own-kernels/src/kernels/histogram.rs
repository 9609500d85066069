//! How often each value occurs.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread};

/// Threads in a block, and values.
pub const BINS: u32 = 256;

/// Bytes of shared memory of a block: a counter for each value.
pub const SHARED_BYTES: u32 = 4 * BINS;

kernel!(
    /// Adds to `counts[v]` how many of the first `n` values have the lowest byte `v`.
    ///
    /// Launch with `BINS` threads in a block and `SHARED_BYTES` of shared memory. Each block counts in its shared
    /// memory, and adds its counters to those in global memory once.
    #[requires(|shape|
        values.len() >= n,
        counts.len() >= u64::from(BINS),
        shape.is_1d() && shape.block.x == BINS,
        shape.shared_bytes >= SHARED_BYTES,
    )]
    pub unsafe fn histogram(values: In<u32>, counts: InOut<u32>, n: u64) {
        let me = thread::thread_idx_x();
        let local = shared::array::<u32>(0, BINS);
        local.set(me, 0);
        thread::sync_threads();
        for i in thread::of_grid(n) {
            local.atomic_add(values.get(i) % BINS, 1);
        }
        thread::sync_threads();
        let count = local.get(me);
        if count > 0 {
            counts.atomic_add(u64::from(me), count);
        }
    }
);
