//! Several processes that count a graph together: as the command, and as threads.

mod as_threads;
mod counts;
mod failures;
mod gpus;
#[cfg(target_os = "linux")]
mod hosts;
mod job;
mod usage;
