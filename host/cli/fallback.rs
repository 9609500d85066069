//! What is said where the CPU stands in for a GPU.

use tribin::{DeviceChoice, Error, Fallback, Result, Selection};

/// Says that a GPU which is there and failed is not used: `--quiet` does not silence it. That there is no GPU is
/// no news on most machines: the report names the device, and `--verbose` and `tribin doctor` say why.
pub fn say(selection: &Selection, doing: &str) {
    let reason = &selection.reason;
    match selection.fallback {
        Fallback::NoGpu => tracing::info!("{doing} on the CPU: {reason}"),
        Fallback::GpuFailed => tracing::warn!("the GPU fails, {doing} on the CPU: {reason}"),
        // The library may know more one day.
        _ => {}
    }
}

/// Refuses an option that limits device memory where the CPU is asked for, and warns of one that limits nothing.
///
/// # Errors
/// [`Error::Usage`] with `--device cpu`.
pub fn check_memory(
    (option, memory): (&str, Option<u64>),
    device: DeviceChoice,
    selection: &Selection,
) -> Result<()> {
    if memory.is_none() || selection.device != "cpu" {
        return Ok(());
    }
    if device == DeviceChoice::Cpu {
        let message = format!(
            "`{option}` limits the memory of a GPU, and `--device cpu` uses none: leave out one of the two"
        );
        return Err(Error::Usage(message.into()));
    }
    tracing::warn!("`{option}` limits the memory of a GPU, and the CPU is used: it has no effect");
    Ok(())
}
