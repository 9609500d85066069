//! A kernel that computes for ever is told, and the process ends; one that computes for long is let alone.

#![cfg(target_os = "linux")]

mod own_process;

use std::hint::black_box;
use std::time::{Duration, Instant};

use own_process::{is_own, told_by};
use warpwise_device::emulated::{Config, Emulator};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::InOut;
use warpwise_device::{kernel, thread};

const LIMIT: Duration = Duration::from_millis(500);

kernel!(
    /// Adds one to `numbers[i]` until it is 7, but forgets to.
    #[requires(|shape| shape.threads() <= numbers.len())]
    pub unsafe fn forgets_to_count(numbers: InOut<u32>) {
        let i = thread::index_1d();
        let number = numbers.get(i);
        while black_box(number) < 7 {}
        numbers.set(i, number);
    }

    /// Computes for a fifth of a second before each of many accesses.
    #[requires(!numbers.is_empty())]
    pub unsafe fn computes_for_long(numbers: InOut<u32>) {
        for _ in 0..8 {
            let start = Instant::now();
            while start.elapsed() < LIMIT / 5 {}
            numbers.set(0, numbers.get(0) + 1);
        }
    }
);

fn emulator() -> Emulator {
    Emulator::with(Config { compute_limit: LIMIT, ..Config::default() })
}

/// Runs in a process of its own, and does nothing in any other.
#[test]
fn a_process_that_computes_for_ever() {
    if !is_own() {
        return;
    }
    let emulator = emulator();
    let mut numbers = Buffer::from_host(&emulator, &[7, 7, 7, 0]).unwrap();
    let _ = forgets_to_count(&emulator, Shape::new(2, 2), numbers.view_mut());
}

#[test]
fn an_endless_loop_that_only_computes_is_told() {
    let told = told_by("a_process_that_computes_for_ever");
    let expected = "emulator: kernel forgets_to_count, block 1 thread 1: 500ms of processor time without an access, a barrier or a warp \
                    operation: a loop that only computes does not end, or it needs more time (`compute_limit` of `Config`)\n";
    assert!(told.contains(expected), "{told}");
}

#[test]
fn a_kernel_that_ends_may_compute_for_long() {
    let emulator = emulator();
    let mut numbers = Buffer::from_host(&emulator, &[0]).unwrap();
    computes_for_long(&emulator, Shape::new(1, 1), numbers.view_mut()).unwrap();
    assert_eq!(numbers.to_vec(&emulator).unwrap(), [8]);
}
