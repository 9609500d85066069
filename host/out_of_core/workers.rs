//! Work that each thread takes piece by piece: as many pieces are in memory as there are threads.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::Result;
use crate::control::Context;
use tribin_base::par;

/// Calls `work` with every index below `number`, and with what `scratch` made for the thread; returns what the threads had.
/// Nothing here waits for work that other threads could be stealing meanwhile, so that there is one scratch for
/// each thread. The gauge counts the indexes.
///
/// # Errors
/// What any of these returns, and [`Error::Cancelled`](crate::Error::Cancelled).
pub(super) fn each<S: Send>(
    number: usize,
    context: &Context,
    scratch: impl Fn() -> Result<S> + Sync,
    work: impl Fn(&mut S, usize) -> Result<()> + Sync,
) -> Result<Vec<S>> {
    let next = AtomicUsize::new(0);
    par::try_map(0..par::threads().min(number), |_| {
        let mut own = scratch()?;
        loop {
            context.cancel().check()?;
            let index = next.fetch_add(1, Relaxed);
            if index >= number {
                return Ok(own);
            }
            work(&mut own, index).inspect_err(|_| next.store(number, Relaxed))?;
            context.work().add(1);
        }
    })
}
