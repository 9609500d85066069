use tribin_device::memory::{In, InOut};
use tribin_device::{kernel, thread};

kernel!(
    /// Adds `words[i]` to `sums[i]`, modulo 2³².
    #[requires(words.len() >= n, sums.len() >= n)]
    pub unsafe fn add_words(words: In<u32>, sums: InOut<u32>, n: u64) {
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        while i < n {
            sums.set(i, sums.get(i).wrapping_add(words.get(i)));
            i += stride;
        }
    }
);

kernel!(
    /// Replaces `largest[i]` by the larger of it and `words[i]`.
    #[requires(words.len() >= n, largest.len() >= n)]
    pub unsafe fn raise_words(words: In<u32>, largest: InOut<u32>, n: u64) {
        let stride = thread::grid_size();
        let mut i = thread::index_1d();
        while i < n {
            largest.set(i, largest.get(i).max(words.get(i)));
            i += stride;
        }
    }
);
