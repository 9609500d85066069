//! How often each value occurs in an array.

#[cfg(not(target_arch = "nvptx64"))]
#[path = "../host/histogram.rs"]
mod launch;

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread};

#[cfg(not(target_arch = "nvptx64"))]
pub use launch::*;

use crate::{block_clear_counts, block_flush_counts};

/// Threads in a block.
pub const BLOCK: u32 = 512;

/// Most counts of [`count_values`]: what they take of a block's shared memory every device has.
pub const MOST_COUNTS: u64 = 12_288;

kernel!(
    /// `counts[v]` grows by how many of the first `n` values are v, modulo 2³², for every v < `bins`.
    ///
    /// Shared memory: a word for each bin.
    #[requires(
        |shape| shape.is_1d(), values.len() >= n, bins <= MOST_COUNTS, counts.len() >= bins,
        u64::from(shape.shared_bytes) >= 4 * bins,
    )]
    pub unsafe fn count_values(values: In<u32>, counts: InOut<u32>, n: u64, bins: u64) {
        let bins = bins as u32;
        let of_block = shared::array::<u32>(0, bins);
        block_clear_counts(of_block, bins);
        for i in thread::of_grid(n) {
            let value = values.get(i);
            if value < bins {
                of_block.atomic_add(value, 1);
            }
        }
        thread::sync_threads();
        block_flush_counts(of_block, counts, bins);
    }

    /// [`count_values`] with more counts than a block's shared memory holds: each value is counted in global memory.
    #[requires(values.len() >= n, counts.len() >= bins)]
    pub unsafe fn count_many_values(values: In<u32>, counts: InOut<u32>, n: u64, bins: u64) {
        for i in thread::of_grid(n) {
            let value = u64::from(values.get(i));
            if value < bins {
                counts.atomic_add(value, 1);
            }
        }
    }
);
