//! What all threads of a grid do together.
//!
//! A grid that meets has all its blocks on the GPU at a time, since a block that waits makes no room for another. So a kernel that calls
//! a function of this module requires `shape.together`, and is launched with
//! [`Shape::together`](crate::launch::Shape::together). A
//! [device](crate::launch::Device::max_active_blocks_per_multiprocessor) says how many blocks that can be.

use crate::memory::InOut;
use crate::{thread, warp};

/// Waits until every thread of the grid is here, and makes their writes to global memory visible to one another.
///
/// `arrived[0]` counts the blocks that came, and is zero before the first barrier of a launch. This is barrier number `before`, counted
/// from 0. All threads of the grid reach this same call. The launch is of one dimension, and a block has a whole warp or more.
///
/// ```
/// use warpwise_device::memory::InOut;
/// use warpwise_device::{grid, kernel, thread};
///
/// kernel!(
///     /// Every thread writes its number into the first row, and then its right neighbour's into the second.
///     #[requires(|shape|
///         shape.is_1d() && shape.together,
///         rows.len() >= 2 * shape.threads(),
///         !arrived.is_empty(),
///     )]
///     pub unsafe fn shift(rows: InOut<u64>, arrived: InOut<u64>) {
///         let (me, threads) = (thread::index_1d(), thread::grid_size());
///         rows.set(me, me);
///         grid::sync(arrived, 0);
///         rows.set(threads + me, rows.get((me + 1) % threads));
///     }
/// );
///
/// # fn main() -> Result<(), warpwise_device::emulated::EmulatorError> {
/// # use warpwise_device::launch::{Buffer, Shape};
/// # let device = warpwise_device::emulated::Emulator::new();
/// let mut rows = Buffer::uninitialized(&device, 128)?;
/// let mut arrived = Buffer::zeroed(&device, 1)?;
/// shift(&device, Shape::new(2, 32).together(), rows.view_mut(), arrived.view_mut())?;
/// # assert!((0..64).chain(1..64).chain([0]).eq(rows.to_vec(&device)?));
/// # Ok(())
/// # }
/// ```
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn sync(arrived: InOut<u64>, before: u64) {
    sync_first_warp(arrived, before);
    thread::sync_threads();
}

/// Waits as [`sync`] does, but for the other warps of a block: the first one returns when the whole grid is here, and the others when
/// their block is. They come to a barrier of the block next.
///
/// What the first warp does before that barrier, such as to read what the grid wrote into shared memory, needs no barrier more. The lanes
/// of the first warp wait together.
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn sync_first_warp(arrived: InOut<u64>, before: u64) {
    thread::sync_threads();
    if thread::thread_idx_x() < warp::SIZE {
        let everyone = (before + 1) * u64::from(thread::grid_dim_x());
        thread::device_fence();
        if warp::lane_id() == 0 {
            arrived.atomic_add(0, 1);
        }
        while warp::warp_vote_any(warp::ALL, arrived.atomic_load(0) < everyone) {
            thread::nanosleep(20);
        }
        thread::device_fence();
    }
}
