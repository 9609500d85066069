//! Parts of a file that are handed over one by one.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use tribin_base::par;

/// What `take` makes of every part's index below `parts`, in their order. It is called on all threads, each with a scratch of its own.
/// Parts are taken in order, and none after one that failed.
///
/// # Errors
/// That of the first part that failed, whatever the number of threads: those before it were taken before.
pub(super) fn in_order<S: Default, T: Send, E: Send>(
    parts: usize,
    take: impl Fn(usize, &mut S) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    in_turn(|_| Some(next.fetch_add(1, Relaxed)).filter(|&part| part < parts), take)
}

/// Does what [`in_order`] does, where `next` gives out the parts one by one, into the scratch of who asks for it.
pub(super) fn in_turn<S: Default, T: Send, E: Send>(
    next: impl Fn(&mut S) -> Option<usize> + Sync,
    take: impl Fn(usize, &mut S) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let (is_over, taken) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    par::parallel_for(par::threads(), &|_| {
        let mut scratch = S::default();
        while let Some(part) =
            Some(()).filter(|()| !is_over.load(Relaxed)).and_then(|()| next(&mut scratch))
        {
            let made = take(part, &mut scratch);
            is_over.fetch_or(made.is_err(), Relaxed);
            taken.lock().unwrap_or_else(PoisonError::into_inner).push((part, made));
        }
    });
    let mut taken = taken.into_inner().unwrap_or_else(PoisonError::into_inner);
    taken.sort_unstable_by_key(|(part, _)| *part);
    taken.into_iter().map(|(_, made)| made).collect()
}
