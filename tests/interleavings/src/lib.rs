//! What tribin's threads share, in every order of their steps.
//!
//! The modules are the program's own files. They take locks, atomics and threads from a module `sync` beside them, which
//! here is [loom](https://docs.rs/loom)'s: it runs a model again and again, with another order of the steps each time, and
//! finds deadlocks, lost wake-ups, and memory that two threads use at once.

#![cfg(test)]

mod cuda;
mod entries;

use std::num::NonZeroUsize;

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

use cuda::copy_threads::CopyThreads;
use entries::rooms::Rooms;

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

/// Entries of each piece.
const ROOMS: [usize; PIECES] = [2, 1, 2];

const PIECES: usize = 3;

/// Calls the function with each piece that is taken, in order, by the number.
fn take((next, work): &(AtomicUsize, impl Fn(usize))) {
    while let piece @ ..PIECES = next.fetch_add(1, Ordering::Relaxed) {
        work(piece);
    }
}

/// Calls `work` with each piece that is taken, in two threads that take them in order.
fn taken_by_two(work: impl Fn(usize) + 'static) {
    let shared = Arc::new((AtomicUsize::new(0), work));
    let theirs = shared.clone();
    let other = thread::spawn(move || take(&theirs));
    take(&shared);
    other.join().unwrap();
}

/// Every piece has its own room, where the one before ends.
#[test]
fn pieces_have_rooms_of_their_own() {
    check(3, || {
        let rooms = Arc::new(Rooms::of(PIECES));
        let all = ROOMS.iter().sum();
        let entries: Arc<Vec<_>> =
            Arc::new((0..all).map(|_| UnsafeCell::new(usize::MAX)).collect());
        let theirs = entries.clone();
        taken_by_two(move |piece| {
            let begin = rooms.begin(piece);
            let end = begin + ROOMS[piece];
            rooms.ends(piece, end);
            for entry in &theirs[begin..end] {
                // SAFETY: what this claims is what loom checks.
                entry.with_mut(|entry| unsafe { *entry = piece });
            }
        });
        // SAFETY: the other thread has ended.
        let found = entries.iter().map(|entry| entry.with(|entry| unsafe { *entry }));
        assert!(found.eq([0, 0, 1, 2, 2]));
    });
}

/// A bad piece has no entries, and no thread waits for ever for where its room ends.
#[test]
fn nobody_waits_for_a_bad_piece() {
    check(3, || {
        let rooms = Arc::new(Rooms::of(PIECES));
        let own = rooms.clone();
        taken_by_two(move |piece| {
            let begin = own.begin(piece);
            own.ends(piece, begin + if piece == 1 { 0 } else { ROOMS[piece] });
        });
        assert_eq!(Arc::try_unwrap(rooms).ok().unwrap().sizes(), [2, 0, 2]);
    });
}
