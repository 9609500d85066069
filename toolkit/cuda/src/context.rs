//! What everything on a GPU hangs on.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use cudarc::driver::{DriverError, result, sys};
use warpwise_launch::DeviceId;

use crate::event::Event;
use crate::kernels::Kernels;
use crate::module::Module;
use crate::pool::MemoryPool;
use crate::stream::Stream;
use crate::{Error, GpuInfo, Result};

/// A context with its stream and its memory; lives until the last allocation is gone.
///
/// The fields are dropped in their order: the driver's context goes last.
pub(crate) struct CudaContext {
    pub(crate) id: DeviceId,
    stream: Stream,
    /// Copies from the host that the work of `stream` goes on beside.
    pub(crate) copies: Stream,
    /// The kernels that may be under way, each module with its PTX.
    modules: Mutex<Vec<(String, Arc<Module>)>>,
    pub(crate) pool: MemoryPool,
    /// Work on other streams that uses memory of this one, and that `stream` has not waited for.
    lent: Mutex<Vec<Lent>>,
    primary: Arc<Primary>,
}

/// Work on another stream of the GPU.
struct Lent {
    to: DeviceId,
    writes: bool,
    done: Event,
}

/// All contexts that are open.
static OPEN: Mutex<Vec<Weak<CudaContext>>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CudaContext {
    /// A context of a GPU with a stream of its own. With `separate` buffers, each is an allocation of the driver's.
    pub(crate) fn open(gpu: &GpuInfo, separate: bool) -> Result<Arc<CudaContext>> {
        let failed = |error| Error::driver(&gpu.name, error);
        let device = result::device::get(gpu.ordinal as i32).map_err(failed)?;
        let primary = Arc::new(Primary::retain(device).map_err(failed)?);
        primary.make_current().map_err(failed)?;
        let stream = Stream::create().map_err(failed)?;
        let copies = Stream::create().map_err(failed)?;
        let pool = MemoryPool::create(device, gpu.memory, separate).map_err(failed)?;
        let (modules, lent, id) = (Mutex::default(), Mutex::default(), DeviceId::unique());
        let context = Arc::new(CudaContext { id, stream, copies, modules, pool, lent, primary });
        let mut open = lock(&OPEN);
        open.retain(|context| context.strong_count() > 0);
        open.push(Arc::downgrade(&context));
        Ok(context)
    }

    /// Loads kernels, or finds them among those that were loaded.
    pub(crate) fn load(&self, gpu: &GpuInfo, kernels: &Kernels<'_>) -> Result<Arc<Module>> {
        let mut modules = lock(&self.modules);
        if let Some((_, module)) = modules.iter().find(|(ptx, _)| ptx == kernels.ptx) {
            return Ok(module.clone());
        }
        self.make_current().map_err(|error| Error::driver(&gpu.name, error))?;
        let module = Arc::new(Module::load(kernels, gpu.compute_capability)?);
        modules.push((kernels.ptx.to_owned(), module.clone()));
        Ok(module)
    }

    /// Has the kernels of another context of the GPU at hand.
    pub(crate) fn load_those_of(&self, other: &CudaContext) {
        *lock(&self.modules) = lock(&other.modules).clone();
    }

    /// The stream, after all that others do with memory of this context.
    pub(crate) fn stream(&self) -> &Stream {
        for lent in lock(&self.lent).drain(..) {
            let waits = self.make_current().and_then(|()| self.stream.wait_for(&lent.done));
            if waits.is_err() {
                let _ = lent.done.synchronize();
            }
        }
        &self.stream
    }

    /// Another context of the same GPU.
    pub(crate) fn neighbour(&self, id: DeviceId) -> Option<Arc<CudaContext>> {
        let open: Vec<_> = lock(&OPEN).iter().filter_map(Weak::upgrade).collect();
        open.into_iter().find(|other| other.id == id && other.device() == self.device())
    }

    /// Has the stream wait for what was asked of `home` with its memory, before work that reads it, or writes it too.
    pub(crate) fn borrow(&self, home: &Arc<CudaContext>, writes: bool) -> Result<(), DriverError> {
        self.make_current()?;
        let asked_for = Event::untimed(home)?;
        let own = self.stream();
        // Held, so that no other thread has `home` wait for what is lent behind the event: this stream would wait for neither.
        let lent = lock(&home.lent);
        home.stream.record(&asked_for)?;
        own.wait_for(&asked_for)?;
        let mut others = lent.iter().filter(|lent| writes || lent.writes);
        others.try_for_each(|lent| own.wait_for(&lent.done))
    }

    /// Has `home` wait, before its next work, for the work of this stream that used its memory.
    pub(crate) fn give_back(
        self: &Arc<Self>,
        home: &CudaContext,
        writes: bool,
    ) -> Result<(), DriverError> {
        // Held, so that the event that is put down last is that of the latest work.
        let mut lent = lock(&home.lent);
        let done = Event::untimed(self)
            .and_then(|done| self.stream.record(&done).map(|()| done))
            .or_else(|error| self.stream.synchronize().and(Err(error)))?;
        let writes = writes || lent.iter().any(|lent| lent.to == self.id && lent.writes);
        lent.retain(|lent| lent.to != self.id);
        lent.push(Lent { to: self.id, writes, done });
        Ok(())
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

    /// The driver's context, which stays as long as anything of it.
    pub(crate) fn primary(&self) -> &Arc<Primary> {
        &self.primary
    }
}

impl Drop for CudaContext {
    fn drop(&mut self) {
        // The fields are dropped after this: in this context, and when nothing uses them any more. A
        // failure here is that of an earlier call, which nobody waits for any more.
        let _ = self.make_current();
        let _ = self.stream().synchronize();
        let _ = self.copies.synchronize();
        // SAFETY: no buffer is left, and the stream is that of all calls of the pool.
        unsafe { self.pool.give_back_chunks(self.stream.handle()) };
        let _ = self.stream.synchronize();
    }
}

/// The context that all users of a GPU in this process share.
pub(crate) struct Primary {
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

    pub(crate) fn make_current(&self) -> Result<(), DriverError> {
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
