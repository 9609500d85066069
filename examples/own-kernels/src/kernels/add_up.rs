//! The sum of an array.

use warpwise_device::memory::{In, InOut};
use warpwise_device::{block, kernel, shared, thread, warp};

/// Bytes of shared memory in a block: a number for each warp, of which a block has at most 32.
pub const SHARED_BYTES: u32 = 8 * warp::SIZE;

/// Values that a thread reads at once: while one is on its way, so are the others.
const ITEMS: u64 = 8;

kernel!(
    /// Adds the first `n` values to `total`, with any number of threads and `SHARED_BYTES` of shared memory.
    #[requires(|shape|
        shape.is_1d(),
        shape.shared_bytes >= SHARED_BYTES,
        values.len() >= n,
        !total.is_empty(),
    )]
    pub unsafe fn add_up(values: In<f32>, total: InOut<f64>, n: u64) {
        let mut of_thread = 0.0;
        let share = n / ITEMS;
        for i in thread::of_grid(share) {
            for item in 0..ITEMS {
                of_thread += f64::from(values.get(item * share + i));
            }
        }
        for i in thread::of_grid_from(share * ITEMS, n) {
            of_thread += f64::from(values.get(i));
        }
        let of_block = block::reduce(shared::array(0, warp::SIZE), of_thread, |a, b| a + b);
        if thread::thread_idx_x() == 0 {
            total.atomic_add(0, of_block);
        }
    }
);
