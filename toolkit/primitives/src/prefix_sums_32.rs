//! [`prefix_sums`](crate::prefix_sums) in words of 32 bits.

use warpwise_device::kernel;
use warpwise_device::memory::{In, InOut};

use crate::LookbackState;
use crate::prefix_sums::{shared_bytes, sum_tile, tile};

/// Threads in a block: twice as many as for sums of 64 bits, whose shared memory is twice as large.
pub const BLOCK_32: u32 = 512;

/// Sums that a block finds.
pub const TILE_32: u32 = tile(BLOCK_32);

/// Bytes of shared memory of a block.
pub const SHARED_BYTES_32: u32 = shared_bytes::<u32, BLOCK_32>();

kernel!(
    /// [`prefix_sums_64`](crate::prefix_sums::prefix_sums_64), modulo 2³².
    #[requires(
        |shape| values.len() >= n, sums.len() > n, !ticket.is_empty(), shape.is_1d(),
        words.len() >= (n + 1).div_ceil(u64::from(TILE_32)), shape.grid.count() <= words.len(), shape.block.x == BLOCK_32,
        shape.shared_bytes >= SHARED_BYTES_32,
    )]
    #[launch_bounds(BLOCK_32, 4)]
    pub unsafe fn prefix_sums_32(
        values: In<u32>,
        sums: InOut<u32>,
        words: InOut<u64>,
        ticket: InOut<u32>,
        n: u64,
    ) {
        let state = LookbackState::of_pass(0);
        sum_tile::<_, BLOCK_32>(values, sums, words, ticket, n, state);
    }
);
