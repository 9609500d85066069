//! What all threads of a block do together.

use crate::shared::Shared;
use crate::warp::{self, WarpValue};
use crate::{imp, thread};

/// `combine` of `value` over all threads of the block, on every thread.
///
/// `scratch` has an element for each warp of the block, of which there are at most 32; nothing else uses it from before
/// the call to its end. All threads of the block call it together, and it contains two barriers. Blocks need not
/// be of whole warps.
///
/// Values are combined in the order of their threads within a warp, and then in the order of the warps. So `combine` has
/// to be associative but not commutative, and where it is not associative, as the sum of floating-point numbers is
/// not, the result is the same on every device and in every run.
///
/// ```
/// use warpwise_device::memory::{In, InOut};
/// use warpwise_device::{block, kernel, shared, thread};
///
/// kernel!(
///     /// `sums[b]` is the sum of the values of block `b`.
///     #[requires(|shape| shape.shared_bytes >= 32 * 4, values.len() >= shape.threads())]
///     pub unsafe fn sum_blocks(values: In<f32>, sums: InOut<f32>) {
///         let scratch = shared::array::<f32>(0, 32);
///         let sum = block::reduce(scratch, values.get(thread::index_1d()), |a, b| a + b);
///         if thread::thread_idx_x() == 0 {
///             sums.set(thread::block_idx_x().into(), sum);
///         }
///     }
/// );
/// # fn main() {}
/// ```
#[inline(always)]
#[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
pub fn reduce<T: WarpValue>(scratch: Shared<T>, value: T, combine: impl Fn(T, T) -> T) -> T {
    let (me, threads) = (thread::index_in_block(), thread::block_size());
    let warp_index = me / warp::SIZE;
    let lanes = threads - warp_index * warp::SIZE;
    let lanes = if lanes < warp::SIZE { lanes } else { warp::SIZE };
    let mask = u32::MAX >> (warp::SIZE - lanes);
    let lane = me % warp::SIZE;
    let mut value = value;
    let mut distance = 1;
    while distance < warp::SIZE {
        let above = warp::warp_shuffle_down(mask, value, distance);
        // Lane by lane the ranges double: only the first lane of a range has to be right in the end.
        if lane + distance < lanes {
            value = combine(value, above);
        }
        distance *= 2;
    }
    if lane == 0 {
        scratch.set(warp_index, value);
    }
    imp::sync_threads();
    let mut all = scratch.get(0);
    let mut w = 1;
    while w < threads.div_ceil(warp::SIZE) {
        all = combine(all, scratch.get(w));
        w += 1;
    }
    imp::sync_threads();
    all
}
