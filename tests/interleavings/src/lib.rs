//! What tribin's threads share, in every order of their steps.
//!
//! The modules are the program's own files. They take locks, atomics and threads from a module `sync` beside them, which
//! here is [loom](https://docs.rs/loom)'s: it runs a model again and again, with another order of the steps each time, and
//! finds deadlocks, lost wake-ups, and memory that two threads use at once.

#![cfg(test)]

mod cuda;

use std::num::NonZeroUsize;

use loom::model::Builder;
use loom::sync::Arc;
use loom::thread;

use cuda::copy_threads::CopyThreads;

/// Bytes that a thread copies at a time.
const GRAIN: usize = 2;

/// Runs a model in every order of its steps that preempts a thread at most `preemptions` times.
fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

/// Two threads copy: `copy` returns when every byte is there, and the threads end with the last copy.
#[test]
fn copies_are_whole() {
    check(3, || {
        let threads = CopyThreads::with_grain(NonZeroUsize::MIN.saturating_add(1), GRAIN);
        for byte in 1..=2 {
            let from = vec![byte; GRAIN + 1];
            let mut to = vec![0; from.len()];
            threads.copy(&mut to, &from);
            assert!(to == from);
        }
    });
}

/// Two callers share a thread that copies.
#[test]
fn callers_share_threads() {
    check(2, || {
        let threads = Arc::new(CopyThreads::with_grain(NonZeroUsize::MIN.saturating_add(1), GRAIN));
        let copy = |threads: &CopyThreads, byte| {
            let from = vec![byte; GRAIN + 1];
            let mut to = vec![0; from.len()];
            threads.copy(&mut to, &from);
            assert!(to == from);
        };
        let shared = threads.clone();
        let other = thread::spawn(move || copy(&shared, 1));
        copy(&threads, 2);
        other.join().unwrap();
    });
}
