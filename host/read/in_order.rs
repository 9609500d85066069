//! Parts of a file that are handed over one by one.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use tribin_base::par;

/// Calls `take` with every part's index below `parts`, on all threads, each with a scratch of its own. Parts are
/// taken in order, and none after one that failed.
///
/// # Errors
/// That of the first part that failed, whatever the number of threads: those before it were taken before.
pub(super) fn in_order<S: Default, E: Send>(
    parts: usize,
    take: impl Fn(usize, &mut S) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    in_turn(|_| Some(next.fetch_add(1, Relaxed)).filter(|&part| part < parts), take)
}

/// Does what [`in_order`] does, where `next` gives out the parts one by one, into the scratch of who asks for it.
pub(super) fn in_turn<S: Default, E: Send>(
    next: impl Fn(&mut S) -> Option<usize> + Sync,
    take: impl Fn(usize, &mut S) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let (is_over, first_bad) = (AtomicBool::new(false), Mutex::new(None));
    par::parallel_for(par::threads(), &|_| {
        let mut scratch = S::default();
        while let Some(part) =
            Some(()).filter(|()| !is_over.load(Relaxed)).and_then(|()| next(&mut scratch))
        {
            if let Err(error) = take(part, &mut scratch) {
                is_over.store(true, Relaxed);
                let mut first = first_bad.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|&(other, _)| part < other) {
                    *first = Some((part, error));
                }
            }
        }
    });
    let first = first_bad.into_inner().unwrap_or_else(PoisonError::into_inner);
    first.map_or(Ok(()), |(_, error)| Err(error))
}
