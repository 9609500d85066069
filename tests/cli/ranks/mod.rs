//! Several processes that count a graph together: as the command, and as threads.

mod as_threads;
mod counts;
mod failures;
mod job;
mod usage;
