//! One GPU: its stream, its memory, the loaded kernels.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{DriverError, result, sys};
use tribin_launch::{Device, DeviceId, Launch};

use crate::context::Context;
use crate::event::Event;
use crate::memory::GpuMemory;
use crate::staging::{LEAST, Staging};
use crate::stream::Stream;
use crate::{Error, GpuInfo, LEAST_COMPUTE_CAPABILITY, Options, Result, list};

/// A GPU ready to run kernels.
///
/// Its calls may come from any thread, and all work goes to one stream. A call holds no lock while it
/// copies or waits, so threads of one pool may share it.
pub struct Gpu {
    id: DeviceId,
    info: GpuInfo,
    options: Options,
    /// From the first large upload on.
    staging: Mutex<Option<Arc<Staging>>>,
    /// Devices that may read this one's memory without a detour.
    pub(crate) readers: Mutex<Vec<sys::CUdevice>>,
    pub(crate) context: Arc<Context>,
}

impl Gpu {
    /// Takes a GPU into use, with the kernels of a PTX module: about 0.2 s the first time, for the
    /// context and the compilation of the kernels, and less when the driver has them in its cache.
    ///
    /// # Errors
    /// No driver, no such GPU, one that is too old, or what the driver's compiler says of the PTX.
    pub fn open(ordinal: usize, ptx: &str) -> Result<Gpu> {
        Gpu::open_with(ordinal, ptx, Options::default())
    }

    /// The same with options.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(ordinal: usize, ptx: &str, options: Options) -> Result<Gpu> {
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
        let context = Context::open(&info, ptx)?;
        let (staging, readers) = (Mutex::new(None), Mutex::default());
        Ok(Gpu { id: DeviceId::unique(), info, options, staging, readers, context })
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
        let free = || {
            self.context.make_current()?;
            let (free, _) = result::mem_get_info()?;
            Ok(free as u64 + self.context.pool.unused()?)
        };
        free().map_err(|error| self.failed(error))
    }

    /// The most bytes of memory that were in use at a time since the last call.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn take_peak_memory(&self) -> Result<u64> {
        self.synchronize()?;
        self.context.pool.take_peak().map_err(|error| self.failed(error))
    }

    /// What all work of this GPU is asked for on.
    pub(crate) fn stream(&self) -> &Stream {
        &self.context.stream
    }

    /// The buffers of large uploads.
    fn staging(&self) -> Result<Arc<Staging>, DriverError> {
        let mut staging = self.staging.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(match &*staging {
            Some(staging) => staging.clone(),
            None => {
                let threads = self.options.chosen_copy_threads();
                staging.insert(Arc::new(Staging::new(&self.context, threads)?)).clone()
            }
        })
    }

    pub(crate) fn failed(&self, error: DriverError) -> Error {
        Error::driver(&self.info.name, error)
    }
}

impl Device for Gpu {
    type Error = Error;
    type Memory = GpuMemory;
    type Event = Event;

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
            // SAFETY: what is returned owns the memory, and the context with it.
            unsafe { self.context.pool.allocate(bytes as usize, self.stream().handle()) }
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
                result::memset_d8_async(address, byte, bytes as usize, self.stream().handle())
            })
            .map_err(|error| self.failed(error))
    }

    unsafe fn upload(&self, address: u64, from: &[u8]) -> Result<()> {
        let copy = || {
            self.context.make_current()?;
            if from.len() >= LEAST {
                return self.staging()?.upload(&self.context, address, from);
            }
            result::memcpy_htod_async(address, from, self.stream().handle())?;
            // Pageable memory has been read when the call returns; the GPU reads other memory later.
            if is_known_to_driver(from) { self.stream().synchronize() } else { Ok(()) }
        };
        copy().map_err(|error| self.failed(error))
    }

    unsafe fn download(&self, address: u64, to: &mut [u8]) -> Result<()> {
        self.context
            .make_current()
            .and_then(|()| result::memcpy_dtoh_async(to, address, self.stream().handle()))
            .and_then(|()| self.stream().synchronize())
            .map_err(|error| self.failed(error))
    }

    unsafe fn launch(&self, launch: Launch<'_>) -> Result<()> {
        let run = || {
            self.context.make_current()?;
            let function =
                self.context.module.function(launch.kernel, launch.shape.shared_bytes)?;
            // The driver reads as many bytes of each word as the parameter has.
            let mut words: Vec<u64> = launch.args.iter().map(|arg| arg.value.to_bits()).collect();
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
                    self.stream().handle(),
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
            .and_then(|()| self.stream().synchronize())
            .map_err(|error| self.failed(error))
    }

    fn record(&self) -> Result<Event> {
        let record = || {
            let event = Event::timed(&self.context)?;
            self.stream().record(&event)?;
            Ok(event)
        };
        record().map_err(|error| self.failed(error))
    }

    fn seconds_between(&self, start: &Event, end: &Event) -> Result<f64> {
        let seconds = || {
            self.context.make_current()?;
            end.synchronize()?;
            Ok(f64::from(end.milliseconds_since(start)?) / 1e3)
        };
        seconds().map_err(|error| self.failed(error))
    }

    fn multiprocessors(&self) -> u32 {
        self.info.multiprocessors
    }
}

/// Whether host memory is page-locked or otherwise the driver's to read at any time, at its start or its
/// end.
fn is_known_to_driver(memory: &[u8]) -> bool {
    let is_known = |byte: &u8| {
        let mut kind = 0u32;
        // SAFETY: the attribute is a 32-bit number, and the driver takes any address for it: one that
        // it does not know is an error.
        let outcome = unsafe {
            sys::cuPointerGetAttribute(
                std::ptr::from_mut(&mut kind).cast(),
                sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                std::ptr::from_ref(byte).addr() as u64,
            )
        };
        outcome == sys::CUresult::CUDA_SUCCESS && kind != 0
    };
    [memory.first(), memory.last()].into_iter().flatten().any(is_known)
}
