//! Kernels with a defect each, which the emulator finds under every schedule, and what it says.

use warpwise_device::emulated::Kind;
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread};
use warpwise_harness::planted::{assert_on_line, findings};

const SOURCE: &str = include_str!("planted.rs");

kernel!(
    /// A histogram that is read without a barrier after the additions.
    #[requires(counts.len() >= 32)]
    pub unsafe fn reads_before_the_others_are_done(values: In<u32>, counts: InOut<u32>) {
        let me = thread::thread_idx_x();
        let local = shared::array::<u32>(0, 32);
        local.set(me, 0);
        thread::sync_threads();
        local.atomic_add(values.get(u64::from(me)), 1); // added
        counts.set(u64::from(me), local.get(me)); // read
    }
);

kernel!(
    /// Without the condition `i < n`.
    #[requires(doubled.len() >= values.len())]
    pub unsafe fn reads_past_the_end(values: In<u32>, doubled: InOut<u32>) {
        let i = thread::index_1d();
        doubled.set(i, 2 * values.get(i)); // past the end
    }
);

kernel!(
    /// A barrier that the threads past the end do not reach.
    #[requires(values.len() >= n, reversed.len() >= n)]
    pub unsafe fn leaves_before_the_barrier(values: In<u32>, reversed: InOut<u32>, n: u64) {
        let me = thread::thread_idx_x();
        let tile = shared::array::<u32>(0, 32);
        if u64::from(me) >= n {
            return;
        }
        tile.set(me, values.get(u64::from(me)));
        thread::sync_threads(); // barrier
        reversed.set(u64::from(me), tile.get(n as u32 - 1 - me));
    }
);

kernel!(
    /// Shared memory that only the first thread clears, and one word of it.
    #[requires(counts.len() >= 32)]
    pub unsafe fn counts_from_anything(counts: InOut<u32>) {
        let me = thread::thread_idx_x();
        let local = shared::array::<u32>(0, 32);
        if me == 0 {
            local.set(0, 0);
        }
        thread::sync_threads();
        local.atomic_add(me, 1); // unwritten
        counts.set(u64::from(me), local.get(me));
    }
);

fn shape() -> Shape {
    Shape::new(1, 32).shared(128)
}

#[test]
fn a_race_is_found() {
    for finding in findings(|emulator| {
        let values = Buffer::from_host(emulator, &[3u32; 32])?;
        let mut counts = Buffer::zeroed(emulator, 32)?;
        reads_before_the_others_are_done(emulator, shape(), values.view(), counts.view_mut())
    }) {
        assert!(matches!(finding.kind, Kind::Race { .. }), "{finding}");
        let message = finding.to_string();
        let start =
            format!("kernel reads_before_the_others_are_done, block 0 thread {}: ", finding.thread);
        assert!(message.starts_with(&start), "{message}");
        assert!(
            message.contains(" that races, shared array at byte 0 [3], tests/planted.rs:"),
            "{message}"
        );
        assert!(message.contains(" made the other access, a"), "{message}");
        assert!(message.contains("; a barrier between the two would order them; "), "{message}");
    }
}

#[test]
fn an_access_out_of_bounds_is_found() {
    for finding in findings(|emulator| {
        let values = Buffer::from_host(emulator, &[1u32; 30])?;
        let mut doubled = Buffer::zeroed(emulator, 30)?;
        reads_past_the_end(emulator, shape(), values.view(), doubled.view_mut())
    }) {
        assert_on_line(&finding, SOURCE, "past the end");
        let thread = finding.thread;
        let start = format!(
            "kernel reads_past_the_end, block 0 thread {thread}: read out of bounds of 30 elements, \
             values [{thread}], tests/planted.rs:"
        );
        assert!(thread >= 30 && finding.to_string().starts_with(&start), "{finding}");
    }
}

#[test]
fn a_barrier_that_not_all_threads_reach_is_found() {
    for finding in findings(|emulator| {
        let values = Buffer::from_host(emulator, &[1u32; 20])?;
        let mut reversed = Buffer::zeroed(emulator, 20)?;
        leaves_before_the_barrier(emulator, shape(), values.view(), reversed.view_mut(), 20)
    }) {
        assert_eq!(finding.kind, Kind::BarrierDivergence);
        let message = finding.to_string();
        assert!(
            message.starts_with("kernel leaves_before_the_barrier, block 0 thread "),
            "{message}"
        );
        assert!(message.contains(": threads do not meet at one barrier"), "{message}");
        assert!(message.contains(" has returned"), "{message}");
    }
}

#[test]
fn a_read_of_unwritten_memory_is_found() {
    for finding in findings(|emulator| {
        let mut counts = Buffer::zeroed(emulator, 32)?;
        counts_from_anything(emulator, shape(), counts.view_mut())
    }) {
        assert_on_line(&finding, SOURCE, "unwritten");
        let thread = finding.thread;
        let start = format!(
            "kernel counts_from_anything, block 0 thread {thread}: read of memory that nothing wrote, \
             shared array at byte 0 [{thread}], tests/planted.rs:"
        );
        assert!(thread > 0 && finding.to_string().starts_with(&start), "{finding}");
        assert!(finding.to_string().contains("a barrier is missing before this read"), "{finding}");
    }
}
