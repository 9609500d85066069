use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

kernel!(
    /// `words[i]` = `value` for every i below `n`.
    #[requires(words.len() >= n)]
    pub unsafe fn fill_words(words: InOut<u32>, value: u32, n: u64) {
        for i in thread::of_grid(n) {
            words.set(i, value);
        }
    }
);

kernel!(
    /// `to[places[i]]` = `values[i]` for every i below `n`. The places differ, and are below the length of
    /// `to`.
    #[requires(values.len() >= n, places.len() >= n)]
    pub unsafe fn put_values(values: In<u32>, places: In<u32>, to: InOut<u32>, n: u64) {
        for i in thread::of_grid(n) {
            to.set(u64::from(places.get(i)), values.get(i));
        }
    }
);
