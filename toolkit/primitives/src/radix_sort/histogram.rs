use warpwise_device::memory::{In, InOut};
use warpwise_device::shared::Shared;
use warpwise_device::{kernel, shared, thread};

use super::{Key, WIDE_DIGIT_BITS, digits};
use crate::{block_clear_counts, block_flush_counts};

/// Threads in a block of [`radix_histogram`].
pub const HISTOGRAM_BLOCK: u32 = 512;

/// Counts the digits of `key`, for every pass, in the block's shared memory.
#[inline(always)]
pub fn histogram_add(counts: Shared<u32>, key: u64, passes: u32, digit_bits: u32) {
    let mut rest = key;
    for pass in 0..passes {
        counts.atomic_add((pass << digit_bits) + (rest as u32 & (digits(digit_bits) - 1)), 1);
        rest >>= digit_bits;
    }
}

kernel!(
    /// `histograms[(pass << digit_bits) + digit]` grows by how many keys have `digit` in `pass`, the first
    /// pass starting at bit `shift`.
    ///
    /// Shared memory: a word for each digit of each pass.
    #[requires(
        |shape| keys.len() >= n, n < 1 << 32, digit_bits <= WIDE_DIGIT_BITS, passes <= u64::BITS,
        histograms.len() >= u64::from(passes << digit_bits), shape.shared_bytes >= (passes << digit_bits) * 4,
    )]
    pub unsafe fn radix_histogram(
        keys: In<u64>,
        histograms: InOut<u32>,
        n: u64,
        shift: u32,
        passes: u32,
        digit_bits: u32,
    ) {
        count_digits(keys, histograms, n, shift, passes, digit_bits);
    }
);

/// What a kernel of histograms does.
#[inline(always)]
pub(crate) fn count_digits<K: Key>(
    keys: In<K>,
    histograms: InOut<u32>,
    n: u64,
    shift: u32,
    passes: u32,
    digit_bits: u32,
) {
    let all = passes << digit_bits;
    let counts = shared::array::<u32>(0, all);
    block_clear_counts(counts, all);
    for i in thread::of_grid(n) {
        histogram_add(counts, keys.get(i).bits_from(shift), passes, digit_bits);
    }
    thread::sync_threads();
    block_flush_counts(counts, histograms, all);
}
