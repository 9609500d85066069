//! Which engine, on which device, and why.

use super::Options;
use super::engine::Engine;
use super::on_cpu::OnCpu;
use super::on_gpu::OnGpu;
use crate::Result;
use crate::count::{DeviceChoice, Fallback, Selection, Unusable, open_gpu};

/// Opens what the options ask for.
pub(super) fn choose(options: &Options) -> Result<(Box<dyn Engine>, Selection)> {
    let open = |ordinal| -> Result<Box<dyn Engine>, Unusable> {
        Ok(Box::new(OnGpu::new(open_gpu(ordinal)?, options.memory_limit)))
    };
    Ok(match options.device {
        DeviceChoice::Cpu => select(Box::new(OnCpu), "asked for"),
        DeviceChoice::Gpu(ordinal) => {
            select(open(ordinal).map_err(Unusable::into_error)?, "asked for")
        }
        DeviceChoice::Auto => match open(None) {
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
