//! Kernels with a defect in bulk copies, each found.

mod common;

use common::{assert_line, findings};
use warpwise_device::bulk_copy::{Mbarrier, bulk_copy};
use warpwise_device::emulated::{Access, Emulator, EmulatorError, Finding, Kind};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::{In, InOut};
use warpwise_device::{kernel, shared, thread};

const SOURCE: &str = include_str!("planted_bulk_copies.rs");

kernel!(
    /// Without a wait.
    #[requires()]
    pub unsafe fn reads_the_bulk_at_once(values: In<u32>, out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let (barrier, tile) = (Mbarrier::new(shared::array(0, 1), 0), shared::array::<u32>(16, 32));
        if me == 0 {
            barrier.init(1);
            bulk_copy((tile, 0), (values, 0), 32, barrier);
            barrier.arrive();
        }
        thread::sync_threads();
        out.set(me.into(), tile.get(me)); // reads at once
    }

    /// One thread waits, and no barrier says so to the others.
    #[requires()]
    pub unsafe fn waits_for_itself(values: In<u32>, out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let (barrier, tile) = (Mbarrier::new(shared::array(0, 1), 0), shared::array::<u32>(16, 32));
        let told = shared::array::<u32>(144, 1);
        if me == 0 {
            barrier.init(1);
            told.set(0, 0);
        }
        thread::sync_threads();
        if me == 0 {
            bulk_copy((tile, 0), (values, 0), 32, barrier);
            barrier.arrive();
            barrier.wait(0);
            told.atomic_exchange(0, 1);
        }
        // Atomic operations on shared memory order nothing.
        while told.atomic_add(0, 0) == 0 {
            thread::nanosleep(1);
        }
        out.set(me.into(), tile.get(me)); // of one that has waited
    }

    /// The other threads use a barrier that they do not know of.
    #[requires()]
    pub unsafe fn waits_before_the_start(values: In<u32>, out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let (barrier, tile) = (Mbarrier::new(shared::array(0, 1), 0), shared::array::<u32>(16, 32));
        if me == 0 {
            barrier.init(1); // the start
            bulk_copy((tile, 0), (values, 0), 32, barrier);
            barrier.arrive();
        }
        barrier.wait(0); // before the start
        out.set(me.into(), tile.get(me));
    }

    /// Copies into a tile that others are still reading.
    #[requires()]
    pub unsafe fn copies_over_what_is_read(values: In<u32>, out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let (barrier, tile) = (Mbarrier::new(shared::array(0, 1), 0), shared::array::<u32>(16, 32));
        tile.set(me, me);
        if me == 0 {
            barrier.init(1);
        }
        thread::sync_threads();
        let before = tile.get(31 - me); // still reading
        if me == 0 {
            bulk_copy((tile, 0), (values, 0), 32, barrier); // over what is read
            barrier.arrive();
        }
        barrier.wait(0);
        out.set(me.into(), tile.get(me) + before);
    }

    /// Copies from the second element on.
    #[requires()]
    pub unsafe fn copies_from_the_second(values: In<u32>, out: InOut<u32>) {
        let (barrier, tile) = (Mbarrier::new(shared::array(0, 1), 0), shared::array::<u32>(16, 32));
        if thread::thread_idx_x() == 0 {
            barrier.init(1);
            bulk_copy((tile, 0), (values, 1), 28, barrier); // the second
            out.set(0, 0);
        }
    }

    /// A thread more is to arrive than does.
    #[requires()]
    pub unsafe fn waits_for_one_too_many(values: In<u32>, out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let (barrier, tile) = (Mbarrier::new(shared::array(0, 1), 0), shared::array::<u32>(16, 32));
        if me == 0 {
            barrier.init(2);
            bulk_copy((tile, 0), (values, 0), 32, barrier);
            barrier.arrive();
        }
        thread::sync_threads();
        barrier.wait(0);
        out.set(me.into(), tile.get(me));
    }
);

/// What is found in a kernel with a buffer of 32 numbers and another for 32.
macro_rules! found_in {
    ($kernel:ident) => {{
        let launch = |emulator: &Emulator| -> Result<(), EmulatorError> {
            let values = Buffer::from_host(emulator, &[7; 32])?;
            let mut out = Buffer::uninitialized(emulator, 32)?;
            let shape = Shape::new(1, 32).shared(160);
            $kernel(emulator, shape, values.view(), out.view_mut())
        };
        findings(launch)
    }};
}

fn is_race(found: &Finding) -> bool {
    matches!(found.kind, Kind::Race { .. })
}

#[test]
fn a_read_before_the_wait_is_found() {
    for found in found_in!(reads_the_bulk_at_once) {
        assert!(matches!(found.kind, Kind::CopyNotAwaited { .. }), "{found}");
        assert_line(&found, "reads_the_bulk_at_once", SOURCE, "reads at once");
    }
}

#[test]
fn a_wait_of_another_thread_is_not_enough() {
    for found in found_in!(waits_for_itself) {
        assert!(is_race(&found), "{found}");
        assert_line(&found, "waits_for_itself", SOURCE, "of one that has waited");
    }
}

#[test]
fn a_barrier_that_others_use_before_it_is_one_is_found() {
    for found in found_in!(waits_before_the_start) {
        let marker = match is_race(&found) {
            true => ["before the start", "the start"],
            false => ["before the start"; 2],
        };
        assert!(is_race(&found) || found.kind == Kind::Uninitialized, "{found}");
        let line = found.location.unwrap().line();
        assert!(marker.iter().any(|marker| common::is_marked(line, SOURCE, marker)), "{found}");
    }
}

#[test]
fn a_copy_over_what_others_read_is_found() {
    for found in found_in!(copies_over_what_is_read) {
        let line = found.location.unwrap().line();
        let marker = match found.kind {
            Kind::Race { access: Access::Write } => "over what is read",
            Kind::Race { .. } | Kind::CopyNotAwaited { .. } => "still reading",
            _ => panic!("{found}"),
        };
        assert!(common::is_marked(line, SOURCE, marker), "{found}");
    }
}

#[test]
fn a_copy_from_an_address_that_is_no_multiple_of_16_is_found() {
    for found in found_in!(copies_from_the_second) {
        assert_eq!(found.kind, Kind::Misaligned, "{found}");
        assert_line(&found, "copies_from_the_second", SOURCE, "the second");
    }
}

#[test]
fn a_phase_that_never_ends_is_found() {
    for found in found_in!(waits_for_one_too_many) {
        assert!(matches!(found.kind, Kind::NeverEnds { .. }), "{found}");
    }
}
