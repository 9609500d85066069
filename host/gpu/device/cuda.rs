//! NVIDIA GPUs with tribin's kernels, and what their errors mean to who counts triangles.

use std::num::NonZeroUsize;

use warpwise_cuda::MOST_COPY_THREADS;
pub use warpwise_cuda::{
    ComputeCapability, DriverVersion, Gpu, GpuInfo, Kernels, LEAST_DRIVER, Options,
};
pub use warpwise_cuda::{Event, GpuMemory};
pub use warpwise_cuda::{LEAST_COMPUTE_CAPABILITY, has_driver};

pub use crate::embedded::{CUBINS, PTX, kernels};
use crate::{Error, Message, Result, hint};

/// Takes a GPU into use, with the kernels that are built in. As many threads copy to it as the current
/// rayon pool has.
///
/// # Errors
/// No driver, no such GPU, or one that is too old; each says what is needed.
pub fn open(ordinal: usize) -> Result<Gpu> {
    open_with(ordinal, tribin_base::par::threads())
}

/// Takes a GPU into use. `threads` threads copy to it.
///
/// # Errors
/// As [`open`].
pub fn open_with(ordinal: usize, threads: usize) -> Result<Gpu> {
    let threads = threads.min(MOST_COPY_THREADS);
    let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
    Gpu::open_with(ordinal, kernels(), Options::default().copy_threads(threads)).map_err(told)
}

/// The driver's version, or why there is none.
///
/// # Errors
/// No driver library, a driver that does not start, or one that is too old: what is missing, and
/// how to get it.
pub fn driver() -> Result<DriverVersion> {
    warpwise_cuda::driver().map_err(told)
}

/// The number of the GPU whose memory is at an address; `None` where it is no memory of a GPU.
///
/// # Errors
/// As [`driver`].
pub fn gpu_of(address: u64) -> Result<Option<usize>> {
    warpwise_cuda::gpu_of(address).map_err(told)
}

/// All GPUs of the machine, also those that are too old.
///
/// # Errors
/// As [`driver`].
pub fn list() -> Result<Vec<GpuInfo>> {
    warpwise_cuda::list().map_err(told)
}

/// The error of a GPU that cannot be taken into use, in tribin's words.
fn told(error: warpwise_cuda::Error) -> Error {
    use warpwise_cuda::Error as Cuda;
    let message: Message = match &error {
        Cuda::DriverTooOld { supported, needed } => format!(
            "the NVIDIA driver supports {supported}, and tribin needs {needed} (driver 525 or \
             later): update the driver"
        )
        .into(),
        Cuda::NoSuchGpu { ordinal, gpus: 1 } => {
            format!("there is no GPU {ordinal}: this machine has one, gpu:0").into()
        }
        Cuda::NoSuchGpu { ordinal, gpus } if *gpus > 1 => {
            format!("there is no GPU {ordinal}: this machine has gpu:0 to gpu:{}", gpus - 1).into()
        }
        Cuda::Unsupported { device, compute_capability, needed } => {
            let problem = format!(
                "{device} has compute capability {compute_capability}, and tribin needs {needed} or \
                 later (A100, RTX 30 series and newer)"
            );
            Message::from(problem).with_hint(hint::CPU)
        }
        _ => return error.into(),
    };
    Error::Device(message.with_source(error))
}

#[cfg(test)]
mod tests {
    use super::{ComputeCapability, DriverVersion};
    use warpwise_cuda::Error as Cuda;

    #[test]
    fn messages_say_what_helps() {
        let supported = DriverVersion { major: 11, minor: 4 };
        let cases = [
            (Cuda::NoDriver, "no NVIDIA driver on this machine (libcuda.so.1 was not found)"),
            (
                Cuda::DriverTooOld { supported, needed: super::LEAST_DRIVER },
                "the NVIDIA driver supports CUDA 11.4, and tribin needs CUDA 12.0 (driver 525 or \
                 later): update the driver",
            ),
            (
                Cuda::NoSuchGpu { ordinal: 2, gpus: 0 },
                "the NVIDIA driver finds no GPU on this machine",
            ),
            (
                Cuda::NoSuchGpu { ordinal: 2, gpus: 1 },
                "there is no GPU 2: this machine has one, gpu:0",
            ),
            (
                Cuda::NoSuchGpu { ordinal: 2, gpus: 2 },
                "there is no GPU 2: this machine has gpu:0 to gpu:1",
            ),
            (
                Cuda::Unsupported {
                    device: "Tesla T4".into(),
                    compute_capability: ComputeCapability { major: 7, minor: 5 },
                    needed: super::LEAST_COMPUTE_CAPABILITY,
                },
                "Tesla T4 has compute capability 7.5, and tribin needs 8.0 or later (A100, RTX 30 \
                 series and newer): count on the CPU with `device cpu`",
            ),
            (
                Cuda::OutOfMemory { needed: 9, free: 8, device: "H200".into() },
                "the graph needs 9 bytes of device memory and 8 are free on H200: count on the CPU with `device cpu`, \
                 or on a GPU with more memory",
            ),
        ];
        for (error, message) in cases {
            assert_eq!(super::told(error).to_string(), message);
        }
    }

    /// The text that people read leaves out the error that it comes from.
    #[test]
    fn errors_keep_their_source() {
        let error = super::open(1 << 20).err().unwrap();
        let source = std::error::Error::source(&error).unwrap();
        assert!(source.downcast_ref::<Cuda>().is_some(), "{error}");
    }
}
