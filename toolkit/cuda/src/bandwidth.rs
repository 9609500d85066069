//! How fast a GPU copies its memory.

use cudarc::driver::result;
use tribin_launch::Device;

use crate::{Gpu, Result};

/// Bytes that a copy for measuring reads: more than caches hold.
const COPIED: u64 = 512 << 20;

impl Gpu {
    /// Bytes read and written a second when the driver copies memory within the GPU, the best of five
    /// times. Takes 1 GiB for a moment, or half of what is free.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn copy_bandwidth(&self) -> Result<f64> {
        let bytes = COPIED.min(self.free_memory()? / 4).max(1);
        let [from, to] = [self.allocate(bytes)?, self.allocate(bytes)?];
        // SAFETY: all of an allocation of this device.
        unsafe { self.fill(Self::address(&from), 1, bytes)? };
        let mut fastest = f64::INFINITY;
        for _ in 0..5 {
            let start = self.record()?;
            let (to, from, stream) = (to.address(), from.address(), self.work().handle());
            // SAFETY: two allocations of this device, of this length and apart.
            self.ask(|| unsafe { result::memcpy_dtod_async(to, from, bytes as usize, stream) })?;
            let end = self.record()?;
            fastest = fastest.min(self.seconds_between(&start, &end)?);
        }
        Ok((2 * bytes) as f64 / fastest)
    }
}
