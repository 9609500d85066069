//! What a session asks of a device besides running kernels.

use warpwise_device::launch::Peer;

use crate::{Error, Result};
use tribin_gpu::device::cuda::Gpu;

/// A device that a session can work on: what it asks of one besides running kernels.
pub trait Accelerator:
    Peer<Error: Into<Error> + Send, Memory: Send + Sync> + Send + Sync + 'static
{
    /// The device as `--device` takes it.
    fn label(&self) -> String;

    /// The device's name, for people.
    fn name(&self) -> String;

    /// Bytes of memory that can be allocated now.
    fn free_memory(&self) -> Result<u64>;

    /// The most bytes that were in use at a time since the last call; `None` where nothing meters them.
    fn take_peak_memory(&self) -> Result<Option<u64>> {
        Ok(None)
    }

    /// Says how many bytes what comes next takes at most.
    fn expect_bytes(&self, bytes: u64) {
        let _ = bytes;
    }

    /// Lets the work that is asked for from now on wait for what was asked for on a stream of another library.
    ///
    /// # Safety
    /// The handle is of a live stream of this device.
    unsafe fn wait_for_stream(&self, stream: u64) -> Result<()> {
        // What has one stream does everything in order.
        let _ = stream;
        Ok(())
    }

    /// Prepares for copies to another device. Says whether they go straight there.
    fn let_read(&self, _reader: &Self) -> Result<bool> {
        Ok(true)
    }
}

impl Accelerator for Gpu {
    fn label(&self) -> String {
        format!("gpu:{}", self.info().ordinal)
    }

    fn name(&self) -> String {
        self.info().name.clone()
    }

    fn free_memory(&self) -> Result<u64> {
        Ok(Gpu::free_memory(self)?)
    }

    fn take_peak_memory(&self) -> Result<Option<u64>> {
        Ok(Some(Gpu::take_peak_memory(self)?))
    }

    fn expect_bytes(&self, bytes: u64) {
        Gpu::expect_bytes(self, bytes);
    }

    unsafe fn wait_for_stream(&self, stream: u64) -> Result<()> {
        // SAFETY: the caller's promise.
        Ok(unsafe { Gpu::wait_for_stream(self, stream) }?)
    }

    fn let_read(&self, reader: &Gpu) -> Result<bool> {
        Ok(Gpu::let_read(self, reader)?)
    }
}

/// An emulated GPU of 1 GiB, whose every allocation is metered: for tests.
#[cfg(any(test, feature = "emulator"))]
impl Accelerator for warpwise_device::launch::Metered<warpwise_device::emulated::Emulator> {
    fn label(&self) -> String {
        "gpu:0".into()
    }

    fn name(&self) -> String {
        "the metered emulator".into()
    }

    fn free_memory(&self) -> Result<u64> {
        Ok(1 << 30)
    }

    fn take_peak_memory(&self) -> Result<Option<u64>> {
        let peak = self.peak_bytes();
        self.reset_peak();
        Ok(Some(peak))
    }
}
