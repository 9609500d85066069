use warpwise_device::memory::InOut;
use warpwise_device::{kernel, shared, thread, warp};

use super::{WIDE_DIGIT_BITS, digits};
use crate::{Scanned, block_scan_exclusive};

/// Bytes of shared memory of a block: a word a warp.
pub const OFFSETS_SHARED_BYTES: u32 = digits(WIDE_DIGIT_BITS) / warp::SIZE * 4;

kernel!(
    /// Turns the counts of each pass into the places where its digits start. A block a pass, with a thread for each
    /// digit.
    #[requires(
        |shape| histograms.len() >= u64::from(shape.grid.x) * u64::from(shape.block.x),
        shape.block.x <= digits(WIDE_DIGIT_BITS), shape.block.x.is_multiple_of(warp::SIZE),
        shape.shared_bytes >= OFFSETS_SHARED_BYTES,
    )]
    pub unsafe fn radix_offsets(histograms: InOut<u32>) {
        let slot = thread::block_idx_x() * thread::block_dim_x() + thread::thread_idx_x();
        let sums = shared::array::<u32>(0, OFFSETS_SHARED_BYTES / 4);
        let Scanned { before: start, .. } =
            block_scan_exclusive(sums, histograms.get(u64::from(slot)));
        histograms.set(u64::from(slot), start);
    }
);
