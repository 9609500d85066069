//! What the threads that read pieces share memory through. `tests/interleavings` puts others in its place, which try every
//! order of the threads' steps.

pub(super) use std::sync::atomic::AtomicUsize;
pub(super) use std::thread::yield_now;
