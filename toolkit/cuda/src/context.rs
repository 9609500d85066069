//! What everything on a GPU hangs on.

use std::sync::Arc;

use cudarc::driver::{DriverError, result, sys};

use crate::kernels::Kernels;
use crate::module::Module;
use crate::pool::MemoryPool;
use crate::stream::Stream;
use crate::{Error, GpuInfo, Result};

/// A context with its stream, its memory and its kernels; lives until the last allocation is gone.
///
/// The fields are dropped in their order: the driver's context goes last.
pub(crate) struct Context {
    pub(crate) stream: Stream,
    /// Copies to the host that the work of `stream` goes on beside.
    pub(crate) copies: Stream,
    pub(crate) module: Module,
    pub(crate) pool: MemoryPool,
    primary: Primary,
}

impl Context {
    /// The context of a GPU, with its kernels. With `separate` buffers, each is an allocation of the driver's.
    pub(crate) fn open(
        gpu: &GpuInfo,
        kernels: &Kernels<'_>,
        separate: bool,
    ) -> Result<Arc<Context>> {
        let failed = |error| Error::driver(&gpu.name, error);
        let device = result::device::get(gpu.ordinal as i32).map_err(failed)?;
        let primary = Primary::retain(device).map_err(failed)?;
        primary.make_current().map_err(failed)?;
        let stream = Stream::create().map_err(failed)?;
        let copies = Stream::create().map_err(failed)?;
        let pool = MemoryPool::create(device, gpu.memory, separate).map_err(failed)?;
        let module = Module::load(kernels, gpu.compute_capability)?;
        Ok(Arc::new(Context { stream, copies, module, pool, primary }))
    }

    /// Makes the calls of this thread go to this context.
    pub(crate) fn make_current(&self) -> Result<(), DriverError> {
        self.primary.make_current()
    }

    /// The driver's number of the device.
    pub(crate) fn device(&self) -> sys::CUdevice {
        self.primary.device
    }

    /// The driver's handle, valid as long as this value.
    pub(crate) fn handle(&self) -> sys::CUcontext {
        self.primary.context
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // The fields are dropped after this: in this context, and when nothing uses them any more. A
        // failure here is that of an earlier call, which nobody waits for any more.
        let _ = self.make_current();
        let _ = self.stream.synchronize();
        let _ = self.copies.synchronize();
        // SAFETY: no buffer is left, and the stream is that of all calls of the pool.
        unsafe { self.pool.give_back_chunks(self.stream.handle()) };
        let _ = self.stream.synchronize();
    }
}

/// The context that all users of a GPU in this process share.
struct Primary {
    device: sys::CUdevice,
    context: sys::CUcontext,
}

// SAFETY: the driver's handles may be used from any thread that made the context current.
unsafe impl Send for Primary {}
// SAFETY: as above.
unsafe impl Sync for Primary {}

impl Primary {
    fn retain(device: sys::CUdevice) -> Result<Primary, DriverError> {
        // SAFETY: the device is the driver's; what is retained here is released on drop.
        let context = unsafe { result::primary_ctx::retain(device)? };
        Ok(Primary { device, context })
    }

    fn make_current(&self) -> Result<(), DriverError> {
        // SAFETY: the context is retained until drop.
        unsafe { result::ctx::set_current(self.context) }
    }
}

impl Drop for Primary {
    fn drop(&mut self) {
        // SAFETY: retained once.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}
