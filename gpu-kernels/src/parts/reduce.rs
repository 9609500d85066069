use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

kernel!(
    /// Adds `words[i]` to `sums[i]`, modulo 2³².
    #[requires(words.len() >= n, sums.len() >= n)]
    pub unsafe fn add_words(words: In<u32>, sums: InOut<u32>, n: u64) {
        for i in thread::of_grid(n) {
            sums.set(i, sums.get(i).wrapping_add(words.get(i)));
        }
    }
);

kernel!(
    /// Replaces `largest[i]` by the larger of it and `words[i]`.
    #[requires(words.len() >= n, largest.len() >= n)]
    pub unsafe fn raise_words(words: In<u32>, largest: InOut<u32>, n: u64) {
        for i in thread::of_grid(n) {
            largest.set(i, largest.get(i).max(words.get(i)));
        }
    }
);
