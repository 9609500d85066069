//! A kernel that needs more stack than an emulated thread has is told, before the process ends.

#![cfg(unix)]

mod own_process;

use std::hint::black_box;

use own_process::{is_own, told_by};
use warpwise_device::emulated::Emulator;
use warpwise_device::kernel;
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::InOut;

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
    if !is_own() {
        return;
    }
    let emulator = Emulator::new();
    let mut out = Buffer::zeroed(&emulator, 1).unwrap();
    let _ = keeps_a_large_array(&emulator, Shape::new(1, 1), out.view_mut(), 1 << 15);
}

#[test]
fn a_stack_that_is_too_small_is_told() {
    let told = told_by("a_process_that_needs_much_stack");
    let expected = "emulator: kernel keeps_a_large_array: a thread needs more than 65536 bytes of stack: make local arrays smaller, \
                    and recursion shallower\n";
    assert!(told.contains(expected), "{told}");
}
