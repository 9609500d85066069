//! One GPU: a context, a stream, the loaded kernels.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use cudarc::driver::{DriverError, result, sys};
use tribin_launch::{ArgValue, Device, DeviceId, Launch};

use crate::memory::GpuMemory;
use crate::module::Module;
use crate::staging::{LEAST, Staging};
use crate::{Error, GpuInfo, LEAST_COMPUTE_CAPABILITY, Result, list};

/// A GPU ready to run kernels.
pub struct Gpu {
    id: DeviceId,
    context: Arc<Context>,
    info: GpuInfo,
    staging: Mutex<Option<Staging>>,
}

/// What everything on the GPU hangs on; lives until the last allocation is gone.
pub(crate) struct Context {
    device: sys::CUdevice,
    context: sys::CUcontext,
    pool: sys::CUmemoryPool,
    pub(crate) stream: sys::CUstream,
    module: Module,
}

// SAFETY: the driver's handles may be used from any thread that made the context current.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

/// A point in the GPU's work.
pub struct Event {
    context: Arc<Context>,
    event: sys::CUevent,
}

// SAFETY: the driver's handles may be used from any thread.
unsafe impl Send for Event {}

impl Context {
    pub(crate) fn make_current(&self) -> Result<(), DriverError> {
        // SAFETY: the context is retained until drop.
        unsafe { result::ctx::set_current(self.context) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.make_current().is_ok() {
            // SAFETY: this is the last user of the stream, the module and the context.
            unsafe {
                let _ = result::stream::synchronize(self.stream);
                let _ = result::stream::destroy(self.stream);
            }
            self.module.unload();
        }
        // SAFETY: retained once, by `Gpu::open`.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if self.context.make_current().is_ok() {
            // SAFETY: created by `mark`, destroyed once.
            let _ = unsafe { result::event::destroy(self.event) };
        }
    }
}

impl Gpu {
    /// Takes a GPU into use, with the kernels of a PTX module: about 0.2 s the first time, for the
    /// context and the compilation of the kernels, and less when the driver has them in its cache.
    ///
    /// # Errors
    /// No driver, no such GPU, one that is too old, or what the driver's compiler says of the PTX.
    pub fn open(ordinal: usize, ptx: &str) -> Result<Gpu> {
        let gpus = list()?;
        let Some(info) = gpus.get(ordinal).cloned() else {
            return Err(Error::NoSuchGpu { ordinal, gpus: gpus.len() });
        };
        if !info.is_supported() {
            return Err(Error::Unsupported {
                device: info.name,
                compute_capability: info.compute_capability,
                needed: LEAST_COMPUTE_CAPABILITY,
            });
        }
        let failed = |error| Error::driver(&info.name, error);
        let device = result::device::get(ordinal as i32).map_err(failed)?;
        // SAFETY: the device is the driver's; what is retained here `Context` releases.
        unsafe {
            let context = result::primary_ctx::retain(device).map_err(failed)?;
            result::ctx::set_current(context).map_err(failed)?;
            let stream =
                result::stream::create(result::stream::StreamKind::NonBlocking).map_err(failed)?;
            let pool = result::device::get_default_mem_pool(device).map_err(failed)?;
            // Memory that was given back stays with the process: taking it again costs nothing.
            let mut keep = u64::MAX;
            result::mem_pool::set_attribute(
                pool,
                sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
                std::ptr::from_mut(&mut keep).cast(),
            )
            .map_err(failed)?;
            let module = Module::load(ptx)?;
            let context = Arc::new(Context { device, context, pool, stream, module });
            Ok(Gpu { id: DeviceId::unique(), context, info, staging: Mutex::new(None) })
        }
    }

    /// What the driver says of it.
    pub fn info(&self) -> &GpuInfo {
        &self.info
    }

    /// Bytes of memory that can be allocated now.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn free_memory(&self) -> Result<u64> {
        use sys::CUmemPool_attribute::{
            CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, CU_MEMPOOL_ATTR_USED_MEM_CURRENT,
        };
        self.context.make_current().map_err(|error| self.failed(error))?;
        let (free, _) = result::mem_get_info().map_err(|error| self.failed(error))?;
        let reserved = self.pool_attribute(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?;
        let used = self.pool_attribute(CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?;
        Ok(free as u64 + reserved.saturating_sub(used))
    }

    /// The most bytes of memory that were in use at a time since the last call.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn take_peak_memory(&self) -> Result<u64> {
        use sys::CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_HIGH;
        self.synchronize()?;
        let peak = self.pool_attribute(CU_MEMPOOL_ATTR_USED_MEM_HIGH)?;
        let mut reset = 0u64;
        // SAFETY: the attribute is a 64-bit number, and zero resets it.
        unsafe {
            result::mem_pool::set_attribute(
                self.context.pool,
                CU_MEMPOOL_ATTR_USED_MEM_HIGH,
                std::ptr::from_mut(&mut reset).cast(),
            )
        }
        .map_err(|error| self.failed(error))?;
        Ok(peak)
    }

    fn pool_attribute(&self, which: sys::CUmemPool_attribute) -> Result<u64> {
        let mut value = 0u64;
        // SAFETY: the attributes that are asked for are 64-bit numbers.
        unsafe {
            result::mem_pool::get_attribute(
                self.context.pool,
                which,
                std::ptr::from_mut(&mut value).cast(),
            )
        }
        .map_err(|error| self.failed(error))?;
        Ok(value)
    }

    /// What all work of this GPU is asked for on.
    pub(crate) fn stream(&self) -> sys::CUstream {
        self.context.stream
    }

    pub(crate) fn failed(&self, error: DriverError) -> Error {
        Error::driver(&self.info.name, error)
    }
}

impl Device for Gpu {
    type Error = Error;
    type Memory = GpuMemory;
    type Mark = Event;

    fn id(&self) -> DeviceId {
        self.id
    }

    fn allocate(&self, bytes: u64) -> Result<GpuMemory> {
        self.context.make_current().map_err(|error| self.failed(error))?;
        let full = DriverError(sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY);
        // The driver rounds sizes up, which absurd ones do not survive.
        let memory = if bytes > self.info.memory {
            Err(full)
        } else {
            // SAFETY: the memory is owned by what is returned.
            unsafe { result::malloc_async(self.context.stream, bytes as usize) }
        };
        match memory {
            Ok(address) => Ok(GpuMemory::new(self.context.clone(), address)),
            Err(error) if error == full => Err(Error::OutOfMemory {
                needed: bytes,
                free: self.free_memory()?,
                device: self.info.name.clone(),
            }),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn address(memory: &GpuMemory) -> u64 {
        memory.address
    }

    unsafe fn fill(&self, address: u64, byte: u8, bytes: u64) -> Result<()> {
        self.context
            .make_current()
            .and_then(|()| {
                result::memset_d8_async(address, byte, bytes as usize, self.context.stream)
            })
            .map_err(|error| self.failed(error))
    }

    unsafe fn upload(&self, address: u64, from: &[u8]) -> Result<()> {
        let copy = || {
            self.context.make_current()?;
            if from.len() < LEAST {
                // Pageable memory has been read when this returns.
                return result::memcpy_htod_async(address, from, self.context.stream);
            }
            let mut staging = self.staging.lock().unwrap_or_else(|broken| broken.into_inner());
            let staging = match &mut *staging {
                Some(staging) => staging,
                none => none.insert(Staging::new()?),
            };
            staging.upload(address, from, self.context.stream)
        };
        copy().map_err(|error| self.failed(error))
    }

    unsafe fn download(&self, address: u64, to: &mut [u8]) -> Result<()> {
        self.context
            .make_current()
            .and_then(|()| result::memcpy_dtoh_async(to, address, self.context.stream))
            .and_then(|()| result::stream::synchronize(self.context.stream))
            .map_err(|error| self.failed(error))
    }

    unsafe fn launch(&self, launch: Launch<'_>) -> Result<()> {
        let run = || {
            self.context.make_current()?;
            let function =
                self.context.module.function(launch.kernel, launch.shape.shared_bytes)?;
            // The driver reads as many bytes of each word as the parameter has; little-endian, so
            // a 32-bit number stands at the front of its 64.
            let mut words: Vec<u64> = launch
                .args
                .iter()
                .map(|arg| match arg.value {
                    ArgValue::Memory { address, .. } => address,
                    ArgValue::U32(value) => u64::from(value),
                    ArgValue::U64(value) => value,
                })
                .collect();
            let mut params: Vec<*mut c_void> =
                words.iter_mut().map(|word| std::ptr::from_mut(word).cast()).collect();
            // SAFETY: the caller's promise is that name, number and types of the arguments are the
            // kernel's, and that the addresses are of memory that it may use.
            unsafe {
                result::launch_kernel(
                    function,
                    (launch.shape.grid, 1, 1),
                    (launch.shape.block, 1, 1),
                    launch.shape.shared_bytes,
                    self.context.stream,
                    &mut params,
                )
            }
        };
        run().map_err(|error| {
            let what = format!("{}: kernel {} did not start", self.info.name, launch.kernel);
            Error::driver(what, error)
        })
    }

    fn synchronize(&self) -> Result<()> {
        self.context
            .make_current()
            // SAFETY: the stream lives as long as the context.
            .and_then(|()| unsafe { result::stream::synchronize(self.context.stream) })
            .map_err(|error| self.failed(error))
    }

    fn mark(&self) -> Result<Event> {
        let mark = || {
            self.context.make_current()?;
            let event = result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT)?;
            let event = Event { context: self.context.clone(), event };
            // SAFETY: event and stream are of this context.
            unsafe { result::event::record(event.event, self.context.stream)? };
            Ok(event)
        };
        mark().map_err(|error| self.failed(error))
    }

    fn seconds_between(&self, start: &Event, end: &Event) -> Result<f64> {
        let seconds = || {
            self.context.make_current()?;
            // SAFETY: both events were recorded by `mark`.
            unsafe {
                result::event::synchronize(end.event)?;
                Ok(f64::from(result::event::elapsed(start.event, end.event)?) / 1e3)
            }
        };
        seconds().map_err(|error| self.failed(error))
    }

    fn multiprocessors(&self) -> u32 {
        self.info.multiprocessors
    }
}
