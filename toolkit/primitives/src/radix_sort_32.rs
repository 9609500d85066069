//! [`radix_sort`](crate::radix_sort) of keys of 32 bits, and of pairs of a key and a value of 32 bits.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

use crate::radix_sort::{
    DIGIT_BITS, Layouts, SCATTER_BLOCK, TILE, WIDE_DIGIT_BITS, count_digits, digits, scatter,
};

/// Bytes of shared memory of a block of [`radix_scatter_32`].
pub const SCATTER_SHARED_BYTES: u32 = Layouts::<u32, DIGIT_BITS>::TICKET.0.bytes();

kernel!(
    /// [`radix_histogram`](crate::radix_sort::radix_histogram) of keys of 32 bits.
    #[requires(
        |shape| keys.len() >= n, n < 1 << 32, digit_bits <= WIDE_DIGIT_BITS, passes <= u32::BITS, shift < u32::BITS,
        histograms.len() >= u64::from(passes << digit_bits), shape.shared_bytes >= (passes << digit_bits) * 4,
    )]
    pub unsafe fn radix_histogram_32(
        keys: In<u32>,
        histograms: InOut<u32>,
        n: u64,
        shift: u32,
        passes: u32,
        digit_bits: u32,
    ) {
        count_digits(keys, histograms, n, shift, passes, digit_bits);
    }

    /// [`radix_scatter`](crate::radix_sort::radix_scatter) of keys of 32 bits, by digits of [`DIGIT_BITS`].
    #[requires(
        |shape| keys.len() >= n, sorted.len() >= n, n < 1 << 32, offsets.len() >= u64::from(digits(DIGIT_BITS)),
        words.len() >= n.div_ceil(u64::from(TILE)) * u64::from(digits(DIGIT_BITS)), shift < u32::BITS,
        tickets.len() > u64::from(pass), shape.block.x == SCATTER_BLOCK, shape.shared_bytes >= SCATTER_SHARED_BYTES,
        shape.grid.count() == n.div_ceil(u64::from(TILE)),
    )]
    #[launch_bounds(SCATTER_BLOCK, 4)]
    pub unsafe fn radix_scatter_32(
        keys: In<u32>,
        sorted: InOut<u32>,
        offsets: In<u32>,
        words: InOut<u64>,
        tickets: InOut<u32>,
        n: u64,
        shift: u32,
        pass: u32,
    ) {
        scatter::<u32, DIGIT_BITS>(keys, sorted, offsets, words, tickets, n, shift, pass);
    }

    /// `words[i]` has `keys[i]` in its high half and `values[i]` in its low one, for every i < n.
    #[requires(|shape| shape.is_1d(), keys.len() >= n, values.len() >= n, words.len() >= n)]
    pub unsafe fn join_pairs(keys: In<u32>, values: In<u32>, words: InOut<u64>, n: u64) {
        for i in thread::of_grid(n) {
            words.set(i, u64::from(keys.get(i)) << 32 | u64::from(values.get(i)));
        }
    }

    /// `keys[i]` is the high half of `words[i]` and `values[i]` the low one, for every i < n.
    #[requires(|shape| shape.is_1d(), keys.len() >= n, values.len() >= n, words.len() >= n)]
    pub unsafe fn part_pairs(words: In<u64>, keys: InOut<u32>, values: InOut<u32>, n: u64) {
        for i in thread::of_grid(n) {
            let word = words.get(i);
            keys.set(i, (word >> 32) as u32);
            values.set(i, word as u32);
        }
    }

    /// `words[i]` has the low half of `keys[i]` in its high half and i in its low one, for every i < n.
    #[requires(|shape| shape.is_1d(), n < 1 << 32, keys.len() >= n, words.len() >= n)]
    pub unsafe fn number_keys(keys: In<u64>, words: InOut<u64>, n: u64) {
        for i in thread::of_grid(n) {
            words.set(i, keys.get(i) << 32 | i);
        }
    }

    /// Each word gets the high half of the key that its low half is the number of.
    #[requires(|shape| shape.is_1d(), n < 1 << 32, keys.len() >= n, words.len() >= n)]
    pub unsafe fn take_high_halves(keys: In<u64>, words: InOut<u64>, n: u64) {
        for i in thread::of_grid(n) {
            let from = number_of(words.get(i), n);
            words.set(i, keys.get(from) >> 32 << 32 | from);
        }
    }

    /// `sorted_keys[i]` and `sorted_values[i]` are the key and the value that the low half of `words[i]` is the number of.
    #[requires(
        |shape| shape.is_1d(), n < 1 << 32, words.len() >= n, keys.len() >= n, values.len() >= n, sorted_keys.len() >= n,
        sorted_values.len() >= n,
    )]
    pub unsafe fn gather_pairs(
        words: In<u64>,
        keys: In<u64>,
        values: In<u32>,
        sorted_keys: InOut<u64>,
        sorted_values: InOut<u32>,
        n: u64,
    ) {
        for i in thread::of_grid(n) {
            let from = number_of(words.get(i), n);
            sorted_keys.set(i, keys.get(from));
            sorted_values.set(i, values.get(from));
        }
    }
);

/// The number in a word's low half: one of n, whatever the word is.
#[inline(always)]
fn number_of(word: u64, n: u64) -> u64 {
    u64::from(word as u32).min(n - 1)
}
