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
use loom::thread;

use cuda::copy_threads::CopyThreads;
use entries::turns::Turns;

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
const ROOMS: [usize; 3] = [2, 1, 2];

/// Every piece has its own room, where the one before ends.
#[test]
fn pieces_have_rooms_of_their_own() {
    check(3, || {
        let turns = Arc::new(Turns::<()>::with_rooms(ROOMS.len()));
        let all = ROOMS.iter().sum();
        let entries: Arc<Vec<_>> =
            Arc::new((0..all).map(|_| UnsafeCell::new(usize::MAX)).collect());
        let work = |turns: &Turns<()>, entries: &[UnsafeCell<usize>]| {
            while let Some(piece) = turns.take() {
                let begin = turns.begin(piece).expect("no piece is bad");
                let end = begin + ROOMS[piece];
                turns.ends(piece, end);
                for entry in &entries[begin..end] {
                    // SAFETY: what this claims is what loom checks.
                    entry.with_mut(|entry| unsafe { *entry = piece });
                }
            }
        };
        let (others, theirs) = (turns.clone(), entries.clone());
        let other = thread::spawn(move || work(&others, &theirs));
        work(&turns, &entries);
        other.join().unwrap();
        // SAFETY: the other thread has ended.
        let found = entries.iter().map(|entry| entry.with(|entry| unsafe { *entry }));
        assert!(found.eq([0, 0, 1, 2, 2]));
    });
}

/// Of two bad pieces the first is told, whichever was found first, and no thread waits for a piece that nobody reads.
#[test]
fn the_first_bad_piece_is_told() {
    check(3, || {
        let turns = Arc::new(Turns::<&str>::with_rooms(ROOMS.len()));
        let work = |turns: &Turns<&'static str>| {
            while let Some(piece) = turns.take() {
                match (piece, turns.begin(piece)) {
                    (0, Some(begin)) => turns.ends(0, begin + ROOMS[0]),
                    (1, Some(_)) => turns.stop(1, "the first"),
                    // The rooms behind a bad piece are not known.
                    (2, None) => {}
                    other => panic!("{other:?}"),
                }
            }
        };
        let others = turns.clone();
        let other = thread::spawn(move || work(&others));
        work(&turns);
        other.join().unwrap();
        assert_eq!(Arc::try_unwrap(turns).ok().unwrap().into_rooms(), Err("the first"));
    });
    check(3, || {
        let turns = Arc::new(Turns::<usize>::with_rooms(2));
        let work = |turns: &Turns<usize>| {
            while let Some(piece) = turns.take() {
                turns.stop(piece, piece);
            }
        };
        let others = turns.clone();
        let other = thread::spawn(move || work(&others));
        work(&turns);
        other.join().unwrap();
        assert_eq!(Arc::try_unwrap(turns).ok().unwrap().into_rooms(), Err(0));
    });
}
