//! A radix sort, four bits at a time.
//!
//! `count_digits` counts the digits of each block, [`scan`](super::scan) adds the counts up, and `sort_by_digit` brings each key to where
//! its digit goes. Keys of a digit keep their order, so that eight rounds sort all bits.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread, warp};

/// Threads in a block, and keys that it sorts.
pub const BLOCK: u32 = 256;

/// Values of a digit.
pub const DIGITS: u32 = 16;

const WARPS: u32 = BLOCK / warp::SIZE;

/// Bytes of shared memory in a block: a counter for each digit and warp.
pub const SHARED_BYTES: u32 = 4 * DIGITS * WARPS;

kernel!(
    /// `counts[d * blocks + b]` is how many keys of block `b` have digit `d`, the four bits from `shift` on.
    ///
    /// Launch with a block for each `BLOCK` of the `n` keys, `BLOCK` threads in each, and `SHARED_BYTES` of shared memory.
    #[requires(|shape|
        shape.is_1d() && shape.block.x == BLOCK,
        shape.grid.count() == n.div_ceil(u64::from(BLOCK)),
        shape.shared_bytes >= SHARED_BYTES,
        keys.len() >= n,
        counts.len() >= u64::from(DIGITS) * shape.grid.count(),
        shift < 32,
    )]
    pub unsafe fn count_digits(keys: In<u32>, counts: InOut<u32>, n: u64, shift: u32) {
        let of_block = shared::array::<u32>(0, DIGITS);
        let (me, i) = (thread::thread_idx_x(), thread::index_1d());
        if me < DIGITS {
            of_block.set(me, 0);
        }
        thread::sync_threads();
        if i < n {
            of_block.atomic_add(keys.get(i) >> shift & (DIGITS - 1), 1);
        }
        thread::sync_threads();
        if me < DIGITS {
            counts.set(place(me), of_block.get(me));
        }
    }

    /// Writes the keys to `sorted` in the order of their digits. `ends` are the sums of all counts up to each.
    ///
    /// Launch as `count_digits`.
    #[requires(|shape|
        shape.is_1d() && shape.block.x == BLOCK,
        shape.grid.count() == n.div_ceil(u64::from(BLOCK)),
        shape.shared_bytes >= SHARED_BYTES,
        keys.len() >= n,
        ends.len() >= u64::from(DIGITS) * shape.grid.count(),
        sorted.len() >= n,
        shift < 32,
    )]
    pub unsafe fn sort_by_digit(
        keys: In<u32>,
        ends: In<u32>,
        sorted: InOut<u32>,
        n: u64,
        shift: u32,
    ) {
        let of_warps = shared::array::<u32>(0, DIGITS * WARPS);
        let (me, i) = (thread::thread_idx_x(), thread::index_1d());
        if me < DIGITS * WARPS {
            of_warps.set(me, 0);
        }
        thread::sync_threads();
        let key = if i < n { keys.get(i) } else { 0 };
        // Threads past the last key have a digit of their own.
        let digit = if i < n { key >> shift & (DIGITS - 1) } else { DIGITS };
        let alike = warp::warp_match_any(warp::ALL, digit);
        let before_in_warp = (alike & warp::lane_mask_lt()).count_ones();
        if i < n && before_in_warp == 0 {
            of_warps.set(digit * WARPS + me / warp::SIZE, alike.count_ones());
        }
        thread::sync_threads();
        if i < n {
            let at = place(digit);
            let start = if at == 0 { 0 } else { ends.get(at - 1) };
            let mut to = start + before_in_warp;
            for w in 0..me / warp::SIZE {
                to += of_warps.get(digit * WARPS + w);
            }
            sorted.set(to.into(), key);
        }
    }
);

/// Where the count of a digit in this block is.
#[inline(always)]
fn place(digit: u32) -> u64 {
    u64::from(digit) * u64::from(thread::grid_dim_x()) + u64::from(thread::block_idx_x())
}
