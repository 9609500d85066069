//! Which engine, on which device, and why.

use super::engine::Engine;
use super::on_cpu::OnCpu;
use crate::count::{DeviceChoice, Fallback, Selection};
use crate::{Error, Result};

/// Opens what the choice asks for.
pub(super) fn choose(device: DeviceChoice) -> Result<(Box<dyn Engine>, Selection)> {
    match device {
        DeviceChoice::Cpu => Ok(select(Box::new(OnCpu), "asked for")),
        DeviceChoice::Auto => Ok(select(Box::new(OnCpu), "analytics run on the CPU")),
        DeviceChoice::Gpu(_) => Err(Error::Device(format!(
            "`--device {device}`: only `tribin count` runs on a GPU, use `--device cpu` or `auto`"
        ))),
    }
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
