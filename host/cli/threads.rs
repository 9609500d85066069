//! The threads that a command runs on.

use std::num::{NonZeroUsize, ParseIntError};

use tribin::{DeviceChoice, Options, Result, Session};

/// Runs something on `threads` threads; `None` takes one for each core that the process may use.
pub fn on<R: Send>(threads: Option<NonZeroUsize>, run: impl FnOnce() -> R + Send) -> Result<R> {
    let mut options = Options::default();
    options.device = DeviceChoice::Cpu;
    options.threads = threads;
    Ok(Session::open(options)?.install(run))
}

/// A number of threads, or of other things, that is not 0.
pub fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    let number: usize = text.parse().map_err(|wrong: ParseIntError| wrong.to_string())?;
    NonZeroUsize::new(number).ok_or_else(|| "it has to be at least 1".to_owned())
}
