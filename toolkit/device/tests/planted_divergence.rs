//! Kernels whose threads do not meet, or never end, each found.

mod common;

use common::{assert_line, findings, findings_with, is_marked};
use warpwise_device::emulated::{Config, Doing, Emulator, EmulatorError, Finding, Kind};
use warpwise_device::launch::{Buffer, Shape, ViewMut};
use warpwise_device::memory::InOut;
use warpwise_device::{kernel, thread, warp};

const SOURCE: &str = include_str!("planted_divergence.rs");

kernel!(
    /// A barrier in each branch.
    #[requires(!out.is_empty())]
    pub unsafe fn two_barriers(out: InOut<u32>) {
        if thread::thread_idx_x() < 10 {
            thread::sync_threads(); // first barrier
        } else {
            thread::sync_threads(); // second barrier
        }
        out.atomic_add(0, 1);
    }
);

kernel!(
    /// Thread 7 leaves before the barrier.
    #[requires(!out.is_empty())]
    pub unsafe fn leaves_before_a_barrier(out: InOut<u32>) {
        if thread::thread_idx_x() == 7 {
            return;
        }
        out.atomic_add(0, 1);
        thread::sync_threads(); // barrier
    }
);

kernel!(
    /// Lane 3 leaves before the others add up.
    #[requires(!out.is_empty())]
    pub unsafe fn leaves_before_a_reduction(out: InOut<u32>) {
        if warp::lane_id() == 3 {
            return;
        }
        out.atomic_add(0, warp::warp_reduce_add_32(warp::ALL, 1)); // reduction
    }
);

kernel!(
    /// Lane 4 waits for the block while the other lanes of its warp wait for it.
    #[requires(!out.is_empty())]
    pub unsafe fn deadlocks(out: InOut<u32>) {
        if thread::thread_idx_x() == 4 {
            thread::sync_threads(); // barrier
        } else {
            warp::warp_shuffle_xor(warp::ALL, 1, 1); // shuffle
        }
        out.atomic_add(0, 1);
    }
);

kernel!(
    /// Lanes name different masks in one operation.
    #[requires(!out.is_empty())]
    pub unsafe fn different_masks(out: InOut<u32>) {
        let mask = if warp::lane_id() < 16 { warp::ALL } else { 0xFFFF_0001 };
        out.atomic_add(0, warp::warp_vote_ballot(mask, true)); // vote
    }
);

kernel!(
    /// Lanes of one mask vote on different lines.
    #[requires(!out.is_empty())]
    pub unsafe fn different_lines(out: InOut<u32>) {
        let votes = if warp::lane_id().is_multiple_of(2) {
            warp::warp_vote_ballot(warp::ALL, true) // even
        } else {
            warp::warp_vote_ballot(warp::ALL, false) // odd
        };
        out.atomic_add(0, votes);
    }
);

kernel!(
    /// The mask lacks the top lane, which calls all the same.
    #[requires(!out.is_empty())]
    pub unsafe fn outside_its_mask(out: InOut<u32>) {
        out.atomic_add(0, warp::warp_match_any(u32::MAX >> 1, 1u32)); // match
    }
);

kernel!(
    /// Waits for a word that nobody writes. `sleeps`: whether it lets others go first.
    #[requires(!flag.is_empty())]
    pub unsafe fn waits_for_nothing(flag: InOut<u32>, sleeps: u32) {
        let waits = || flag.atomic_load(0) == 0; // spins
        while waits() {
            if sleeps == 1 {
                thread::nanosleep(100); // sleeps
            }
        }
    }
);

kernel!(
    /// Block 0 waits for the last block.
    #[requires(!flag.is_empty())]
    pub unsafe fn waits_for_a_later_block(flag: InOut<u32>) {
        if thread::block_idx_x() == thread::grid_dim_x() - 1 {
            flag.atomic_store(0, 1);
        } else if thread::block_idx_x() == 0 {
            let waits = || flag.atomic_load(0) == 0; // spins
            while waits() {
                thread::nanosleep(100); // sleeps
            }
        }
    }
);

kernel!(
    /// Counts for ever, barrier by barrier.
    #[requires(!out.is_empty())]
    pub unsafe fn counts_for_ever(out: InOut<u32>) {
        loop {
            out.atomic_add(0, 1); // counts
            thread::sync_threads(); // barrier
        }
    }
);

kernel!(
    /// Adds up the words of an array `times` times before anything is written.
    #[requires(words.len() >= 16)]
    pub unsafe fn reads_for_long(words: InOut<u32>, times: u32) {
        let mut sum = 0;
        for _ in 0..times {
            for i in 0..16 {
                sum += words.get(i);
            }
        }
        words.set(0, sum);
    }
);

type View<'a> = ViewMut<'a, u32, Emulator>;
type Outcome = Result<(), EmulatorError>;

fn found(launch: fn(&Emulator, Shape, View<'_>) -> Outcome, shape: Shape) -> Vec<Finding> {
    findings(|emulator| launch(emulator, shape, Buffer::zeroed(emulator, 1)?.view_mut()))
}

fn other(finding: &Finding) -> (u32, Doing) {
    let other = finding.other.unwrap_or_else(|| panic!("{finding}: no other thread"));
    assert_eq!(other.block, finding.block);
    (other.thread, other.doing)
}

fn line(location: Option<&std::panic::Location<'_>>) -> u32 {
    location.expect("a line").line()
}

#[test]
fn barriers_of_different_branches() {
    for finding in found(two_barriers, Shape::new(2, 40)) {
        assert_eq!(finding.kind, Kind::BarrierDivergence);
        let (thread, doing) = other(&finding);
        assert_eq!(doing, Doing::AtBarrier);
        assert_ne!(finding.thread < 10, thread < 10, "{finding}");
        let marker = |thread| if thread < 10 { "first barrier" } else { "second barrier" };
        assert_line(&finding, "two_barriers", SOURCE, marker(finding.thread));
        let other = finding.other.expect("another thread");
        assert!(is_marked(line(other.location), SOURCE, marker(thread)), "{finding}");
    }
}

#[test]
fn a_return_before_a_barrier() {
    for finding in found(leaves_before_a_barrier, Shape::new(1, 33)) {
        assert_eq!(finding.kind, Kind::BarrierDivergence);
        assert_eq!(other(&finding), (7, Doing::Returned));
        assert_ne!(finding.thread, 7);
        assert_line(&finding, "leaves_before_a_barrier", SOURCE, "barrier");
    }
}

#[test]
fn a_return_before_a_warp_operation() {
    for finding in found(leaves_before_a_reduction, Shape::new(1, 32)) {
        assert_eq!(finding.kind, Kind::WarpDivergence { mask: warp::ALL });
        assert_eq!(other(&finding), (3, Doing::Returned));
        assert_ne!(finding.thread, 3);
        assert_line(&finding, "leaves_before_a_reduction", SOURCE, "reduction");
    }
}

#[test]
fn a_lane_that_waits_elsewhere() {
    for finding in found(deadlocks, Shape::new(1, 32)) {
        assert_eq!(finding.kind, Kind::Deadlock);
        assert_eq!(other(&finding), (4, Doing::AtBarrier));
        assert_line(&finding, "deadlocks", SOURCE, "shuffle");
    }
}

#[test]
fn different_masks_in_one_operation() {
    for finding in found(different_masks, Shape::new(1, 32)) {
        let Kind::WarpDivergence { mask } = finding.kind else { panic!("{finding}") };
        assert_eq!(mask, if finding.thread < 16 { warp::ALL } else { 0xFFFF_0001 });
        let (thread, doing) = other(&finding);
        assert_ne!(finding.thread < 16, thread < 16, "{finding}");
        let mask = if thread < 16 { warp::ALL } else { 0xFFFF_0001 };
        assert_eq!(doing, Doing::InWarpOperation { mask });
        assert_line(&finding, "different_masks", SOURCE, "vote");
    }
}

#[test]
fn one_mask_on_different_lines() {
    for finding in found(different_lines, Shape::new(1, 64)) {
        assert_eq!(finding.kind, Kind::WarpDivergence { mask: warp::ALL });
        let (thread, doing) = other(&finding);
        assert_eq!(doing, Doing::InWarpOperation { mask: warp::ALL });
        assert_eq!(finding.thread / 32, thread / 32);
        assert_ne!(finding.thread % 2, thread % 2);
        let marker = if finding.thread.is_multiple_of(2) { "even" } else { "odd" };
        assert_line(&finding, "different_lines", SOURCE, marker);
    }
}

#[test]
fn a_lane_outside_its_mask() {
    for finding in found(outside_its_mask, Shape::new(1, 32)) {
        assert_eq!(finding.kind, Kind::LaneNotInMask { mask: u32::MAX >> 1 });
        assert_eq!(finding.thread, 31);
        assert_line(&finding, "outside_its_mask", SOURCE, "match");
    }
}

#[test]
fn a_block_that_waits_for_nothing() {
    let config = Config { idle_limit: 100_000, ..Config::default() };
    for (sleeps, markers) in [(0, ["spins", "spins"]), (1, ["sleeps", "spins"])] {
        let found = findings_with(&config, |emulator| {
            let mut flag = Buffer::zeroed(emulator, 1)?;
            waits_for_nothing(emulator, Shape::new(3, 4), flag.view_mut(), sleeps)
        });
        for finding in found {
            assert!(matches!(finding.kind, Kind::NeverEnds { .. }), "{finding}");
            let line = line(finding.location);
            assert!(markers.iter().any(|marker| is_marked(line, SOURCE, marker)), "{finding}");
        }
    }
}

#[test]
fn threads_that_only_wait_are_told_sooner_than_one_that_reads() {
    let found = findings(|emulator| {
        let mut flag = Buffer::zeroed(emulator, 1)?;
        waits_for_nothing(emulator, Shape::new(2, 4), flag.view_mut(), 0)
    });
    for finding in found {
        let Kind::NeverEnds { steps } = finding.kind else { panic!("{finding}") };
        assert!(steps < 1 << 19, "{finding}");
    }
    let emulator = Emulator::new();
    let mut words = Buffer::from_host(&emulator, &[1u32; 16]).unwrap();
    reads_for_long(&emulator, Shape::new(1, 1), words.view_mut(), 1 << 16).unwrap();
    assert_eq!(words.to_vec(&emulator).unwrap()[..2], [1 << 20, 1]);
}

#[test]
fn a_block_that_waits_for_one_that_cannot_start() {
    let one_after_another = Config { idle_limit: 100_000, resident_blocks: 1, ..Config::default() };
    let found = findings_with(&one_after_another, |emulator| {
        let mut flag = Buffer::zeroed(emulator, 1)?;
        waits_for_a_later_block(emulator, Shape::new(20, 2), flag.view_mut())
    });
    for finding in found {
        assert!(matches!(finding.kind, Kind::NeverEnds { .. }), "{finding}");
        assert_eq!((finding.kernel, finding.block), ("waits_for_a_later_block", 0));
    }
}

#[test]
fn a_block_that_counts_for_ever() {
    let config = Config { step_limit: 100_000, ..Config::default() };
    let found = findings_with(&config, |emulator| {
        let mut out = Buffer::zeroed(emulator, 1)?;
        counts_for_ever(emulator, Shape::new(1, 33), out.view_mut())
    });
    for finding in found {
        let Kind::NeverEnds { steps } = finding.kind else { panic!("{finding}") };
        assert!((100_000..110_000).contains(&steps), "{finding}");
    }
}
