//! What is said where the CPU stands in for a GPU.

use tribin::{Fallback, Selection};

/// Where the choice was left to us and is not a GPU: the line that says so and why, of who is `doing`
/// something. A GPU that is there and failed is a warning at once, and `--quiet` does not silence it.
pub fn note(selection: &Selection, doing: &str, quiet: bool) -> Option<String> {
    let reason = &selection.reason;
    match selection.fallback {
        Fallback::None => None,
        Fallback::NoGpu => (!quiet).then(|| format!("{doing} on the CPU: {reason}")),
        Fallback::GpuFailed => {
            tracing::warn!("the GPU fails, {doing} on the CPU: {reason}");
            None
        }
        // The library may know more one day.
        _ => None,
    }
}
