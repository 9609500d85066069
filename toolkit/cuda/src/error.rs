//! What can go wrong with a GPU.

use std::fmt;

use warpwise_launch::{DeviceFault, OutOfMemory};

use crate::{ComputeCapability, DriverVersion};

/// The error of a GPU. The text is complete, also where `main` returns it; the source is the driver's own error.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The driver's library is not on this machine.
    #[error("no NVIDIA driver on this machine (libcuda.so.1 was not found)")]
    NoDriver,
    /// The driver is of an earlier CUDA version.
    #[error(
        "the NVIDIA driver supports {supported}, and {needed} or later is needed: update the driver"
    )]
    DriverTooOld {
        /// What the driver supports.
        supported: DriverVersion,
        /// The least version that is needed.
        needed: DriverVersion,
    },
    /// The machine has no GPU of that number.
    #[error("{}", no_such_gpu(*.ordinal, *.gpus))]
    NoSuchGpu {
        /// The number that was asked for.
        ordinal: usize,
        /// How many GPUs the machine has.
        gpus: usize,
    },
    /// The GPU is too old for what kernels use.
    #[error(
        "{device} has compute capability {compute_capability}, and {needed} or later is needed"
    )]
    Unsupported {
        /// The GPU's name.
        device: String,
        /// The GPU's compute capability.
        compute_capability: ComputeCapability,
        /// The least compute capability that is needed.
        needed: ComputeCapability,
    },
    /// The kernels use what a later GPU no longer has.
    #[error(
        "{device} has compute capability {compute_capability}, and these kernels are for {needed} alone"
    )]
    OtherChip {
        /// The GPU's name.
        device: String,
        /// The GPU's compute capability.
        compute_capability: ComputeCapability,
        /// The compute capability that is needed.
        needed: ComputeCapability,
    },
    /// An allocation does not fit the GPU's memory.
    #[error("an allocation of {needed} bytes does not fit {device}: {free} bytes are free")]
    OutOfMemory {
        /// Bytes that were asked for.
        needed: u64,
        /// Bytes that are free.
        free: u64,
        /// The GPU's name.
        device: String,
    },
    /// Blocks that wait for one another are more than the GPU holds at a time.
    #[error(
        "kernel {kernel}: {blocks} blocks wait for one another, and {device} holds {most} at a time: launch no more"
    )]
    NotTogether {
        /// The kernel.
        kernel: &'static str,
        /// Blocks of the grid.
        blocks: u64,
        /// How many the GPU holds.
        most: u64,
        /// The GPU's name.
        device: String,
    },
    /// The loaded PTX has no kernel of that name with these parameters.
    #[error(
        "kernel {kernel} {} in the PTX that was loaded: is that of the same crate and sources, and is the kernel in the module that \
         the build script names, and behind no feature?",
        if *other { "takes other parameters" } else { "is not" }
    )]
    NoKernel {
        /// The kernel.
        kernel: &'static str,
        /// Whether there is a kernel of that name which takes other parameters.
        other: bool,
    },
    /// The build embedded no PTX.
    #[error("this build has no kernels for a GPU: {why}")]
    NoPtx {
        /// What the builder said.
        why: String,
    },
    /// The driver does not take the kernels.
    #[error("the GPU kernels could not be loaded: {source}. {log}")]
    Kernels {
        /// The driver's error.
        source: DriverError,
        /// What the driver's compiler said, in one line.
        log: String,
    },
    /// A call of the driver failed; on a GPU, what a kernel did wrong comes with a later call.
    #[error("{what}: {source}")]
    Driver {
        /// What failed: the GPU's name, or what was asked of the driver.
        what: String,
        /// The driver's error.
        source: DriverError,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl DeviceFault for Error {
    fn out_of_memory(&self) -> Option<OutOfMemory> {
        let Error::OutOfMemory { needed, free, device } = self else { return None };
        Some(OutOfMemory { needed: *needed, free: *free, device: device.clone() })
    }
}

fn no_such_gpu(ordinal: usize, gpus: usize) -> String {
    match gpus {
        0 => "the NVIDIA driver finds no GPU on this machine".into(),
        1 => format!("there is no GPU {ordinal}: this machine has one, number 0"),
        n => format!("there is no GPU {ordinal}: this machine has those from 0 to {}", n - 1),
    }
}

impl Error {
    /// A failed call of the driver, named by what it was for.
    pub(crate) fn driver(what: impl Into<String>, error: cudarc::driver::DriverError) -> Error {
        Error::Driver { what: what.into(), source: DriverError(error) }
    }
}

/// An error of the driver: its description and its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DriverError(pub(crate) cudarc::driver::DriverError);

impl std::error::Error for DriverError {}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |text: Result<&std::ffi::CStr, _>| {
            text.map_or("unknown".into(), |text| text.to_string_lossy().into_owned())
        };
        write!(f, "{} ({})", text(self.0.error_string()), text(self.0.error_name()))
    }
}

#[cfg(test)]
mod tests {
    use super::Error;
    use crate::{ComputeCapability, DriverVersion, LEAST_COMPUTE_CAPABILITY};

    #[test]
    fn each_message_says_what_is_there_and_what_is_needed() {
        let supported = DriverVersion { major: 11, minor: 4 };
        let needed = DriverVersion { major: 12, minor: 0 };
        let cases = [
            (
                Error::NoSuchGpu { ordinal: 3, gpus: 0 },
                "the NVIDIA driver finds no GPU on this machine",
            ),
            (
                Error::NoSuchGpu { ordinal: 3, gpus: 1 },
                "there is no GPU 3: this machine has one, number 0",
            ),
            (
                Error::NoSuchGpu { ordinal: 3, gpus: 2 },
                "there is no GPU 3: this machine has those from 0 to 1",
            ),
            (
                Error::DriverTooOld { supported, needed },
                "the NVIDIA driver supports CUDA 11.4, and CUDA 12.0 or later is needed: update the driver",
            ),
            (
                Error::Unsupported {
                    device: "Tesla T4".into(),
                    compute_capability: ComputeCapability { major: 7, minor: 5 },
                    needed: LEAST_COMPUTE_CAPABILITY,
                },
                "Tesla T4 has compute capability 7.5, and 8.0 or later is needed",
            ),
            (
                Error::OtherChip {
                    device: "B200".into(),
                    compute_capability: ComputeCapability { major: 10, minor: 0 },
                    needed: ComputeCapability { major: 9, minor: 0 },
                },
                "B200 has compute capability 10.0, and these kernels are for 9.0 alone",
            ),
            (
                Error::OutOfMemory { needed: 5, free: 4, device: "H200".into() },
                "an allocation of 5 bytes does not fit H200: 4 bytes are free",
            ),
            (
                Error::NotTogether { kernel: "meet", blocks: 9, most: 8, device: "H200".into() },
                "kernel meet: 9 blocks wait for one another, and H200 holds 8 at a time: launch no more",
            ),
        ];
        for (error, message) in cases {
            assert_eq!((error.to_string(), format!("{error:?}")), (message.into(), message.into()));
        }
    }
}
