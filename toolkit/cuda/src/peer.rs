//! Copies from one GPU to another.

use std::sync::PoisonError;

use cudarc::driver::{result, sys};
use warpwise_launch::{Device, Peer};

use crate::Gpu;

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
    ) -> crate::Result<()> {
        let (bytes, stream) = (bytes as usize, self.work().handle());
        self.ask(|| {
            if from.is_read_by(self.context.device()) {
                // SAFETY: the caller's promise; this context's device may read the source.
                unsafe { result::memcpy_dtod_async(address, from_address, bytes, stream) }?;
            } else {
                let [to, from] = [self, from].map(|gpu| gpu.context.handle());
                // SAFETY: the caller's promise; each range is of the context beside it.
                unsafe { sys::cuMemcpyPeerAsync(address, to, from_address, from, bytes, stream) }
                    .result()?;
            }
            Ok(())
        })?;
        self.synchronize()
    }
}
