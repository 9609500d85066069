//! NVIDIA GPUs as [devices](warpwise_launch::Device), through the driver's own library, which is found
//! at run time: the same binary runs on machines without it.
//!
//! [`list`] says which GPUs there are, and [`Gpu::open`] takes one into use with its kernels.

mod arena;
mod cluster;
mod context;
mod copy_threads;
#[cfg(test)]
mod copy_threads_tests;
mod error;
mod event;
mod gpu;
mod graph;
mod kernels;
mod landing;
mod memory;
mod module;
mod options;
mod page_locked;
mod peer;
mod pinned;
mod pool;
mod staging;
mod stream;
mod sync;

use cudarc::driver::sys::CUdevice_attribute::{
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
};
use cudarc::driver::{result, sys};

pub use error::{DriverError, Error};
pub use event::Event;
pub use gpu::{Gpu, gpu_of};
pub use graph::ReadyGraph;
pub use kernels::Kernels;
pub use memory::GpuMemory;
pub use options::{MOST_COPY_THREADS, Options};
pub use pinned::{Copying, Pinned};

/// The result of every fallible call here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The least compute capability that kernels are compiled for.
pub const LEAST_COMPUTE_CAPABILITY: ComputeCapability = ComputeCapability { major: 8, minor: 0 };

/// The generation of a GPU, and which of its chips it is: `sm_90` is 9.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ComputeCapability {
    /// 9 of 9.0.
    pub major: u32,
    /// 0 of 9.0.
    pub minor: u32,
}

impl std::fmt::Display for ComputeCapability {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The least driver, as the CUDA version that it supports.
pub const LEAST_DRIVER: DriverVersion = DriverVersion { major: 12, minor: 0 };

/// The CUDA version that a driver supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DriverVersion {
    /// 12 of CUDA 12.8.
    pub major: u32,
    /// 8 of CUDA 12.8.
    pub minor: u32,
}

impl std::fmt::Display for DriverVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CUDA {}.{}", self.major, self.minor)
    }
}

/// A GPU as the driver describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GpuInfo {
    /// The GPU's number, from 0, as the driver counts.
    pub ordinal: usize,
    /// The GPU's name.
    pub name: String,
    /// The GPU's compute capability.
    pub compute_capability: ComputeCapability,
    /// Bytes of memory.
    pub memory: u64,
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// The most bytes of shared memory that a block may have.
    pub most_shared_bytes: u32,
}

impl GpuInfo {
    /// Whether the kernels run on it.
    pub fn is_supported(&self) -> bool {
        self.compute_capability >= LEAST_COMPUTE_CAPABILITY
    }
}

/// The file through which programs on Linux reach the driver.
const CONTROL: &str = "/dev/nvidiactl";

/// Whether there seems to be a driver. Nothing of it is started, and its library, which takes milliseconds to load, is looked
/// for only where the usual sign of it is missing. Whether it works, [`driver`] says.
pub fn has_driver() -> bool {
    std::path::Path::new(CONTROL).exists() || has_library()
}

fn has_library() -> bool {
    // SAFETY: looks for the library and loads it; CUDA's own start-up code is trusted.
    unsafe { sys::is_culib_present() }
}

/// The driver's version, or why there is none.
///
/// # Errors
/// No driver library, a driver that does not start, or one that is too old: what is missing, and
/// how to get it.
pub fn driver() -> Result<DriverVersion> {
    if !has_library() {
        return Err(Error::NoDriver);
    }
    result::init().map_err(|error| Error::driver("the NVIDIA driver does not start", error))?;
    let mut version = 0;
    // SAFETY: writes one integer.
    unsafe { sys::cuDriverGetVersion(&mut version) }
        .result()
        .map_err(|error| Error::driver("the NVIDIA driver does not tell its version", error))?;
    let version = DriverVersion { major: version as u32 / 1000, minor: version as u32 % 1000 / 10 };
    if version < LEAST_DRIVER {
        return Err(Error::DriverTooOld { supported: version, needed: LEAST_DRIVER });
    }
    Ok(version)
}

/// All GPUs of the machine, also those that are too old.
///
/// # Errors
/// As [`driver`].
pub fn list() -> Result<Vec<GpuInfo>> {
    driver()?;
    let failed = |error| Error::driver("the GPUs cannot be listed", error);
    let count = result::device::get_count().map_err(failed)?;
    (0..count).map(|ordinal| info(ordinal as usize).map_err(failed)).collect()
}

fn info(ordinal: usize) -> Result<GpuInfo, cudarc::driver::DriverError> {
    let device = result::device::get(ordinal as i32)?;
    // SAFETY: the device was just given by the driver.
    let attribute = |which| unsafe { result::device::get_attribute(device, which) };
    Ok(GpuInfo {
        ordinal,
        name: result::device::get_name(device)?,
        compute_capability: ComputeCapability {
            major: attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)? as u32,
            minor: attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)? as u32,
        },
        // SAFETY: as above.
        memory: unsafe { result::device::total_mem(device)? } as u64,
        multiprocessors: attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)? as u32,
        most_shared_bytes: attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)? as u32,
    })
}
