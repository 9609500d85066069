//! One GPU: its stream, its memory, the loaded kernels.

use std::ffi::c_void;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::{DriverError, result, sys};
use warpwise_launch::{
    ArgValue, Device, DeviceId, Dim3, Entry, Launch, LaunchStep, Pieces, Shape, Then, Write,
};

use crate::cluster;
use crate::context::CudaContext;
use crate::event::Event;
use crate::graph::ReadyGraph;
use crate::kernels::Kernels;
use crate::landing::Landing;
use crate::memory::GpuMemory;
use crate::module::Module;
use crate::pool::OUT_OF_MEMORY;
use crate::staging::{LEAST, StagedSizes, Staging};
use crate::stream::Stream;
use crate::{ComputeCapability, Error, GpuInfo, LEAST_COMPUTE_CAPABILITY, Options, Result, list};

/// A GPU ready to run kernels: a stream of its work, and a module of kernels.
///
/// Its calls may come from any thread, and all its work goes to one stream. A call holds no lock while it
/// copies or waits, so threads of one pool may share it. A clone is the same stream with the same kernels.
///
/// All that are opened of one GPU accept each other's buffers. Each buffer has a home, the stream that it was allocated on: work on another
/// stream comes after what was asked for at home, and what is asked for there afterwards comes after that work. Two streams that only read a
/// buffer of a third go on side by side.
///
/// ```no_run
/// # const PTX: &str = "";
/// # const MORE: &str = "";
/// use warpwise_cuda::Gpu;
/// use warpwise_launch::Buffer;
///
/// let gpu = Gpu::open(0, PTX)?;
/// let numbers = Buffer::<u32, _>::zeroed(&gpu, 1000)?;
/// let others_kernels = gpu.load(MORE)?; // the same stream
/// let beside = gpu.stream()?; // another one
/// assert_eq!(numbers.to_vec(&beside)?, [0; 1000]);
/// # Ok::<(), warpwise_cuda::Error>(())
/// ```
#[derive(Clone)]
pub struct Gpu {
    pub(crate) module: Arc<Module>,
    info: GpuInfo,
    options: Options,
    /// The page-locked buffers, from the first large copy on.
    staging: Arc<Mutex<Option<Arc<Staging>>>>,
    landing: Arc<Landing>,
    /// Devices that may read this one's memory without a detour.
    pub(crate) readers: Arc<Mutex<Vec<sys::CUdevice>>>,
    pub(crate) context: Arc<CudaContext>,
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("info", &self.info).finish_non_exhaustive()
    }
}

impl Gpu {
    /// Takes a GPU into use, with kernels: PTX, or PTX and machine code. It takes about 0.2 s for the context. The
    /// driver compiles kernels without machine code for the GPU, tens of milliseconds each, unless it has them in its
    /// cache.
    ///
    /// # Errors
    /// No driver, no such GPU, one that is too old for the PTX, text that says why it has no PTX (see
    /// `warpwise-ptx-builder`), or what the driver's compiler says of the PTX.
    pub fn open<'a>(ordinal: usize, kernels: impl Into<Kernels<'a>>) -> Result<Gpu> {
        Gpu::open_with(ordinal, kernels, Options::default())
    }

    /// Takes a GPU into use, with options.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with<'a>(
        ordinal: usize,
        kernels: impl Into<Kernels<'a>>,
        options: Options,
    ) -> Result<Gpu> {
        let kernels = kernels.into();
        kernels.check_ptx()?;
        let gpus = list()?;
        let Some(info) = gpus.get(ordinal).cloned() else {
            return Err(Error::NoSuchGpu { ordinal, gpus: gpus.len() });
        };
        check_chip(&info, &kernels)?;
        let context = CudaContext::open(&info, options.separate_buffers)?;
        let module = context.load(&info, &kernels)?;
        let (staging, readers) = (Arc::default(), Arc::default());
        let landing = Arc::new(Landing::new(&context));
        Ok(Gpu { module, info, options, staging, landing, readers, context })
    }

    /// The GPU with its stream and memory and with other kernels, such as those of another crate. Kernels that are loaded
    /// already are not loaded again.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn load<'a>(&self, kernels: impl Into<Kernels<'a>>) -> Result<Gpu> {
        let kernels = kernels.into();
        kernels.check_ptx()?;
        check_chip(&self.info, &kernels)?;
        let module = self.context.load(&self.info, &kernels)?;
        Ok(Gpu { module, ..self.clone() })
    }

    /// The GPU with its kernels and another stream: what is asked for there goes on beside what is asked for here.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn stream(&self) -> Result<Gpu> {
        let context = CudaContext::open(&self.info, self.options.separate_buffers)?;
        context.load_those_of(&self.context);
        let (staging, readers) = (Arc::default(), Arc::default());
        let landing = Arc::new(Landing::new(&context));
        Ok(Gpu { staging, landing, readers, context, ..self.clone() })
    }

    /// Lets all work that is asked for from now on wait for an event, which may be of another stream.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn wait_for(&self, event: &Event) -> Result<()> {
        self.ask(|| self.work().wait_for(event))
    }

    /// The driver's handle of the stream, a `CUstream`, which lives as long as this value or a buffer of it. It comes after all that other
    /// streams do so far with memory of this one.
    pub fn stream_handle(&self) -> u64 {
        self.work().handle().addr() as u64
    }

    /// The driver's handle of the GPU's primary context, a `CUcontext`, which lives as long as this value.
    pub fn context_handle(&self) -> u64 {
        self.context.handle().addr() as u64
    }

    /// The GPU as the driver describes it.
    pub fn info(&self) -> &GpuInfo {
        &self.info
    }

    /// Whether the GPU's kernels were loaded as machine code. Otherwise the driver compiled them from PTX.
    pub fn runs_machine_code(&self) -> bool {
        self.module.is_machine_code
    }

    /// Bytes of memory that can be allocated now.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn free_memory(&self) -> Result<u64> {
        self.ask(|| {
            let (free, _) = result::mem_get_info()?;
            Ok(free as u64 + self.context.pool.unused()?)
        })
    }

    /// Says how many bytes of memory what comes next takes at most. Where that is nearly all there is, each buffer is an allocation
    /// of the driver's: it finds room in pieces, but takes longer.
    pub fn expect_bytes(&self, bytes: u64) {
        self.context.pool.expect(bytes);
    }

    /// The most bytes of memory that were in use at a time since the last call.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn take_peak_memory(&self) -> Result<u64> {
        self.synchronize()?;
        Ok(self.context.pool.take_peak())
    }

    /// Lets all work that is asked for from now on wait for what was asked for on another stream of this GPU: the
    /// driver's handle, or 1 for the legacy default stream and 2 for that of the calling thread.
    ///
    /// # Safety
    /// The handle is of a live stream of the GPU's primary context.
    ///
    /// # Errors
    /// What the driver reports.
    pub unsafe fn wait_for_stream(&self, stream: u64) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.join(stream, self.stream_handle()) }
    }

    /// Lets all work that is asked for from now on on another stream of this GPU wait for what was asked for here. The handle is as that of
    /// [`wait_for_stream`](Self::wait_for_stream).
    ///
    /// # Safety
    /// As for [`wait_for_stream`](Self::wait_for_stream).
    ///
    /// # Errors
    /// What the driver reports.
    pub unsafe fn let_stream_wait(&self, stream: u64) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.join(self.stream_handle(), stream) }
    }

    /// Lets the work of one stream wait for that of another.
    ///
    /// # Safety
    /// Both are live streams of the GPU's primary context.
    unsafe fn join(&self, first: u64, then: u64) -> Result<()> {
        let [first, then] = [first, then].map(|stream| stream as usize as sys::CUstream);
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        self.ask(|| {
            let event = Event::untimed(&self.context)?;
            // SAFETY: the caller's promise of the streams; the event is recorded before it is waited for, and the
            // driver keeps what it needs of it.
            unsafe {
                result::event::record(event.handle(), first)?;
                result::stream::wait_event(then, event.handle(), flags)
            }
        })
    }

    /// The stream that all work of this GPU is asked for on.
    pub(crate) fn work(&self) -> &Stream {
        self.context.stream()
    }

    /// The buffers of large copies.
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

    /// The function of a launch, for as many blocks as the GPU holds.
    fn function(&self, launch: &Launch<'_>) -> Result<sys::CUfunction> {
        self.context.make_current().map_err(|error| self.failed(error))?;
        let Launch { kernel, takes, shape, .. } = *launch;
        cluster::check(&self.info, shape)?;
        let function = self.module.function(kernel, Some(takes), shape.shared_bytes)?;
        if shape.together {
            self.check_together(function, launch)?;
        }
        Ok(function)
    }

    /// Checks that the GPU holds all blocks of a launch at a time.
    fn check_together(&self, function: sys::CUfunction, launch: &Launch<'_>) -> Result<()> {
        let Shape { grid, block, shared_bytes, .. } = launch.shape;
        let a_multiprocessor = self.active_blocks(function, block, shared_bytes)?;
        let most = u64::from(a_multiprocessor) * u64::from(self.info.multiprocessors);
        if grid.count() <= most {
            return Ok(());
        }
        let (kernel, blocks) = (launch.kernel, grid.count());
        Err(Error::NotTogether { kernel, blocks, most, device: self.info.name.clone() })
    }

    /// How many blocks of a function are on a multiprocessor at a time.
    fn active_blocks(
        &self,
        function: sys::CUfunction,
        block: Dim3,
        shared_bytes: u32,
    ) -> Result<u32> {
        let threads = block.count().min(i32::MAX as u64) as i32;
        // SAFETY: the function is of a loaded module.
        let blocks = unsafe {
            result::occupancy::max_active_block_per_multiprocessor(
                function,
                threads,
                shared_bytes as usize,
            )
        };
        blocks.map(|blocks| blocks.max(0) as u32).map_err(|error| self.failed(error))
    }

    /// Asks the driver for something in the context of this GPU.
    pub(crate) fn ask<T>(&self, call: impl FnOnce() -> Result<T, DriverError>) -> Result<T> {
        self.context.make_current().and_then(|()| call()).map_err(|error| self.failed(error))
    }

    pub(crate) fn failed(&self, error: DriverError) -> Error {
        Error::driver(&self.info.name, error)
    }
}

/// What ended an upload of pieces.
enum UploadStop {
    Driver(DriverError),
    /// The error of what was to be done with a piece.
    Then(Error),
}

impl From<DriverError> for UploadStop {
    fn from(error: DriverError) -> Self {
        UploadStop::Driver(error)
    }
}

impl Device for Gpu {
    type Error = Error;
    type Memory = GpuMemory;
    type Event = Event;
    type Graph = ReadyGraph;

    fn id(&self) -> DeviceId {
        self.context.id
    }

    fn accepts(&self, owner: DeviceId) -> bool {
        owner == self.id() || self.context.neighbour(owner).is_some()
    }

    fn using<R>(
        &self,
        owner: DeviceId,
        writes: bool,
        work: impl FnOnce() -> Result<R>,
    ) -> Result<R> {
        let Some(home) = (owner != self.id()).then(|| self.context.neighbour(owner)).flatten()
        else {
            return work();
        };
        self.context.borrow(&home, writes).map_err(|error| self.failed(error))?;
        let result = work();
        self.context.give_back(&home, writes).map_err(|error| self.failed(error))?;
        result
    }

    fn allocate(&self, bytes: u64) -> Result<GpuMemory> {
        self.context.make_current().map_err(|error| self.failed(error))?;
        // The driver rounds sizes up, which absurd ones do not survive.
        let memory = if bytes > self.info.memory {
            Err(OUT_OF_MEMORY)
        } else {
            // SAFETY: what is returned owns the memory, and the context with it.
            unsafe { self.context.pool.allocate(bytes, self.work().handle()) }
        };
        match memory {
            Ok(range) => Ok(GpuMemory::new(self.context.clone(), range)),
            Err(error) if error == OUT_OF_MEMORY => Err(Error::OutOfMemory {
                needed: bytes,
                free: self.free_memory()?,
                device: self.info.name.clone(),
            }),
            Err(error) => Err(self.failed(error)),
        }
    }

    fn address(memory: &GpuMemory) -> u64 {
        memory.address()
    }

    unsafe fn fill(&self, address: u64, byte: u8, bytes: u64) -> Result<()> {
        self.ask(|| {
            let stream = self.work().handle();
            // SAFETY: the caller's promise is that the range lies in an allocation of this GPU.
            unsafe { result::memset_d8_async(address, byte, bytes as usize, stream) }
        })
    }

    unsafe fn upload(&self, address: u64, from: &[u8]) -> Result<()> {
        self.ask(|| {
            if from.len() >= LEAST {
                // SAFETY: the caller's promise is that the range lies in an allocation of this GPU.
                return unsafe {
                    self.staging()?.upload((&self.context, self.work()), address, from)
                };
            }
            // SAFETY: as above.
            unsafe { result::memcpy_htod_async(address, from, self.work().handle())? };
            // Pageable memory has been read when the call returns; the GPU reads other memory later.
            if is_known_to_driver(from) { self.work().synchronize() } else { Ok(()) }
        })
    }

    unsafe fn upload_pieces(
        &self,
        pieces: &Pieces,
        write: &Write<'_>,
        then: &mut Then<'_, Error>,
    ) -> Result<()> {
        let copies = &self.context.copies;
        let piece = usize::try_from(pieces.piece).expect("a piece is at most 8 MiB");
        let mut upload = || {
            self.context.make_current()?;
            // Where the work is with which each place is free: at first there is its memory.
            let mut free = Vec::new();
            for _ in 0..pieces.places {
                let event = Event::untimed(&self.context)?;
                self.work().record(&event)?;
                free.push(event);
            }
            let copied = Event::untimed(&self.context)?;
            let send = |start: usize, staged: &[u8]| {
                let place = (start / piece) % free.len();
                copies.wait_for(&free[place])?;
                let address = pieces.address + (place * piece) as u64;
                // SAFETY: the caller's promise is that the places lie in an allocation of this GPU; `Staging` keeps the buffer as
                // it is until the copy is done.
                unsafe { result::memcpy_htod_async(address, staged, copies.handle())? };
                copies.record(&copied)?;
                self.work().wait_for(&copied)?;
                let start = start as u64;
                then(place as u64, start..start + staged.len() as u64).map_err(UploadStop::Then)?;
                Ok(self.work().record(&free[place])?)
            };
            let write = |start: usize, part: &mut [u8]| {
                write(start as u64..(start + part.len()) as u64, part);
            };
            let [bytes, grain] = [pieces.bytes, pieces.grain].map(|bytes| bytes as usize);
            let sizes = StagedSizes { bytes, piece, grain };
            self.staging()?.send((&self.context, copies), sizes, &write, send)
        };
        let uploaded = upload();
        if uploaded.is_err() {
            // Nothing is under way when this fails: the memory may be freed after the work of the other stream.
            let _ = copies.synchronize();
        }
        uploaded.map_err(|stopped| match stopped {
            UploadStop::Driver(error) => self.failed(error),
            UploadStop::Then(error) => error,
        })
    }

    unsafe fn download(&self, address: u64, to: &mut [u8]) -> Result<()> {
        let stream = self.work();
        self.ask(|| {
            if to.len() >= LEAST && !is_known_to_driver(to) {
                // SAFETY: the caller's promise.
                return unsafe { self.staging()?.download((&self.context, stream), address, to) };
            }
            // SAFETY: as above.
            if let Some(landed) = unsafe { self.landing.download(stream, address, to) } {
                return landed;
            }
            // SAFETY: as above.
            unsafe { result::memcpy_dtoh_async(to, address, stream.handle())? };
            stream.synchronize()
        })
    }

    unsafe fn launch(&self, launch: Launch<'_>) -> Result<()> {
        let function = self.function(&launch)?;
        let mut homes = Vec::<(Arc<CudaContext>, bool)>::new();
        for arg in launch.args {
            let ArgValue::Memory { device, writable, .. } = arg.value else { continue };
            if let Some((_, writes)) = homes.iter_mut().find(|(home, _)| home.id == device) {
                *writes |= writable;
            } else if device != self.id() {
                homes.extend(self.context.neighbour(device).map(|home| (home, writable)));
            }
        }
        let run = || {
            for (home, writes) in &homes {
                self.context.borrow(home, *writes)?;
            }
            // SAFETY: the caller's promise.
            unsafe { start(function, &launch, self.work()) }
        };
        let mut outcome = run();
        for (home, writes) in &homes {
            outcome = outcome.and(self.context.give_back(home, *writes));
        }
        outcome.map_err(|error| {
            let what = format!("{}: kernel {} did not start", self.info.name, launch.kernel);
            Error::driver(what, error)
        })
    }

    unsafe fn prepare(&self, steps: Vec<LaunchStep>) -> Result<ReadyGraph> {
        let mut functions = Vec::new();
        for step in &steps {
            if let LaunchStep::Launch(launch, _) = step {
                functions.push(self.function(launch)?);
            }
        }
        // SAFETY: the caller's promise; the functions are those of the launches.
        self.ask(|| unsafe { ReadyGraph::new(&self.context, &steps, functions) })
    }

    unsafe fn replay(&self, graph: &ReadyGraph) -> Result<()> {
        // SAFETY: the caller's promise.
        self.ask(|| unsafe { graph.launch(self.work()) })
    }

    fn synchronize(&self) -> Result<()> {
        self.ask(|| self.work().synchronize())
    }

    fn record(&self) -> Result<Event> {
        self.ask(|| {
            let event = Event::timed(&self.context)?;
            self.work().record(&event)?;
            Ok(event)
        })
    }

    fn seconds_between(&self, start: &Event, end: &Event) -> Result<f64> {
        self.ask(|| {
            end.synchronize()?;
            Ok(f64::from(end.milliseconds_since(start)?) / 1e3)
        })
    }

    fn multiprocessors(&self) -> u32 {
        self.info.multiprocessors
    }

    fn most_shared_bytes(&self) -> u32 {
        self.info.most_shared_bytes
    }

    fn max_active_blocks_per_multiprocessor(
        &self,
        Entry(kernel): Entry,
        block: Dim3,
        shared_bytes: u32,
    ) -> Result<u32> {
        if shared_bytes > self.info.most_shared_bytes {
            return Ok(0);
        }
        self.context.make_current().map_err(|error| self.failed(error))?;
        let function = self.module.function(kernel, None, shared_bytes)?;
        self.active_blocks(function, block, shared_bytes)
    }
}

/// Asks a stream of the current context to run the function of a launch.
///
/// # Safety
/// The function is of a loaded module. Number and types of the arguments are its own, and the addresses are of memory that it may use.
pub(crate) unsafe fn start(
    function: sys::CUfunction,
    launch: &Launch<'_>,
    stream: &Stream,
) -> Result<(), DriverError> {
    // The driver reads as many bytes from each place as the parameter has.
    let params = launch.args.iter().map(|arg| arg.value.as_ptr().cast_mut().cast());
    let mut params: Vec<*mut c_void> = params.collect();
    let Shape { grid, block, shared_bytes, together, cluster } = launch.shape;
    let [grid, block] = [grid, block].map(|Dim3 { x, y, z }| (x, y, z));
    let start = match together {
        true => result::launch_cooperative_kernel,
        false => result::launch_kernel,
    };
    // SAFETY: the caller's promise.
    unsafe {
        match cluster {
            1 => start(function, grid, block, shared_bytes, stream.handle(), &mut params),
            _ => cluster::launch(function, launch.shape, stream.handle(), &mut params),
        }
    }
}

/// Fails where the PTX is for later chips.
fn check_chip(info: &GpuInfo, kernels: &Kernels<'_>) -> Result<()> {
    let needed = target(kernels.ptx)
        .map_or(LEAST_COMPUTE_CAPABILITY, |of_ptx| of_ptx.max(LEAST_COMPUTE_CAPABILITY));
    let (device, compute_capability) = (info.name.clone(), info.compute_capability);
    let is_alone = is_for_one_chip(kernels.ptx);
    match compute_capability {
        chip if chip < needed => Err(Error::Unsupported { device, compute_capability, needed }),
        chip if is_alone && chip > needed => {
            Err(Error::OtherChip { device, compute_capability, needed })
        }
        _ => Ok(()),
    }
}

/// Whether PTX is for one compute capability and no later one: `.target sm_90a`.
fn is_for_one_chip(ptx: &str) -> bool {
    let line = ptx.lines().find_map(|line| line.strip_prefix(".target sm_"));
    line.and_then(|line| line.split(',').next()).is_some_and(|arch| arch.trim_end().ends_with('a'))
}

/// The compute capability that PTX states: `.target sm_90` is 9.0.
fn target(ptx: &str) -> Option<ComputeCapability> {
    let line = ptx.lines().find_map(|line| line.strip_prefix(".target sm_"))?;
    let digits = line.split(|letter: char| !letter.is_ascii_digit()).next()?;
    let number: u32 = digits.parse().ok()?;
    Some(ComputeCapability { major: number / 10, minor: number % 10 })
}

/// Memory as the driver knows it.
#[derive(Default)]
struct KnownMemory {
    /// A `CUmemorytype`; 0 where the driver knows of none.
    kind: u32,
    /// The number of its GPU.
    ordinal: i32,
}

/// The memory that the driver knows at an address.
fn known_at(address: u64) -> KnownMemory {
    let (mut kind, mut ordinal) = (0u32, 0i32);
    let mut attributes = [
        sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
    ];
    let mut to: [*mut c_void; 2] =
        [std::ptr::from_mut(&mut kind).cast(), std::ptr::from_mut(&mut ordinal).cast()];
    // Asked for together, an address that the driver does not know is no error, which tools that look for errors would
    // report.
    // SAFETY: two attributes of 32 bits, with a place for each; the driver takes any address.
    let outcome = unsafe {
        sys::cuPointerGetAttributes(2, attributes.as_mut_ptr(), to.as_mut_ptr(), address)
    };
    match outcome == sys::CUresult::CUDA_SUCCESS {
        true => KnownMemory { kind, ordinal },
        false => KnownMemory::default(),
    }
}

/// Whether host memory is page-locked or otherwise the driver's to read at any time, at its start or its
/// end.
fn is_known_to_driver(memory: &[u8]) -> bool {
    let is_known = |byte: &u8| known_at(std::ptr::from_ref(byte).addr() as u64).kind != 0;
    [memory.first(), memory.last()].into_iter().flatten().any(is_known)
}

/// The number of the GPU whose memory is at an address; `None` where it is no memory of a GPU that the driver knows.
///
/// # Errors
/// No driver library, or a driver that does not start.
pub fn gpu_of(address: u64) -> Result<Option<usize>> {
    crate::driver()?;
    let KnownMemory { kind, ordinal } = known_at(address);
    let on_device = kind == sys::CUmemorytype::CU_MEMORYTYPE_DEVICE as u32;
    Ok(on_device.then_some(ordinal as usize))
}

#[cfg(test)]
mod tests {
    use super::{Gpu, is_for_one_chip, target};
    use crate::{ComputeCapability, Error};

    #[test]
    fn the_target_of_ptx_is_a_compute_capability() {
        assert_eq!(
            target(".version 7.1\n.target sm_80\n"),
            Some(ComputeCapability { major: 8, minor: 0 })
        );
        assert_eq!(
            target(".version 8.6\n.target sm_103a, debug\n"),
            Some(ComputeCapability { major: 10, minor: 3 })
        );
        assert_eq!(target("nothing"), None);
        for (ptx, is_alone) in [(".target sm_90a\n", true), (".target sm_90, debug\n", false)] {
            assert_eq!(is_for_one_chip(ptx), is_alone);
        }
    }

    #[test]
    fn text_without_ptx_says_why_before_a_driver_is_looked_for() {
        match Gpu::open(0, "// no PTX: it is stale\n// Install a compiler\n").err() {
            Some(Error::NoPtx { why }) => assert_eq!(why, "it is stale"),
            other => panic!("{other:?}"),
        }
    }
}
