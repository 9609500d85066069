//! Clusters: blocks that are under way together, wait for one another, and reach each other's shared memory.

use std::cell::{Cell, RefCell};
use std::panic::Location;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use warpwise_launch::{AtomicAccess, Element};

use crate::atomic::AtomicWord;
use crate::block::{RunningBlock, SourceLine, ThreadState};
use crate::clock::Clock;
use crate::engine::{self, CarrierThread, FindingPlace};
use crate::report::{Access, Array, Doing, Kind, Other};
use crate::shared::{SharedAccess, SharedBase, SharedMemory, update};

/// What the blocks of a cluster share. A block that is launched without is one of its own.
#[derive(Default)]
pub(crate) struct Cluster {
    /// The blocks by their ranks.
    members: RefCell<Vec<Weak<RunningBlock>>>,
    /// The number of threads that wait at the barrier.
    waiting: Cell<u32>,
    /// The first thread that waits.
    first: Cell<Option<Other>>,
    /// Whether all blocks have met: then each of them has started.
    has_met: Cell<bool>,
    /// The first thread that has returned: from then on the blocks cannot meet.
    returned: Cell<Option<Other>>,
    /// A thread that reached into another block's memory since they last met.
    visitor: Cell<Option<Other>>,
}

impl Cluster {
    /// Takes the next block in.
    pub(crate) fn join(&self, block: &Rc<RunningBlock>) {
        self.members.borrow_mut().push(Rc::downgrade(block));
    }

    /// A block. None of them has returned.
    fn member(&self, rank: usize) -> &RunningBlock {
        let members = self.members.borrow();
        assert!(members[rank].strong_count() > 0, "the block is under way");
        // SAFETY: the scheduler drops blocks, and it does not run while a thread does. No caller keeps the reference until the
        // thread is suspended. A strong count would outlive a thread that never goes on.
        unsafe { &*members[rank].as_ptr() }
    }

    fn len(&self) -> usize {
        self.members.borrow().len()
    }

    /// Lets all threads go on. They know what all of them have done.
    fn release(&self) {
        let members = || (0..self.len()).map(|rank| self.member(rank));
        let mut clock = Clock::default();
        for block in members() {
            block.release_barrier();
            if let Some(known) = &*block.known.borrow() {
                clock.join(known);
            }
            clock.know_block(block.index, block.barrier_time.get());
        }
        let clock = Arc::new(clock);
        for block in members() {
            *block.known.borrow_mut() = Some(clock.clone());
            block.fenced.set(true);
            block.at_cluster.set(0);
        }
        self.visitor.set(None);
        self.waiting.set(0);
        self.first.set(None);
        self.has_met.set(true);
    }

    /// The first thread that waits.
    pub(crate) fn waiter(&self) -> Option<Other> {
        self.first.get()
    }

    /// A thread has returned: nobody may be waiting for it, or have no other way to know that a block's memory is still there.
    pub(crate) fn on_return(&self, engine: &CarrierThread<'_>, returned: Other) {
        self.returned.set(self.returned.get().or(Some(returned)));
        let not_met = Kind::ClusterNotMet { returns: true };
        let held = [(Kind::BarrierDivergence, self.first.get()), (not_met, self.visitor.get())];
        for (kind, holder) in held {
            if let Some(Other { block, thread, location, .. }) = holder {
                engine.report(
                    kind,
                    block,
                    thread,
                    location.map(FindingPlace::line),
                    Some(returned),
                );
            }
        }
    }
}

impl CarrierThread<'_> {
    /// The running thread waits for all others of its cluster.
    pub(crate) fn sync_cluster(&self, location: SourceLine) {
        self.step(location);
        let block = self.block();
        let cluster = &block.cluster;
        self.running().state.set(ThreadState::AtBarrier(location));
        let running = self.as_other(Doing::AtBarrier, location);
        let first = cluster.first.get().unwrap_or(running);
        let elsewhere = (first.location != running.location).then_some(first);
        let elsewhere = cluster.returned.get().or_else(|| block.barrier_waiter()).or(elsewhere);
        if elsewhere.is_some() {
            self.fail(Kind::BarrierDivergence, FindingPlace::line(location), elsewhere);
        }
        cluster.first.set(Some(first));
        block.at_cluster.set(block.at_cluster.get() + 1);
        cluster.waiting.set(cluster.waiting.get() + 1);
        if cluster.waiting.get() as usize == cluster.len() * block.threads.len() {
            cluster.release();
        }
        self.suspend();
    }

    /// The running thread, for the findings of others.
    fn as_other(&self, doing: Doing, location: SourceLine) -> Other {
        let (block, thread) = (self.block().index, self.thread.get());
        Other { block, thread, doing, location: Some(location) }
    }
}

/// An array in the shared memory of a block of the cluster.
#[derive(Clone, Copy)]
pub struct ClusterBase {
    array: SharedBase,
    rank: u32,
}

/// Where the block of a rank has what the running one has at `array`.
#[track_caller]
pub fn of_block(array: SharedBase, rank: u32) -> ClusterBase {
    let blocks = cluster_size();
    if rank >= blocks {
        let place = FindingPlace::line(Location::caller());
        engine::current().fail(Kind::OutsideCluster { rank, blocks }, place, None);
    }
    ClusterBase { array, rank }
}

impl ClusterBase {
    /// Checks an access to element `index`, and makes it.
    #[track_caller]
    fn access<T: Element, R>(
        self,
        index: u32,
        access: Access,
        make: impl FnOnce(&CarrierThread<'_>, &SharedMemory, usize) -> R,
    ) -> R {
        let location = Location::caller();
        let engine = engine::current();
        engine.step(location);
        let cluster = &engine.block().cluster;
        if cluster_rank() != self.rank {
            let returns = cluster.returned.get().is_some();
            if returns || !cluster.has_met.get() {
                let array = Some(Array::Shared { byte_offset: self.array.byte_offset() });
                let place = FindingPlace { array, index: Some(index.into()), location };
                engine.fail(Kind::ClusterNotMet { returns }, place, None);
            }
            cluster.visitor.set(Some(engine.as_other(Doing::Running, location)));
        }
        let member = cluster.member(self.rank as usize);
        let at = self.array.check::<T>((engine, &member.shared), index, access, location);
        make(engine, &member.shared, at)
    }
}

impl SharedAccess for ClusterBase {
    fn load<T: Element>(self, index: u32) -> T {
        self.access::<T, _>(index, Access::Read, |_, shared, at| shared.get(at))
    }

    fn store<T: Element>(self, index: u32, value: T) {
        self.access::<T, _>(index, Access::Write, |engine, shared, at| {
            engine.note_change(shared.set(at, value));
        });
    }

    fn atomic<T: AtomicWord>(self, index: u32, what: AtomicAccess<T>) -> T {
        self.access::<T, _>(index, Access::AtomicUpdate, |engine, shared, at| {
            update((engine, shared), at, what)
        })
    }
}

pub fn cluster_rank() -> u32 {
    engine::current().block().index % cluster_size()
}

pub fn cluster_size() -> u32 {
    engine::current().run.shape.cluster
}

#[track_caller]
pub fn cluster_sync() {
    engine::current().sync_cluster(Location::caller());
}
