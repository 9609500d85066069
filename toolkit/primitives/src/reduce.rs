//! The sum, the least and the largest of an array.

#[cfg(not(target_arch = "nvptx64"))]
#[path = "../host/reduce.rs"]
mod launch;

use warpwise_device::memory::{Element, In, InOut};
use warpwise_device::warp::WarpValue;
use warpwise_device::{Param, block, kernel, shared, thread, warp};

#[cfg(not(target_arch = "nvptx64"))]
pub use launch::*;

/// Most threads in a block.
pub const BLOCK: u32 = 256;

/// Bytes of shared memory of a block: a word for each warp.
pub const SHARED_BYTES: u32 = BLOCK / warp::SIZE * 8;

/// Values that a thread reads at once: while one is on its way, so are the others.
const ITEMS: u64 = 8;

/// The operation that finds the sum, modulo 2⁶⁴.
pub const SUM: u32 = 0;

/// The operation that finds the smallest.
pub const LEAST: u32 = 1;

/// The operation that finds the largest.
pub const LARGEST: u32 = 2;

kernel!(
    /// `of_blocks[b]` = what `OPERATION` finds of the values that block b takes, of the first `n` in all.
    #[requires(
        |shape| shape.is_1d(), shape.block.x == BLOCK, shape.shared_bytes >= SHARED_BYTES, values.len() >= n,
        of_blocks.len() >= shape.grid.count(),
    )]
    #[instances(0, 1, 2)]
    pub unsafe fn reduce_32<const OPERATION: u32>(values: In<u32>, of_blocks: InOut<u64>, n: u64) {
        reduce_words::<OPERATION, u32>(values, of_blocks, n);
    }

    /// [`reduce_32`] of values of 64 bits.
    #[requires(
        |shape| shape.is_1d(), shape.block.x == BLOCK, shape.shared_bytes >= SHARED_BYTES, values.len() >= n,
        of_blocks.len() >= shape.grid.count(),
    )]
    #[instances(0, 1, 2)]
    pub unsafe fn reduce_64<const OPERATION: u32>(values: In<u64>, of_blocks: InOut<u64>, n: u64) {
        reduce_words::<OPERATION, u64>(values, of_blocks, n);
    }

    /// [`reduce_32`] of floating-point numbers, whose sum it finds.
    #[requires(
        |shape| shape.is_1d(), shape.block.x == BLOCK, shape.shared_bytes >= SHARED_BYTES, values.len() >= n,
        of_blocks.len() >= shape.grid.count(),
    )]
    #[instances(f32, f64)]
    pub unsafe fn add_reals<T: Real>(values: In<T>, of_blocks: InOut<f64>, n: u64) {
        reduce_share(values, of_blocks, n, 0.0, |a, b| a + b);
    }
);

/// Floating-point numbers that are added: `f32` and `f64`.
pub trait Real: Element + Param + Into<f64> {}

impl Real for f32 {}
impl Real for f64 {}

#[inline(always)]
fn reduce_words<const OPERATION: u32, T: Element + Into<u64>>(
    values: In<T>,
    of_blocks: InOut<u64>,
    n: u64,
) {
    let start = if OPERATION == LEAST { u64::MAX } else { 0 };
    reduce_share(values, of_blocks, n, start, |a, b| match OPERATION {
        SUM => a.wrapping_add(b),
        LEAST => a.min(b),
        _ => a.max(b),
    });
}

/// What a kernel of reductions does.
#[inline(always)]
fn reduce_share<T: Element + Into<A>, A: WarpValue>(
    values: In<T>,
    of_blocks: InOut<A>,
    n: u64,
    start: A,
    both: impl Fn(A, A) -> A,
) {
    let mut found = start;
    let share = n / ITEMS;
    for i in thread::of_grid(share) {
        for item in 0..ITEMS {
            found = both(found, values.get(item * share + i).into());
        }
    }
    for i in thread::of_grid_from(share * ITEMS, n) {
        found = both(found, values.get(i).into());
    }
    let found = block::reduce(shared::array(0, BLOCK / warp::SIZE), found, both);
    if thread::thread_idx_x() == 0 {
        of_blocks.set(thread::block_idx_x().into(), found);
    }
}
