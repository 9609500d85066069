//! A kernel that needs more stack than an emulated thread has is told, before the process ends.

#![cfg(unix)]

use std::hint::black_box;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use warpwise_device::emulated::Emulator;
use warpwise_device::kernel;
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::InOut;

/// The variable that makes a test the process that ends.
const RUNS: &str = "WARPWISE_TEST_STACK";

/// The signal by which a process ends itself.
const SIGABRT: i32 = 6;

/// Words of a local array, twice as many as a stack has room for.
const WORDS: usize = (128 << 10) / 4;

kernel!(
    /// Writes the last of the first `n` words of a local array that has `i` at place i.
    #[requires(!out.is_empty(), n >= 1, n <= 1 << 15)]
    pub unsafe fn keeps_a_large_array(out: InOut<u32>, n: u32) {
        let mut words = [0u32; WORDS];
        for i in 0..n {
            words[i as usize] = i;
        }
        out.set(0, black_box(&words)[n as usize - 1]);
    }
);

/// Runs in a process of its own, and does nothing in any other.
#[test]
fn a_process_that_needs_much_stack() {
    if std::env::var_os(RUNS).is_none() {
        return;
    }
    let emulator = Emulator::new();
    let mut out = Buffer::zeroed(&emulator, 1).unwrap();
    let _ = keeps_a_large_array(&emulator, Shape::new(1, 1), out.view_mut(), 1 << 15);
}

#[test]
fn a_stack_that_is_too_small_is_told() {
    let mut test = Command::new(std::env::current_exe().unwrap());
    test.args(["--exact", "a_process_that_needs_much_stack", "--nocapture"]).env(RUNS, "1");
    let output = test.output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.signal(), Some(SIGABRT), "{told}");
    let expected = "emulator: kernel keeps_a_large_array: a thread needs more than 65536 bytes of stack: make local arrays smaller, \
                    and recursion shallower\n";
    assert!(told.contains(expected), "{told}");
}
