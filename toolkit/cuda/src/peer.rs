//! Copies from one GPU to another.

use std::sync::PoisonError;

use cudarc::driver::{DriverError, result, sys};
use tribin_launch::Peer;

use crate::Gpu;
use crate::event::Event;

impl Gpu {
    /// Lets `reader` read the memory of this GPU without a detour, if there is a link between them that can. Says
    /// whether there is. Without one, copies go through the host's memory.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn let_read(&self, reader: &Gpu) -> crate::Result<bool> {
        let [own, other] = [self, reader].map(|gpu| gpu.context.device());
        self.ask(|| {
            if own == other {
                return Ok(true);
            }
            let mut can = 0;
            // SAFETY: writes one integer; both devices are the driver's.
            unsafe { sys::cuDeviceCanAccessPeer(&mut can, other, own) }.result()?;
            if can == 0 {
                return Ok(false);
            }
            self.context.pool.let_read(other)?;
            self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(other);
            Ok(true)
        })
    }

    /// Whether kernels and copies of a device may read this GPU's memory.
    fn is_read_by(&self, device: sys::CUdevice) -> bool {
        let readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        self.context.device() == device || readers.contains(&device)
    }
}

impl Peer for Gpu {
    unsafe fn copy_from(
        &self,
        address: u64,
        (from, from_address): (&Gpu, u64),
        bytes: u64,
        beside: &mut dyn FnMut() -> crate::Result<()>,
    ) -> crate::Result<()> {
        let (bytes, copies, stream) = (bytes as usize, &self.context.copies, self.work());
        let copied = self.ask(|| {
            let [before, copied] = [Event::untimed(&self.context)?, Event::untimed(&self.context)?];
            // The memory is there by then, and nothing before uses it any more.
            stream.record(&before)?;
            copies.wait_for(&before)?;
            if from.is_read_by(self.context.device()) {
                // SAFETY: the caller's promise; this context's device may read the source.
                unsafe {
                    result::memcpy_dtod_async(address, from_address, bytes, copies.handle())?;
                }
            } else {
                let [to, from] = [self, from].map(|gpu| gpu.context.handle());
                let copies = copies.handle();
                // SAFETY: the caller's promise; each range is of the context beside it.
                unsafe { sys::cuMemcpyPeerAsync(address, to, from_address, from, bytes, copies) }
                    .result()?;
            }
            copies.record(&copied)?;
            Ok(copied)
        })?;
        let mut under_way = UnderWay { gpu: self, copied: Some(copied) };
        let result = beside();
        under_way.wait().map_err(|error| self.failed(error))?;
        result
    }
}

/// A copy that was asked for. Whatever happens beside it, it has ended when this is gone.
struct UnderWay<'g> {
    gpu: &'g Gpu,
    /// The event at the end of the copy, until it was waited for.
    copied: Option<Event>,
}

impl UnderWay<'_> {
    /// Waits for the copy, and has what is asked for from now on come after it.
    fn wait(&mut self) -> Result<(), DriverError> {
        let Some(copied) = self.copied.take() else { return Ok(()) };
        self.gpu.context.make_current()?;
        self.gpu.work().wait_for(&copied)?;
        copied.synchronize()
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let _ = self.wait();
    }
}
