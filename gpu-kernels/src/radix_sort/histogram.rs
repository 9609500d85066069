use tribin_device::memory::{In, InOut};
use tribin_device::shared::Shared;
use tribin_device::{kernel, shared, thread};

use super::{DIGIT_BITS, DIGITS};

/// Threads in a block of [`radix_histogram`].
pub const HISTOGRAM_BLOCK: u32 = 512;

/// Counts the digits of `key`, for every pass, in the block's shared memory.
#[inline(always)]
pub fn histogram_add(counts: Shared<u32>, key: u64, passes: u32) {
    let mut rest = key;
    let mut pass = 0;
    while pass < passes {
        counts.atomic_add(pass * DIGITS + (rest as u32 & (DIGITS - 1)), 1);
        rest >>= DIGIT_BITS;
        pass += 1;
    }
}

/// Adds the block's counts to those of the grid. The caller has put a barrier before.
#[inline(always)]
pub fn flush_histograms(counts: Shared<u32>, histograms: InOut<u32>, passes: u32) {
    let mut slot = thread::thread_idx_x();
    while slot < passes * DIGITS {
        let count = counts.get(slot);
        if count != 0 {
            histograms.atomic_add(u64::from(slot), count);
        }
        slot += thread::block_dim_x();
    }
}

kernel! {
    /// `histograms[pass * 256 + digit]` grows by how many keys have `digit` in `pass`, the first
    /// pass starting at bit `shift`.
    ///
    /// Shared memory: `passes` × 1 KiB.
    pub fn radix_histogram(
        keys: In<u64>, histograms: InOut<u32>, n: u64, shift: u32, passes: u32
    )
    requires { keys.len() >= n, n < 1 << 32, histograms.len() >= u64::from(passes * DIGITS) }
    {
        let counts = shared::array::<u32>(0, passes * DIGITS);
        let mut slot = thread::thread_idx_x();
        while slot < passes * DIGITS {
            counts.set(slot, 0);
            slot += thread::block_dim_x();
        }
        thread::sync_threads();
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        while i < n {
            histogram_add(counts, keys.get(i) >> shift, passes);
            i += stride;
        }
        thread::sync_threads();
        flush_histograms(counts, histograms, passes);
    }
}
