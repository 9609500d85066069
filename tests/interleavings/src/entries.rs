//! `host/read/entries`: threads that read the pieces of a file.

pub mod sync {
    pub use loom::sync::atomic::AtomicUsize;
    pub use loom::thread::yield_now;
}

#[path = "../../../host/read/entries/rooms.rs"]
#[allow(dead_code, reason = "the models use a part of it")]
pub mod rooms;
