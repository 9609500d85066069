//! [`prefix_sums`](crate::prefix_sums) in words of 32 bits.

use warpwise_device::kernel;
use warpwise_device::memory::{In, InOut};

use crate::LookbackState;
use crate::prefix_sums::{BLOCK, TILE, shared_bytes, sum_tile};

kernel!(
    /// [`prefix_sums_64`](crate::prefix_sums::prefix_sums_64), modulo 2³².
    #[requires(
        |shape| values.len() >= n, sums.len() > n, !ticket.is_empty(), shape.is_1d(),
        words.len() >= (n + 1).div_ceil(u64::from(TILE)), shape.grid.count() <= words.len(), shape.block.x == BLOCK,
        shape.shared_bytes >= shared_bytes::<u32>(),
    )]
    #[launch_bounds(BLOCK, 8)]
    pub unsafe fn prefix_sums_32(
        values: In<u32>,
        sums: InOut<u32>,
        words: InOut<u64>,
        ticket: InOut<u32>,
        n: u64,
    ) {
        let state = LookbackState::of_pass(0);
        sum_tile(values, sums, words, ticket, n, state);
    }
);
