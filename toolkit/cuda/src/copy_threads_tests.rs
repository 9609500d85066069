//! Apart from what they test, which `tests/interleavings` reads with other threads than these.

use std::num::NonZeroUsize;
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
