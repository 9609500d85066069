//! The threads that a command runs on.

use std::num::NonZeroUsize;

use tribin::{Error, Result};

/// Runs something on `threads` threads; `None` takes one for each core that the process may use.
pub fn on<R: Send>(threads: Option<NonZeroUsize>, run: impl FnOnce() -> R + Send) -> Result<R> {
    // 0 leaves the number to rayon: one thread a core, or RAYON_NUM_THREADS.
    let threads = threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Error::Usage(format!("cannot start {threads} threads: {error}")))?;
    Ok(pool.install(run))
}
