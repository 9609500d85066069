use tribin_device::memory::InOut;
use tribin_device::{kernel, shared, thread};

use super::DIGITS;
use crate::primitives::block_scan_exclusive;

kernel! {
    /// Turns the counts of each pass into the places where its digits start. One block of 256
    /// threads a pass, 32 bytes of shared memory.
    pub fn radix_offsets(histograms: InOut<u32>, passes: u32)
    requires { histograms.len() >= u64::from(passes * DIGITS) }
    {
        let slot = u64::from(thread::block_idx_x() * DIGITS + thread::thread_idx_x());
        let (start, _) = block_scan_exclusive(shared::array::<u32>(0, 8), histograms.get(slot));
        histograms.set(slot, start);
    }
}
