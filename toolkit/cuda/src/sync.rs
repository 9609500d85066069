//! What threads that copy share memory through. `tests/interleavings` puts others in its place, which try every order of the
//! threads' steps.

use std::time::{Duration, Instant};

pub(crate) use std::sync::atomic::AtomicUsize;
pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard};
pub(crate) use std::thread;

/// The time for which a thread looks for work before it sleeps: the pieces of an upload follow one another
/// faster than threads wake.
pub(crate) const SPIN: Duration = Duration::from_micros(100);

/// Looks for a while whether `is_true`, and gives the core to others in between.
pub(crate) fn spin_until(is_true: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !is_true() {
        if start.elapsed() > SPIN {
            return false;
        }
        thread::yield_now();
    }
    true
}
