//! What is said of options for a GPU where there is none. That the CPU stands in for one, the session says itself.

use tribin::count::On;
use tribin::{DeviceChoice, Error, Result, Session};

/// Refuses an option that limits device memory where the CPU is asked for, and warns of one that limits nothing.
///
/// # Errors
/// [`Error::Usage`] with `--device cpu`.
pub fn check_memory(
    (option, memory): (&str, Option<u64>),
    device: DeviceChoice,
    session: &Session,
) -> Result<()> {
    // A limit is no reason to choose a device: none is opened for the question.
    let is_cpu = session.known_selection().is_some_and(|selection| selection.on == On::Cpu);
    if memory.is_none() || !is_cpu {
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
