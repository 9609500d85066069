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
    // Who gives no limit asks for no GPU: none is opened for the question.
    if memory.is_none() || session.selection().on != On::Cpu {
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
