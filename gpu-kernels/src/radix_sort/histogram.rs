use tribin_device::memory::{In, InOut};
use tribin_device::shared::Shared;
use tribin_device::{kernel, shared, thread};

use super::{DIGIT_BITS, DIGITS};
use crate::primitives::{block_clear_counts, block_flush_counts};

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
        block_clear_counts(counts, passes * DIGITS);
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        while i < n {
            histogram_add(counts, keys.get(i) >> shift, passes);
            i += stride;
        }
        thread::sync_threads();
        block_flush_counts(counts, histograms, passes * DIGITS);
    }
}
