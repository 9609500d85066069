//! Which device a session runs on, and why.

#[cfg(feature = "gpu")]
use std::num::NonZeroUsize;
use std::sync::Arc;
#[cfg(feature = "gpu")]
use std::sync::{Mutex, PoisonError};

use super::cpu::OnCpu;
use super::engine::Engine;
#[cfg(feature = "gpu")]
use super::gpu::DrivenDevice;
use super::options::{DeviceChoice, GpuList, Options};
use super::runner::{LazyDevice, Runner};
#[cfg(feature = "gpu")]
use super::team::OnTeam;
use crate::count::{CountOptions, On};
use crate::{Cancel, Error, Message, Result, Work};
#[cfg(feature = "gpu")]
use tribin_gpu::device::cuda::{self, Gpu};

/// The device that was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The counting method that `auto` means there, as `--engine` takes it.
    pub engine: String,
    /// The device, as `--device` takes it.
    pub device: String,
    /// The device's name.
    pub device_name: String,
    /// What kind of engine works there.
    pub on: On,
    /// The reason for the device.
    pub reason: String,
    /// Whether the CPU stands in for a GPU.
    pub fallback: Fallback,
}

/// Whether the CPU stands in for a GPU, where the choice was left to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// The preferred device is used.
    None,
    /// There is no GPU, or none that any program could use with this driver.
    NoGpu,
    /// A GPU is there and failed: somebody should look at it.
    GpuFailed,
}

/// The reason why no GPU can be used.
enum Unusable {
    /// There is none, no driver for it, or one of a generation that the kernels do not run on: nothing is broken.
    Absent(Error),
    /// A GPU is there, and failed.
    Failed(Error),
}

impl Unusable {
    /// What the CPU stands in for, where the choice was left to the program: why, and whether somebody
    /// should look at it.
    fn into_fallback(self) -> (String, Fallback) {
        match self {
            Unusable::Absent(error) => (error.to_string(), Fallback::NoGpu),
            Unusable::Failed(error) => (error.to_string(), Fallback::GpuFailed),
        }
    }

    /// The error for who asked for a GPU.
    fn into_error(self) -> Error {
        match self {
            Unusable::Absent(error) => {
                let message = Message::from(format!("no GPU can be used: {error}"));
                Error::Device(message.with_hint(NO_GPU).with_source(error))
            }
            Unusable::Failed(error) => error,
        }
    }
}

/// Opens a GPU; where `ordinal` is `None`, the first that the kernels run on.
#[cfg(feature = "gpu")]
fn open_gpu(ordinal: Option<u32>, threads: usize) -> Result<Gpu, Unusable> {
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
    cuda::open_with(ordinal, threads)
        .map_err(|error| if supported { Unusable::Failed(error) } else { Unusable::Absent(error) })
}

/// The GPUs that a choice of several means.
#[cfg(feature = "gpu")]
fn ordinals_of(list: Option<GpuList>) -> Result<Vec<usize>, Unusable> {
    let gpus = cuda::list().map_err(Unusable::Absent)?;
    let supported = gpus.iter().filter(|gpu| gpu.is_supported()).map(|gpu| gpu.ordinal);
    Ok(match list {
        // Those that are not there, opening them says.
        Some(list) => list.ordinals().map(|ordinal| ordinal as usize).collect(),
        None => supported.collect(),
    })
}

/// Opens GPUs, all at the same time.
#[cfg(feature = "gpu")]
fn open_all(
    ordinals: &[usize],
    of: usize,
    memory: Option<u64>,
    threads: usize,
) -> Result<Vec<Arc<DrivenDevice<Gpu>>>> {
    let of_each = threads.div_ceil(of.max(1));
    let open =
        |&ordinal: &usize| DrivenDevice::start(cuda::open_with(ordinal, of_each)?, memory, threads);
    std::thread::scope(|scope| {
        let opening: Vec<_> =
            ordinals.iter().map(|ordinal| scope.spawn(move || open(ordinal))).collect();
        let opened = opening.into_iter().map(|thread| match thread.join() {
            Ok(opened) => opened,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        opened.collect()
    })
}

/// The GPUs that the options name, as one engine. Those beside the first are opened when they pay, where that was left to the
/// program.
#[cfg(feature = "gpu")]
fn open(options: &Options, threads: usize) -> Result<Arc<dyn Engine>, Unusable> {
    let Options { device_memory: memory, parts, .. } = *options;
    let alone = |ordinal| {
        let gpu = DrivenDevice::start(open_gpu(ordinal, threads)?, memory, threads);
        gpu.and_then(|only| OnTeam::alone(only, parts)).map_err(Unusable::Failed)
    };
    let list = match options.device {
        DeviceChoice::Gpu(ordinal) => return Ok(Arc::new(alone(ordinal)?)),
        DeviceChoice::Gpus(list) => Some(list),
        _ => None,
    };
    let ordinals = ordinals_of(list)?;
    let of = ordinals.len();
    if options.device == DeviceChoice::Auto {
        let gpu = open_gpu(None, threads)?;
        let others: Vec<usize> =
            ordinals.into_iter().filter(|&ordinal| ordinal != gpu.info().ordinal).collect();
        let (number, open) = (others.len(), move || open_all(&others, of, memory, threads));
        let team = DrivenDevice::start(gpu, memory, threads)
            .and_then(|first| OnTeam::new(first, number as u32, open, None, parts));
        return Ok(Arc::new(team.map_err(Unusable::Failed)?));
    }
    if of < 2 && parts.is_none() {
        return Ok(Arc::new(alone(None)?));
    }
    let mut opened = open_all(&ordinals, of, memory, threads).map_err(Unusable::Failed)?;
    if opened.is_empty() {
        return Ok(Arc::new(alone(None)?));
    }
    let (first, rest) = (opened.remove(0), Mutex::new(opened));
    // They are asked for once.
    let take =
        move || Ok(std::mem::take(&mut *rest.lock().unwrap_or_else(PoisonError::into_inner)));
    let label = options.device.to_string();
    let team = OnTeam::new(first, of as u32 - 1, take, Some(label), parts);
    Ok(Arc::new(team.map_err(Unusable::Failed)?))
}

#[cfg(not(feature = "gpu"))]
fn open(_: &Options, _: usize) -> Result<Arc<dyn Engine>, Unusable> {
    let left_out = tribin_base::features::missing("gpu", "counting on GPUs needs");
    Err(Unusable::Absent(Error::Device(left_out.into())))
}

/// Opens the first GPU that the options name, for an engine that counts on one.
///
/// # Errors
/// [`Error::Usage`] where the CPU was asked for, and [`Error::Device`] where no GPU can be used.
#[cfg(feature = "gpu")]
pub fn one_gpu(engine: &'static str, options: &Options) -> Result<Arc<DrivenDevice<Gpu>>> {
    let ordinal = match options.device {
        DeviceChoice::Cpu => return Err(needs_gpu(engine, None)),
        DeviceChoice::Gpu(ordinal) => ordinal,
        DeviceChoice::Gpus(list) => list.ordinals().next(),
        DeviceChoice::Auto | DeviceChoice::AllGpus => None,
    };
    let threads = options.threads.map_or_else(rayon::current_num_threads, NonZeroUsize::get);
    let gpu = open_gpu(ordinal, threads).map_err(|unusable| match options.device {
        DeviceChoice::Auto => needs_gpu(engine, Some(unusable.into_fallback().0)),
        _ => unusable.into_error(),
    })?;
    DrivenDevice::start(gpu, options.device_memory, threads)
}

/// The device that the options ask for. A GPU is opened later: one that was left to the program if it pays. Where there is no
/// driver, that is said at once.
pub(super) fn device(options: &Options, threads: usize) -> Result<LazyDevice> {
    if let Some(engine) = &options.engine {
        let runner = Runner::preferred(engine.on(), engine.clone(), "asked for");
        return Ok(LazyDevice::opened(runner));
    }
    let is_open = matches!(options.device, DeviceChoice::Auto | DeviceChoice::Cpu) || !has_driver();
    if !is_open || may_stay_closed(options) && has_driver() {
        let options = Options { cancel: Cancel::new(), work: Work::new(), ..options.clone() };
        if !is_open {
            return Ok(asked_for(options.device, threads, move || choose(&options, threads)));
        }
        return Ok(LazyDevice::closed(Box::new(move || where_it_pays(&options, threads)), threads));
    }
    Ok(LazyDevice::opened(choose(options, threads)?))
}

/// Whether the options leave the device to the program, which looks at a graph before it opens a GPU. A limit on memory is no
/// reason to choose a device; parts are what a GPU alone prepares a graph in.
fn may_stay_closed(options: &Options) -> bool {
    options.device == DeviceChoice::Auto && options.parts.is_none()
}

/// A device that was asked for, and is opened later. If it cannot be used, that is the error of all that it is asked.
pub(super) fn asked_for(
    device: DeviceChoice,
    threads: usize,
    open: impl Fn() -> Result<Runner> + Send + Sync + 'static,
) -> LazyDevice {
    let unopened = move |error| {
        let mut runner = Runner::preferred(On::Gpu, Arc::new(OnCpu), "asked for");
        runner.selection.device = device.to_string();
        runner.selection.device_name = device.to_string();
        Runner { failed: Some(Arc::new(error)), ..runner }
    };
    let open = move || open().unwrap_or_else(&unopened);
    let device = LazyDevice::closed(Box::new(open), threads);
    device.settle();
    device
}

#[cfg(feature = "gpu")]
fn has_driver() -> bool {
    cuda::has_driver()
}

#[cfg(not(feature = "gpu"))]
fn has_driver() -> bool {
    false
}

/// A GPU, or the CPU in its place. Warns where a GPU is there and failed. Where there is no GPU only `-v` says so, because most machines
/// have none and reports name the device.
fn where_it_pays(options: &Options, threads: usize) -> Runner {
    match open(options, threads) {
        Ok(engine) => Runner::preferred(On::Gpu, engine, "a GPU can be used"),
        Err(unusable) => {
            let (reason, fallback) = unusable.into_fallback();
            match fallback {
                Fallback::GpuFailed => {
                    tracing::warn!("the GPU fails, working on the CPU: {reason}")
                }
                _ => tracing::info!("working on the CPU: {reason}"),
            }
            let mut runner = Runner::preferred(On::Cpu, Arc::new(OnCpu), &reason);
            runner.selection.fallback = fallback;
            runner
        }
    }
}

/// Opens what the options ask for.
fn choose(options: &Options, threads: usize) -> Result<Runner> {
    Ok(match options.device {
        DeviceChoice::Cpu => Runner::preferred(On::Cpu, Arc::new(OnCpu), "asked for"),
        DeviceChoice::Auto => where_it_pays(options, threads),
        _ => {
            let opened = open(options, threads).map_err(Unusable::into_error);
            Runner::preferred(On::Gpu, opened?, "asked for")
        }
    })
}

/// What helps where there is no GPU.
const NO_GPU: &str = "; `tribin doctor` says what is missing, `--device cpu` counts on the CPU";

/// The error of an engine that counts on a GPU only, and why there is none; nothing where the CPU was asked for.
fn needs_gpu(engine: &'static str, no_gpu: Option<String>) -> Error {
    let on_gpu = format!("`--engine {engine}` counts on a GPU only");
    match no_gpu {
        None => Error::Usage(
            Message::from("")
                .with_hint(format!("{on_gpu}: leave out `--device cpu`, or use `--engine auto`")),
        ),
        Some(no_gpu) => {
            Error::Device(Message::from("").with_hint(format!(
                "{on_gpu}, and none can be used: {no_gpu}; use `--engine auto`"
            )))
        }
    }
}

impl Selection {
    /// Refuses options that do not go with this device.
    ///
    /// # Errors
    /// [`Error::Usage`] for an engine that the CPU does not have, and [`Error::Device`] for one where the CPU stands in for
    /// a GPU.
    pub fn check(&self, options: &CountOptions) -> Result<()> {
        if self.on != On::Cpu || !options.engine.is_for_gpus_only() {
            return Ok(());
        }
        let why = (self.fallback != Fallback::None).then(|| self.reason.clone());
        Err(needs_gpu(options.engine.name(), why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A limit of memory sent every graph to the GPU, which takes half a second to open.
    #[test]
    fn a_limit_of_memory_chooses_no_device() {
        let options = |device, device_memory, parts| Options {
            device,
            memory: device_memory,
            device_memory,
            parts,
            ..Options::default()
        };
        let limit = Some(64 << 30);
        for device_memory in [None, limit] {
            assert!(may_stay_closed(&options(DeviceChoice::Auto, device_memory, None)));
            assert!(!may_stay_closed(&options(DeviceChoice::Auto, device_memory, Some(2))));
            assert!(!may_stay_closed(&options(DeviceChoice::Gpu(None), device_memory, None)));
            assert!(!may_stay_closed(&options(DeviceChoice::Cpu, device_memory, None)));
        }
    }
}
