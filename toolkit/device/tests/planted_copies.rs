//! Kernels with a defect in asynchronous copies or in layouts of shared memory, each found.

mod common;

use common::{assert_line, findings};
use warpwise_device::async_copy::{copy_async, copy_async_commit, copy_async_wait};
use warpwise_device::emulated::{Access, Array, Emulator, EmulatorError, Kind};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::{In, InOut};
use warpwise_device::shared::{self, Layout};
use warpwise_device::{kernel, thread};

const SOURCE: &str = include_str!("planted_copies.rs");

kernel!(
    /// Without a wait.
    #[requires()]
    pub unsafe fn reads_at_once(values: In<u32>, out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let tile = shared::array::<u32>(0, 32);
        copy_async(tile, me, values, me.into());
        copy_async_commit();
        out.set(me.into(), tile.get(me)); // reads at once
    }

    /// Waits for the first of two groups.
    #[requires()]
    pub unsafe fn waits_for_too_few(values: In<u32>, out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let tile = shared::array::<u32>(0, 64);
        copy_async(tile, me, values, me.into());
        copy_async_commit();
        copy_async(tile, 32 + me, values, me.into());
        copy_async_commit();
        copy_async_wait(1);
        let first = tile.get(me);
        out.set(me.into(), first + tile.get(32 + me)); // of the second group
    }

    /// Closes no group, so that there is nothing to wait for.
    #[requires()]
    pub unsafe fn forgets_to_commit(values: In<u32>, out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let tile = shared::array::<u32>(0, 32);
        copy_async(tile, me, values, me.into());
        copy_async_wait(0);
        out.set(me.into(), tile.get(me)); // of no group
    }

    /// All threads wait behind the barrier, each for itself.
    #[requires()]
    pub unsafe fn waits_behind_the_barrier(values: In<u32>, out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let tile = shared::array::<u32>(0, 32);
        copy_async(tile, me, values, me.into());
        copy_async_commit();
        thread::sync_threads();
        copy_async_wait(0);
        out.set(me.into(), tile.get(31 - me)); // may still be copied
    }

    /// Writes where a copy writes too.
    #[requires()]
    pub unsafe fn overwrites_the_target(values: In<u32>, out: InOut<u32>) {
        let me = thread::thread_idx_x();
        let tile = shared::array::<u32>(0, 32);
        copy_async(tile, me, values, me.into());
        tile.set(me, 0); // overwrites
        out.set(me.into(), 0);
    }

    /// Two layouts begin at the same byte.
    #[requires()]
    pub unsafe fn lays_out_twice(out: InOut<u32>) {
        let (_, wide) = Layout::new().array::<u64>(4);
        let (layout, first) = Layout::new().array::<u8>(40);
        let (_, second) = layout.array::<u32>(4);
        // A second layout that lies behind the first is no defect, nor is the same array twice.
        let (words, again) = (second.here(), second.here());
        let me = thread::thread_idx_x();
        if me < 4 {
            words.set(me, me);
            out.set(me.into(), again.get(me));
        }
        wide.here();
        first.here(); // overlaps
    }
);

/// What a launch on 32 threads finds.
fn copy_finding(
    launch: impl Fn(
        &Emulator,
        Shape,
        warpwise_device::launch::View<'_, u32, Emulator>,
        warpwise_device::launch::ViewMut<'_, u32, Emulator>,
    ) -> Result<(), EmulatorError>,
    kernel: &str,
    marker: &str,
    is_right: impl Fn(&Kind) -> bool,
) {
    let found = findings(|emulator| {
        let values = Buffer::from_host(emulator, &[7; 32])?;
        let mut out = Buffer::zeroed(emulator, 32)?;
        launch(emulator, Shape::new(1, 32).shared(256), values.view(), out.view_mut())
    });
    for finding in found {
        assert!(is_right(&finding.kind), "{finding}");
        assert_line(&finding, kernel, SOURCE, marker);
    }
}

#[test]
fn a_read_before_the_wait() {
    let early = |kind: &Kind| *kind == Kind::CopyNotAwaited { access: Access::Read };
    copy_finding(reads_at_once, "reads_at_once", "reads at once", early);
    copy_finding(waits_for_too_few, "waits_for_too_few", "of the second group", early);
    copy_finding(forgets_to_commit, "forgets_to_commit", "of no group", early);
}

#[test]
fn a_wait_that_no_barrier_follows() {
    // The other thread has waited, or it has not yet.
    let early = Kind::CopyNotAwaited { access: Access::Read };
    let race = Kind::Race { access: Access::Read };
    let found = findings(|emulator| {
        let values = Buffer::from_host(emulator, &[7; 32])?;
        let mut out = Buffer::zeroed(emulator, 32)?;
        let shape = Shape::new(1, 32).shared(256);
        waits_behind_the_barrier(emulator, shape, values.view(), out.view_mut())
    });
    for finding in found {
        assert!([&early, &race].contains(&&finding.kind), "{finding}");
        assert_line(&finding, "waits_behind_the_barrier", SOURCE, "may still be copied");
    }
}

#[test]
fn a_write_before_the_wait() {
    let kind = Kind::CopyNotAwaited { access: Access::Write };
    copy_finding(overwrites_the_target, "overwrites_the_target", "overwrites", |found| {
        *found == kind
    });
}

#[test]
fn arrays_of_two_layouts_overlap() {
    let found = findings(|emulator| {
        let mut out = Buffer::zeroed(emulator, 4)?;
        lays_out_twice(emulator, Shape::new(1, 32).shared(56), out.view_mut())
    });
    for finding in found {
        assert_eq!(finding.kind, Kind::SharedOverlap { other_start: 0, other_end: 32 });
        assert_eq!(finding.array, Some(Array::Shared { byte_offset: 0 }));
        assert_line(&finding, "lays_out_twice", SOURCE, "overlaps");
    }
}
