//! `toolkit/cuda`: threads that copy.

pub mod sync {
    pub use loom::sync::atomic::AtomicUsize;
    pub use loom::sync::{Arc, Condvar, Mutex, MutexGuard};
    pub use loom::thread;

    /// Time does not pass in a model: a thread looks once.
    pub fn spin_until(is_true: impl Fn() -> bool) -> bool {
        is_true()
    }
}

#[path = "../../../toolkit/cuda/src/copy_threads.rs"]
#[allow(dead_code, reason = "the models use a part of it")]
pub mod copy_threads;
