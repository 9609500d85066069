//! Kernels with a defect in what the blocks of a cluster do together, each found.

mod common;

use common::{assert_line, findings};
use warpwise_device::emulated::{Access, Emulator, EmulatorError, Kind};
use warpwise_device::launch::{Buffer, Shape};
use warpwise_device::memory::InOut;
use warpwise_device::{cluster, kernel, shared, thread};

const SOURCE: &str = include_str!("planted_clusters.rs");

kernel!(
    /// Writes into the next block's memory, and nothing says that the block has started.
    #[requires()]
    pub unsafe fn writes_too_early(out: InOut<u32>) {
        let mine = shared::array::<u32>(0, 1);
        if thread::thread_idx_x() == 0 {
            let next = (cluster::rank() + 1) % cluster::size();
            cluster::of_block(mine, next).set(0, 1); // too early
        }
        cluster::sync();
        out.set(thread::index_1d(), mine.get(0));
    }

    /// Returns while the other block may still be reading.
    #[requires()]
    pub unsafe fn returns_too_early(out: InOut<u32>) {
        let mine = shared::array::<u32>(0, 32);
        mine.set(thread::thread_idx_x(), 1);
        cluster::sync();
        let other = cluster::of_block(mine, 1 - cluster::rank());
        out.set(thread::index_1d(), other.get(thread::thread_idx_x())); // still reading
    }

    /// Meets with the block alone before the second value is read.
    #[requires()]
    pub unsafe fn meets_with_the_block_alone(out: InOut<u32>) {
        let mine = shared::array::<u32>(0, 32);
        let me = thread::thread_idx_x();
        mine.set(me, 1);
        cluster::sync();
        if cluster::rank() == 0 {
            mine.set(me, 2); // written
        }
        thread::sync_threads();
        let read = cluster::of_block(mine, 0).get(31 - me); // read
        cluster::sync();
        out.set(thread::index_1d(), read);
    }

    /// Counts blocks from 1.
    #[requires()]
    pub unsafe fn counts_from_one(out: InOut<u32>) {
        let mine = shared::array::<u32>(0, 1);
        cluster::sync();
        if thread::thread_idx_x() == 0 {
            cluster::of_block(mine, cluster::rank() + 1).set(0, 1); // from one
        }
        cluster::sync();
        out.set(thread::index_1d(), 1);
    }

    /// The last thread does not come.
    #[requires()]
    pub unsafe fn leaves_a_thread_behind(out: InOut<u32>) {
        out.set(thread::index_1d(), 1);
        if thread::index_1d() < 63 {
            cluster::sync(); // all but one
        }
    }

    /// A thread waits for its block, and the others for the cluster.
    #[requires()]
    pub unsafe fn waits_for_the_block(out: InOut<u32>) {
        out.set(thread::index_1d(), 1);
        if thread::index_1d() == 40 {
            thread::sync_threads();
        } else {
            cluster::sync();
        }
    }
);

fn run(
    emulator: &Emulator,
    launch: impl Fn(&Emulator, Shape, &mut Buffer<u32, Emulator>) -> Result<(), EmulatorError>,
) -> Result<(), EmulatorError> {
    let mut out = Buffer::uninitialized(emulator, 64)?;
    launch(emulator, Shape::new(2, 32).shared(128).cluster(2), &mut out)
}

#[test]
fn an_access_before_the_cluster_has_met_is_found() {
    for found in findings(|e| run(e, |e, shape, out| writes_too_early(e, shape, out.view_mut()))) {
        assert_eq!(found.kind, Kind::ClusterNotMet { returns: false }, "{found}");
        assert_line(&found, "writes_too_early", SOURCE, "too early");
    }
}

#[test]
fn a_block_that_returns_while_another_uses_its_memory_is_found() {
    for found in findings(|e| run(e, |e, shape, out| returns_too_early(e, shape, out.view_mut()))) {
        assert_eq!(found.kind, Kind::ClusterNotMet { returns: true }, "{found}");
        assert_line(&found, "returns_too_early", SOURCE, "still reading");
    }
}

#[test]
fn a_barrier_of_the_block_orders_nothing_for_the_other_block() {
    let launch = |e: &Emulator, shape, out: &mut Buffer<u32, _>| {
        meets_with_the_block_alone(e, shape, out.view_mut())
    };
    for found in findings(|e| run(e, launch)) {
        let Kind::Race { access } = found.kind else { panic!("{found}") };
        let other = found.other.unwrap_or_else(|| panic!("{found}"));
        assert_ne!(found.block, other.block, "{found}");
        let marker = if access == Access::Write { "written" } else { "read" };
        assert_line(&found, "meets_with_the_block_alone", SOURCE, marker);
    }
}

#[test]
fn a_rank_that_the_cluster_has_not_is_found() {
    for found in findings(|e| run(e, |e, shape, out| counts_from_one(e, shape, out.view_mut()))) {
        assert_eq!(found.kind, Kind::OutsideCluster { rank: 2, blocks: 2 }, "{found}");
        assert_line(&found, "counts_from_one", SOURCE, "from one");
    }
}

#[test]
fn threads_that_do_not_meet_at_the_barrier_of_the_cluster_are_found() {
    let behind = |e: &Emulator, shape, out: &mut Buffer<u32, _>| {
        leaves_a_thread_behind(e, shape, out.view_mut())
    };
    for found in findings(|e| run(e, behind)) {
        assert_eq!(found.kind, Kind::BarrierDivergence, "{found}");
        assert_line(&found, "leaves_a_thread_behind", SOURCE, "all but one");
    }
    let apart = |e: &Emulator, shape, out: &mut Buffer<u32, _>| {
        waits_for_the_block(e, shape, out.view_mut())
    };
    for found in findings(|e| run(e, apart)) {
        assert_eq!(found.kind, Kind::BarrierDivergence, "{found}");
    }
}

#[test]
#[should_panic(expected = "rows of 6 blocks are no clusters of 4")]
fn a_grid_is_made_of_whole_clusters() {
    let _ = Shape::new(6, 32).cluster(4);
}
