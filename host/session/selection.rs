//! Which device a session runs on, and why.

use super::cpu::OnCpu;
use super::engine::Engine;
#[cfg(feature = "gpu")]
use super::gpu::OnGpu;
use super::options::{DeviceChoice, Options};
use crate::count::{CountOptions, EngineChoice};
#[cfg(feature = "gpu")]
use crate::device::cuda::{self, Gpu};
use crate::{Error, Hint, Message, Result};

/// The device that was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selection {
    /// The counting method that `auto` means there, as `--engine` takes it.
    pub engine: String,
    /// The device, as `--device` takes it.
    pub device: String,
    /// The device's name.
    pub device_name: String,
    /// Why this device.
    pub reason: String,
    /// Whether the CPU stands in for a GPU.
    pub fallback: Fallback,
}

/// Whether the CPU stands in for a GPU, where the choice was left to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fallback {
    /// What was preferred is used.
    None,
    /// There is no GPU, or none that any program could use with this driver.
    NoGpu,
    /// A GPU is there and failed: somebody should look at it.
    GpuFailed,
}

/// Why no GPU can be used.
enum Unusable {
    /// There is none, or no driver for it: nothing is broken.
    Absent(Error),
    /// It is there, and the kernels do not run on its generation: nothing is broken either.
    TooOld(Error),
    /// It is there, and failed.
    Failed(Error),
}

impl Unusable {
    /// What the CPU stands in for, where the choice was left to the program: why, and whether somebody
    /// should look at it.
    fn into_fallback(self) -> (String, Fallback) {
        match self {
            Unusable::Absent(error) | Unusable::TooOld(error) => {
                (error.to_string(), Fallback::NoGpu)
            }
            Unusable::Failed(error) => (error.to_string(), Fallback::GpuFailed),
        }
    }

    /// The error for who asked for a GPU.
    fn into_error(self) -> Error {
        match self {
            Unusable::Absent(error) => {
                let message = Message::from(format!("no GPU can be used: {error}"));
                Error::Device(message.with_hint(Hint::NoGpu).with_source(error))
            }
            Unusable::TooOld(error) | Unusable::Failed(error) => error,
        }
    }
}

/// Opens a GPU; where `ordinal` is `None`, the first that the kernels run on.
#[cfg(feature = "gpu")]
fn open_gpu(ordinal: Option<u32>) -> Result<Gpu, Unusable> {
    let gpus = cuda::list().map_err(Unusable::Absent)?;
    let gpu = match ordinal {
        Some(ordinal) => gpus.get(ordinal as usize),
        None => gpus.iter().find(|gpu| gpu.is_supported()).or(gpus.first()),
    };
    if ordinal.is_none() && gpu.is_none() {
        return Err(Unusable::Absent(Error::Device("the NVIDIA driver finds no GPU".into())));
    }
    // Where there is no such GPU, opening it says so.
    let ordinal = gpu.map_or(ordinal.unwrap_or(0) as usize, |gpu| gpu.ordinal);
    let supported = gpu.is_none_or(|gpu| gpu.is_supported());
    cuda::open(ordinal)
        .map_err(|error| if supported { Unusable::Failed(error) } else { Unusable::TooOld(error) })
}

/// A GPU as an engine.
#[cfg(feature = "gpu")]
fn open(
    ordinal: Option<u32>,
    options: &Options,
    threads: usize,
) -> Result<Box<dyn Engine>, Unusable> {
    let gpu = OnGpu::new(open_gpu(ordinal)?, options.device_memory, threads);
    Ok(Box::new(gpu.map_err(Unusable::Failed)?))
}

#[cfg(not(feature = "gpu"))]
fn open(_: Option<u32>, _: &Options, _: usize) -> Result<Box<dyn Engine>, Unusable> {
    let left_out = "this build of tribin is without the feature `gpu`";
    Err(Unusable::Absent(Error::Device(left_out.into())))
}

/// Opens what the options ask for.
pub(super) fn choose(options: &Options, threads: usize) -> Result<(Box<dyn Engine>, Selection)> {
    Ok(match options.device {
        DeviceChoice::Cpu => select(Box::new(OnCpu), "asked for"),
        DeviceChoice::Gpu(ordinal) => {
            select(open(ordinal, options, threads).map_err(Unusable::into_error)?, "asked for")
        }
        DeviceChoice::Auto => match open(None, options, threads) {
            Ok(engine) => select(engine, "a GPU can be used"),
            Err(unusable) => {
                let (reason, fallback) = unusable.into_fallback();
                let (engine, selection) = select(Box::new(OnCpu), &reason);
                (engine, Selection { fallback, ..selection })
            }
        },
    })
}

/// An engine that is what was preferred.
pub(super) fn select(engine: Box<dyn Engine>, reason: &str) -> (Box<dyn Engine>, Selection) {
    let selection = Selection {
        engine: engine.name().to_owned(),
        device: engine.device(),
        device_name: engine.device_name(),
        reason: reason.to_owned(),
        fallback: Fallback::None,
    };
    (engine, selection)
}

impl Selection {
    /// Refuses options that do not go together, or not with this device.
    ///
    /// # Errors
    /// [`Error::Usage`] for the radix engine's options where another engine is chosen, and for an engine that
    /// the CPU does not have; [`Error::Device`] for the latter where the CPU stands in for a GPU.
    pub fn check(&self, options: &CountOptions) -> Result<()> {
        for (given, option) in
            [(options.orientation.is_some(), "orientation"), (options.stats, "stats")]
        {
            if given && options.engine != EngineChoice::Radix {
                return Err(Error::Usage(Hint::RadixOnly { option }.into()));
            }
        }
        let engine = options.engine;
        if self.device != "cpu" || !engine.is_for_gpus_only() {
            return Ok(());
        }
        Err(match self.fallback {
            Fallback::None => Error::Usage(Hint::EngineNeedsGpu { engine, no_gpu: None }.into()),
            _ => {
                let no_gpu = Some(self.reason.clone());
                Error::Device(Hint::EngineNeedsGpu { engine, no_gpu }.into())
            }
        })
    }
}
