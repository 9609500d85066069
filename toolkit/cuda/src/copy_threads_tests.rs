//! Apart from what they test, which `tests/interleavings` reads with other threads than these.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crate::copy_threads::{CopyThreads, GRAIN};
use crate::sync::SPIN;

#[test]
fn every_byte_is_copied_once_whatever_the_threads_and_lengths() {
    for threads in [1, 2, 3, 8] {
        let threads = CopyThreads::new(NonZeroUsize::new(threads).unwrap());
        for bytes in [0, 1, GRAIN - 1, GRAIN, GRAIN + 1, 2 * GRAIN, 7 * GRAIN + 13] {
            let from: Vec<u8> = (0..bytes).map(|i| (i * 31 % 251) as u8).collect();
            let mut to = vec![0xFF; bytes + 2];
            threads.copy(&mut to[1..=bytes], &from);
            assert_eq!((to[0], to[bytes + 1]), (0xFF, 0xFF));
            assert!(to[1..=bytes] == from, "{bytes} bytes");
        }
    }
}

#[test]
fn several_callers_share_the_threads() {
    let threads = CopyThreads::new(NonZeroUsize::new(4).unwrap());
    thread::scope(|scope| {
        for caller in 0..8u8 {
            let threads = &threads;
            scope.spawn(move || {
                for round in 0..20u8 {
                    let from = vec![caller ^ round; 3 * GRAIN + 5];
                    let mut to = vec![!from[0]; from.len()];
                    threads.copy(&mut to, &from);
                    assert!(to == from, "caller {caller}, round {round}");
                }
            });
        }
    });
}

#[test]
fn threads_that_sleep_wake_for_the_next_copy() {
    let threads = CopyThreads::new(NonZeroUsize::new(3).unwrap());
    for round in 0..5u8 {
        let from = vec![round; 2 * GRAIN];
        let mut to = vec![0xFF; from.len()];
        threads.copy(&mut to, &from);
        assert!(to == from);
        // Longer than threads look for work before they sleep.
        thread::sleep(2 * SPIN);
    }
}

#[test]
fn every_byte_is_written_once_whatever_the_grain() {
    for threads in [1, 2, 8] {
        let threads = CopyThreads::new(NonZeroUsize::new(threads).unwrap());
        for grain in [1, 3, 64, 1000, 1001, 5000] {
            let mut to = vec![0; 1000];
            threads.write(&mut to, grain, &|start, part| {
                assert_eq!(start % grain, 0);
                for (place, byte) in (start..).zip(part) {
                    *byte += (place % 255) as u8 + 1;
                }
            });
            let once: Vec<u8> = (0..1000).map(|place| (place % 255) as u8 + 1).collect();
            assert!(to == once, "grains of {grain} bytes");
        }
    }
}

#[test]
fn a_panic_on_another_thread_reaches_the_caller_and_the_threads_go_on() {
    let threads = CopyThreads::new(NonZeroUsize::new(3).unwrap());
    let mut to = vec![0; 64];
    let mut write = |bad: usize| {
        catch_unwind(AssertUnwindSafe(|| {
            threads.write(&mut to, 1, &|start, part| {
                assert!(start != bad, "planted");
                part.fill(1);
            });
        }))
    };
    for bad in [0, 31, 63] {
        assert!(write(bad).is_err());
    }
    assert!(write(64).is_ok());
    assert!(to == [1; 64]);
}
