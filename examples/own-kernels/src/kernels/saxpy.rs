//! `y = a * x + y`.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, thread};

/// Threads in a block.
pub const BLOCK: u32 = 256;

kernel!(
    /// `y[i] = a * x[i] + y[i]` for every `i < n`, with any number of threads.
    #[requires(|shape| shape.is_1d(), x.len() >= n, y.len() >= n)]
    pub unsafe fn saxpy(a: f32, x: In<f32>, y: InOut<f32>, n: u64) {
        for i in thread::of_grid(n) {
            y.set(i, a * x.get(i) + y.get(i));
        }
    }
);
