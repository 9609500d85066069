//! The threads that a command runs on.

use std::num::NonZeroUsize;

use tribin::Result;
use tribin::device::cpu::thread_pool;

/// Runs something on `threads` threads; `None` takes one for each core that the process may use.
pub fn on<R: Send>(threads: Option<NonZeroUsize>, run: impl FnOnce() -> R + Send) -> Result<R> {
    Ok(thread_pool(threads)?.install(run))
}
