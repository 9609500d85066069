//! The threads that a command runs on.

use std::num::NonZeroUsize;

use tribin::{DeviceChoice, Options, Result, Session};

/// Runs something on `threads` threads; `None` takes one for each core that the process may use.
pub fn on<R: Send>(threads: Option<NonZeroUsize>, run: impl FnOnce() -> R + Send) -> Result<R> {
    let mut options = Options::default();
    options.device = DeviceChoice::Cpu;
    options.threads = threads;
    Ok(Session::new(options)?.install(run))
}
