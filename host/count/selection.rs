//! Which engine, on which device, and why.

use super::engine::Engine;
use super::forward_on_cpu::ForwardOnCpu;
use super::on_gpu::{self, Method, OnGpu, Unusable};
use super::options::{DeviceChoice, EngineChoice, Options};
use super::radix_on_gpu::RadixOnGpu;
use crate::count::verify::EdgeIterator;
use crate::methods::radix_binning::Orientation;
use crate::{Error, Result};

/// The engine that was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selection {
    /// The counting method, as `--engine` takes it.
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
pub enum Fallback {
    /// What was preferred is used.
    None,
    /// There is no GPU, or none that any program could use with this driver.
    NoGpu,
    /// A GPU is there and failed: somebody should look at it.
    GpuFailed,
}

/// Refuses what only the radix engine has, where another is chosen.
fn check_options(options: &Options) -> Result<()> {
    for (given, option) in
        [(options.orientation.is_some(), "--orientation"), (options.stats, "--stats")]
    {
        if given && options.engine != EngineChoice::Radix {
            return Err(Error::Usage(format!(
                "`{option}` is of `--engine radix` only: add that, or leave out `{option}`"
            )));
        }
    }
    Ok(())
}

/// Opens a GPU and its engine.
fn open_on_gpu(ordinal: Option<u32>, options: &Options) -> Result<Box<dyn Engine>, Unusable> {
    let gpu = on_gpu::open(ordinal)?;
    let method = match options.engine {
        EngineChoice::Forward => Method::Forward,
        EngineChoice::Auto | EngineChoice::Hybrid => Method::Hybrid,
        EngineChoice::MergePath => Method::MergePath,
        EngineChoice::Bitmap => Method::Bitmap,
        EngineChoice::Radix => {
            let orientation = options.orientation.unwrap_or(Orientation::Degree);
            return Ok(Box::new(RadixOnGpu::new(gpu, orientation, options.memory_limit)));
        }
    };
    Ok(Box::new(OnGpu::new(gpu, method, options.memory_limit)))
}

/// Opens what the options ask for. `Auto` as an engine is the hybrid on a GPU, and the forward engine
/// on the CPU.
pub(super) fn choose(options: &Options) -> Result<(Box<dyn Engine>, Selection)> {
    check_options(options)?;
    let open = |ordinal| open_on_gpu(ordinal, options);
    let on_cpu = |why: String, fallback| -> Result<(Box<dyn Engine>, String, Fallback)> {
        if options.engine.is_for_gpus_only() {
            let engine = options.engine;
            return Err(match fallback {
                Fallback::None => Error::Usage(format!(
                    "`--engine {engine}` counts on a GPU only: leave out `--device cpu`, or use \
                     `--engine auto`"
                )),
                _ => Error::Device(format!(
                    "`--engine {engine}` counts on a GPU only, and none can be used: {why}; use \
                     `--engine auto`"
                )),
            });
        }
        Ok((Box::new(ForwardOnCpu), why, fallback))
    };
    let (engine, reason, fallback) = match options.device {
        DeviceChoice::Cpu => on_cpu("asked for".into(), Fallback::None)?,
        DeviceChoice::Gpu(ordinal) => {
            (open(ordinal).map_err(Unusable::into_error)?, "asked for".into(), Fallback::None)
        }
        DeviceChoice::Auto => match open(None) {
            Ok(engine) => (engine, "a GPU can be used".into(), Fallback::None),
            Err(unusable) => {
                let (why, fallback) = unusable.into_fallback();
                on_cpu(why, fallback)?
            }
        },
    };
    let selection = Selection {
        engine: engine.name().to_owned(),
        device: engine.device(),
        device_name: engine.device_name(),
        reason,
        fallback,
    };
    Ok((engine, selection))
}

/// An engine that shares no code with this one from cleaning on. What ran on the CPU is counted again
/// by another method; what ran elsewhere, by the CPU's forward engine. (Of a graph that was too large
/// to be prepared on a GPU, only the counting is independent.)
pub(super) fn verifier(of: &dyn Engine) -> Box<dyn Engine> {
    if of.device() == "cpu" { Box::new(EdgeIterator) } else { Box::new(ForwardOnCpu) }
}
